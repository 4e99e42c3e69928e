"""The operators that change Python programs, in one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from forgetest import mutation
from forgetest.mutation import Alternatives, Edit, Mutation, exchanged, inserted, replaced, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

GRAMMAR = "tree_sitter_python"

_COMPARISONS: Alternatives = {
    "<": (">=",),
    "<=": (">",),
    ">": ("<=",),
    ">=": ("<",),
    "==": ("!=",),
    "!=": ("==",),
    "in": ("not in",),
    "not in": ("in",),
    "is": ("is not",),
    "is not": ("is",),
}
_BOUNDARIES: Alternatives = {"<": ("<=",), "<=": ("<",), ">": (">=",), ">=": (">",)}
_ARITHMETIC: Alternatives = {
    "+": ("-",),
    "-": ("+",),
    "*": ("+",),
    "/": ("*",),
    "//": ("*",),
    "%": ("*",),
    "**": ("*",),
    "&": ("|",),
    "|": ("&",),
    "^": ("&",),
    "<<": (">>",),
    ">>": ("<<",),
}
_TWINS: Alternatives = {
    one: (other,)
    for pair in (
        ("min", "max"),
        ("any", "all"),
        ("startswith", "endswith"),
        ("lower", "upper"),
        ("lstrip", "rstrip"),
        ("find", "rfind"),
        ("index", "rindex"),
        ("partition", "rpartition"),
        ("removeprefix", "removesuffix"),
        ("floor", "ceil"),
        ("popleft", "pop"),
        ("appendleft", "append"),
        ("bisect_left", "bisect_right"),
        ("union", "intersection"),
        ("keys", "values"),
        ("isdigit", "isalnum"),
        ("isupper", "islower"),
        ("nlargest", "nsmallest"),
    )
    for one, other in (pair, pair[::-1])
} | {"strip": ("lstrip", "rstrip"), "sorted": ("list",), "reversed": ("list",), "set": ("list",), "abs": ("int",)}
_ERRORS: Mapping[str, str] = {
    "ValueError": "TypeError",
    "TypeError": "ValueError",
    "KeyError": "IndexError",
    "IndexError": "KeyError",
    "LookupError": "ValueError",
    "ZeroDivisionError": "ValueError",
    "OverflowError": "ValueError",
    "RuntimeError": "ValueError",
    "StopIteration": "ValueError",
    "AttributeError": "TypeError",
    "NotImplementedError": "ValueError",
}
_CONSTANTS: Alternatives = {
    "int": ("0", "1", "-1"),
    "float": ("0.0", "1.0"),
    "bool": ("True", "False"),
    "str": ('""', '"mutant"'),
    "bytes": ('b""',),
    "list": ("[]",),
    "dict": ("{}",),
    "set": ("set()",),
    "tuple": ("()",),
    "frozenset": ("frozenset()",),
}
_SYMMETRIC = frozenset({"min", "max", "gcd", "lcm", "isclose", "hypot"})
"""Functions whose arguments may be swapped."""
_DELETED_STATEMENTS = frozenset({"raise_statement", "break_statement", "continue_statement", "delete_statement"})


def mutations(code: str) -> list[Mutation]:
    """Return every mutation of a program that the table has."""
    return mutation.mutations(code, mutation.parse(GRAMMAR, code), OPERATORS, _is_skipped)


def constants(annotation: str) -> tuple[str, ...]:
    """Return constants of the type that an annotation names; None for any type that may be absent."""
    name = annotation.split("[")[0].strip().rpartition(".")[2]
    found = _CONSTANTS.get(name.lower() if name in ("List", "Dict", "Set", "Tuple", "FrozenSet") else name, ())
    optional = "Optional" in annotation or "None" in annotation
    return (*found, "None") if optional else found


def _is_skipped(node: Node) -> bool:
    """Return whether nothing in a node changes what a program does: annotations, imports, docstrings."""
    if node.type in ("type", "import_statement", "import_from_statement", "future_import_statement", "comment"):
        return True
    return node.type == "expression_statement" and [child.type for child in node.named_children] == ["string"]


def _comparison(node: Node) -> Iterator[Edit]:
    yield from exchanged(node, _COMPARISONS, ("comparison_operator",))


def _boundary(node: Node) -> Iterator[Edit]:
    yield from exchanged(node, _BOUNDARIES, ("comparison_operator",))


def _arithmetic(node: Node) -> Iterator[Edit]:
    yield from exchanged(node, _ARITHMETIC, ("binary_operator",))
    if node.parent is not None and node.parent.type == "augmented_assignment" and node.type.endswith("="):
        for text in _ARITHMETIC.get(node.type[:-1], ()):
            yield replaced(node, f"{text}=")
    if node.type == "unary_operator" and node.child(0) is not None and text_of(node.child(0)) in "-~":
        yield replaced(node, f"({text_of(node.child_by_field_name('argument'))})")


def _constant(node: Node) -> Iterator[Edit]:
    text = text_of(node)
    if node.type == "integer" and text.isdigit():
        yield from (replaced(node, str(value)) for value in (int(text) + 1, int(text) - 1) if value >= 0)
        if text == "0":
            yield replaced(node, "(-1)")
    elif node.type == "float":
        yield replaced(node, f"({text} + 1.0)")
    elif node.type in ("true", "false"):
        yield replaced(node, "False" if node.type == "true" else "True")
    elif node.type == "string" and not _is_message(node):
        content = [child for child in node.named_children if child.type not in ("string_start", "string_end")]
        if any(child.type == "interpolation" for child in content):
            return
        start = text_of(node.child(0))
        mark = start[-1:]
        raw = "".join(letter for letter in start.lower() if letter in "b")
        yield replaced(node, f"{raw}{mark}{mark}" if content else f"{raw}{mark}mutant{mark}")


def _is_message(node: Node) -> bool:
    """Return whether a text is only for a reader: the argument of an exception."""
    above: Node | None = node
    while above is not None and not above.type.endswith("statement"):
        above = above.parent
    return above is not None and above.type in ("raise_statement", "assert_statement")


def _boolean(node: Node) -> Iterator[Edit]:
    yield from exchanged(node, {"and": ("or",), "or": ("and",)}, ("boolean_operator",))
    if node.type == "not_operator":
        yield replaced(node, f"({text_of(node.child_by_field_name('argument'))})")
    if node.type == "boolean_operator":
        yield from (replaced(node, text_of(node.child_by_field_name(side))) for side in ("left", "right"))


def _condition(node: Node) -> Iterator[Edit]:
    condition = None
    if node.type in ("if_statement", "elif_clause", "while_statement"):
        condition = node.child_by_field_name("condition")
    elif node.type == "conditional_expression":
        condition = node.named_child(1)
    elif node.type == "if_clause":
        condition = node.named_child(0)
    if condition is None or _binds(condition):
        return
    yield replaced(condition, "False")
    if node.type != "while_statement" and condition.type != "true":
        yield replaced(condition, "True")
    if condition.type not in ("comparison_operator", "not_operator", "true", "false"):
        yield replaced(condition, f"not ({text_of(condition)})")


def _binds(condition: Node) -> bool:
    return any(node.type == "named_expression" for node in mutation.walk(condition))


def _deleted_statement(node: Node) -> Iterator[Edit]:
    if node.type in _DELETED_STATEMENTS:
        yield replaced(node, "pass")
    elif node.type == "expression_statement" and node.named_child_count == 1:
        only = node.named_children[0]
        target = only.child_by_field_name("left") if only.type == "assignment" else None
        if only.type in ("call", "await", "augmented_assignment", "yield") or (
            target is not None and target.type in ("attribute", "subscript")
        ):
            yield replaced(node, "pass")
    elif node.type in ("else_clause", "finally_clause", "except_clause"):
        body = node.child_by_field_name("body") or next((c for c in node.children if c.type == "block"), None)
        if body is not None and text_of(body) != "pass":
            yield replaced(body, "pass")


def _early_return(node: Node) -> Iterator[Edit]:
    if node.type in ("for_statement", "while_statement"):
        body = node.child_by_field_name("body")
        if body is not None and body.named_child_count and _is_at_line_start(body):
            indent = " " * int(body.start_point[1])
            yield inserted(body.end_byte, f"\n{indent}break")
            if _inside_function(node):
                yield inserted(body.start_byte, f"return\n{indent}")


def _is_at_line_start(body: Node) -> bool:
    parent = body.parent
    return parent is not None and body.start_point[0] > parent.start_point[0]


def _inside_function(node: Node) -> bool:
    return _enclosing_function(node) is not None


def _enclosing_function(node: Node) -> Node | None:
    return mutation.enclosing(node, "function_definition", ("class_definition", "lambda"))


def _return_value(node: Node) -> Iterator[Edit]:
    if node.type != "return_statement" or node.named_child_count != 1:
        return
    value = node.named_children[0]
    function = _enclosing_function(node)
    annotation = text_of(function.child_by_field_name("return_type")) if function is not None else ""
    found = list(constants(annotation))
    if not found and value.type in ("comparison_operator", "not_operator", "true", "false"):
        found = ["True", "False"]
    if value.type == "none":
        found = [each for each in found if each != "None"]
    elif "None" not in found:
        found.append("None")
    yield from (replaced(value, text) for text in found)


def _swapped_arguments(node: Node) -> Iterator[Edit]:
    if node.type != "argument_list" or node.parent is None:
        return
    if text_of(node.parent.child_by_field_name("function")).rpartition(".")[2] in _SYMMETRIC:
        return
    plain = [child for child in node.named_children if child.type not in ("keyword_argument", "comment")]
    if any(child.type in ("list_splat", "dictionary_splat") for child in plain):
        return
    for one, other in pairwise(plain):
        between = text_of(node)[one.end_byte - node.start_byte : other.start_byte - node.start_byte]
        if node.text is not None and node.text.isascii():
            yield Edit(one.start_byte, other.end_byte, f"{text_of(other)}{between}{text_of(one)}")


def _loop_bound(node: Node) -> Iterator[Edit]:
    if node.type == "call" and text_of(node.child_by_field_name("function")) == "range":
        arguments = node.child_by_field_name("arguments")
        bounds = arguments.named_children if arguments is not None else []
        for bound in bounds[:2]:
            yield replaced(bound, f"{text_of(bound)} + 1")
            yield replaced(bound, f"{text_of(bound)} - 1")
    elif node.type == "slice":
        for bound in node.named_children[:2]:
            yield replaced(bound, f"({text_of(bound)}) + 1")
            yield replaced(bound, "")


def _error_kind(node: Node) -> Iterator[Edit]:
    if node.type != "identifier" or text_of(node) not in _ERRORS:
        return
    above = node.parent
    while above is not None and above.type in ("call", "tuple", "as_pattern"):
        above = above.parent
    if above is not None and above.type in ("raise_statement", "except_clause"):
        yield replaced(node, _ERRORS[text_of(node)])


def _twin(node: Node) -> Iterator[Edit]:
    parent = node.parent
    if node.type != "identifier" or parent is None:
        return
    called = parent.parent if parent.type == "attribute" else parent
    is_name = parent.type == "call" or parent.child_by_field_name("attribute") == node
    if is_name and called is not None and called.type == "call":
        yield from (replaced(node, text) for text in _TWINS.get(text_of(node), ()))


OPERATORS: mutation.Operators = {
    "comparison": _comparison,
    "boundary": _boundary,
    "arithmetic": _arithmetic,
    "constant": _constant,
    "boolean": _boolean,
    "condition": _condition,
    "deleted statement": _deleted_statement,
    "early return": _early_return,
    "return value": _return_value,
    "swapped arguments": _swapped_arguments,
    "loop bound": _loop_bound,
    "error kind": _error_kind,
    "twin": _twin,
}
