"""`fn fibonacci(n: u64) -> u64` → code that compiles only if the sample's function has exactly that type.

The check coerces the function to a function pointer, which asks for the exact types: a call would accept a return type
that merely claims to equal everything. The tests then call the function through a shim of exactly that signature. A
function with more type parameters than it should have could behave as one function in the check and as another in the
tests, and a result that is only `impl Iterator` could bring methods of its own that look like the iterator's.

An entry is not quite Rust, so the grammar does not read it: it may name a method by its path (`fn Stack::push(&mut
self)`), with its type's parameters (`fn Stack<T>::push(&mut self, item: T)`) or its trait (`fn <Rgb as
FromStr>::from_str(text: &str) -> Result<Rgb, Invalid>`), or the constructor of a tuple (`fn Point(i32, i32) -> Point`);
it may leave out argument names, or end in `;` or `{}`. See docs/decisions/0014.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from forgetest.errors import UserError
from forgetest.toolchains.rust.compile.trusted_paths import (
    SAMPLE_ROOT,
    SECRET,
    Edit,
    apply_edits,
    path_edits,
    text_at,
)
from forgetest.toolchains.rust.source.lexer import Token, closing_bracket, tokens

_STD = {
    "collections": ("BTreeMap", "BTreeSet", "BinaryHeap", "HashMap", "HashSet", "VecDeque"),
    "rc": ("Rc",),
    "sync": ("Arc", "Mutex", "RwLock"),
    "cell": ("Cell", "RefCell"),
    "cmp": ("Ordering", "Reverse"),
    "borrow": ("Cow",),
    "time": ("Duration", "Instant"),
    "fmt": ("Debug", "Display"),
    "hash": ("Hash",),
    "ops": ("Add", "Mul", "Sub", "Range"),
    "str": ("FromStr",),
    "future": ("Future",),
}
"""Names that a signature may use without a path; they never mean a sample's own type of that name."""
STD_NAMES = frozenset(name for names in _STD.values() for name in names)
_PARAMETER = re.compile(r"'[a-z]+|[A-Z][0-9]?")
"""In a type's path, a lifetime or a single capital letter is a parameter; anything else is a type."""
_QUALIFIERS = frozenset({"pub", "async", "const", "unsafe"})
_TYPE_KEYWORDS = ("struct", "enum", "trait", "type", "union")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedItem:
    """An entry of `expected_functions` or `expected_types`."""

    entry: str
    name: str
    """The item's own name: `push` in `fn Stack::push(&mut self)`."""
    keyword: str | None
    """`fn`, `struct`, …; None for a bare name."""
    signature_check: str | None = None
    """Code that compiles only if the signature holds; None if only the name is known."""
    opaque_of: str | None = None
    """For a method that returns `impl Trait`: its type. No shim stands between such a method and the tests, so its own
    signature must hide everything else that the result can do."""
    has_shim: bool = False
    """True if the check contains a function of the same name and signature for the tests to call."""


def function(entry: str, crates: Collection[str], case_id: str, own: Collection[str] = ()) -> ExpectedItem:
    """Read an entry of `expected_functions`; `own` are types that the sample must define."""
    text = apply_edits(entry, path_edits(tokens(entry), crates))
    found = tokens(text)
    if len(found) == 1 and found[0].is_name and found[0].text != "fn":
        return ExpectedItem(entry=entry, name=found[0].text, keyword=None)
    signature = _parse(text, found)
    if signature is None:
        raise UserError(
            f"case {case_id}: expected_functions: `{entry}` is neither a name "
            "nor a signature like `fn name(n: u64) -> u64`"
        )
    name = signature.name
    if signature.has_unknown_self:  # only the name can be looked for
        return ExpectedItem(entry=entry, name=name, keyword="fn")
    check = f"{_std_imports(found, own)}const _: () = {{ {signature.check()} }};"
    if signature.owner:
        is_opaque = signature.result.startswith("impl ")
        opaque = re.findall(r"\w+", signature.owner.partition("<")[0])[-1] if is_opaque else None
        return ExpectedItem(entry=entry, name=name, keyword="fn", signature_check=check, opaque_of=opaque)
    if name in own:  # a constructor: a function in its place would hide the type of that name from the tests
        return ExpectedItem(entry=entry, name=name, keyword="fn", signature_check=check)
    return ExpectedItem(
        entry=entry, name=name, keyword="fn", signature_check=f"{check} {signature.shim()}", has_shim=True
    )


def type_(entry: str, case_id: str) -> ExpectedItem:
    """Read an entry of `expected_types`: a bare name, or one with its keyword in front."""
    found = [token for token in tokens(entry) if token.text != "pub"]
    if len(found) == 1 and found[0].is_name and found[0].text not in _TYPE_KEYWORDS:
        return ExpectedItem(entry=entry, name=found[0].text, keyword=None)
    if len(found) > 1 and found[0].text in _TYPE_KEYWORDS and found[1].is_name:
        return ExpectedItem(entry=entry, name=found[1].text, keyword=found[0].text)
    raise UserError(f"case {case_id}: expected_types: `{entry}` is neither a name nor like `struct Name`")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Signature:
    name: str
    path: str
    """The path of the function as an expression."""
    owner: str
    """For a method: its type, as an argument `self` has it."""
    qualifiers: tuple[str, ...]
    owner_generics: tuple[str, ...]
    """Parameters of the type in the path: `T` of `fn Stack<T>::push(…)`."""
    generics: str
    arguments: tuple[str, ...]
    result: str
    where: str
    borrows_self: bool
    has_unknown_self: bool
    """True for a method whose type is not stated: `fn push(&mut self)`."""

    def check(self) -> str:
        """Return a function that compiles only if the sample's has this type."""
        own_parameters = [part for part in _split_text(self.generics) if part]
        arguments = list(self.arguments)
        for index, argument in enumerate(arguments):
            if argument.startswith("impl "):
                own_parameters.append(f"Argument{index}: {argument[5:]}")
                arguments[index] = f"Argument{index}"
        kind = "unsafe fn" if "unsafe" in self.qualifiers else "fn"
        parameters = [*self.owner_generics, *own_parameters]
        # for a method, which has no shim: naming a function with type parameters of its own does not compile, because
        # there is nothing to infer them from
        alone = f"let _ = {self.path};" if self.owner and not own_parameters else ""
        if "async" not in self.qualifiers and not self.result.startswith("impl "):
            result = self.result
            if self.borrows_self and _with_borrows(result, "'s ") != result:  # as in a method: borrowed from `self`
                arguments[0], result = _with_borrows(arguments[0], "'s ", most=1), _with_borrows(result, "'s ")
                kind = f"for<'s> {kind}"
            body = f"let _: {kind}({', '.join(arguments)}) -> {result} = {self.path};"
            return f"fn pin<{', '.join(parameters)}>() {self.where} {{ {alone} {body} }}"
        # the result's type has no name to compare with: check that it has the promised bound. It borrows from its
        # arguments, and can be inferred for one fixed lifetime only.
        is_async = "async" in self.qualifiers
        bound = f"::{SECRET}::std::future::Future<Output = {self.result}>" if is_async else self.result[5:]
        arguments = [_with_borrows(argument, "'static ") for argument in arguments]
        lasting = _with_borrows(bound, "'static ")
        if lasting != bound:
            parameters = [_with_static_bound(parameter) for parameter in parameters]
        given = ", ".join([*(part.split(":")[0].removeprefix("const ") for part in parameters if part[0] != "'"), "_"])
        all_parameters = ", ".join([*parameters, f"Result_: {lasting}"])
        check = f"fn result<{all_parameters}>(_: {kind}({', '.join(arguments)}) -> Result_) {self.where} {{}}"
        return f"fn pin<{', '.join(parameters)}>() {self.where} {{ {alone} {check} result::<{given}>({self.path}); }}"

    def shim(self) -> str:
        """Return a function of exactly this signature that calls the sample's."""
        names = [f"argument_{index}" for index in range(len(self.arguments))]
        taken = ", ".join(f"{name}: {type_}" for name, type_ in zip(names, self.arguments, strict=True))
        call = f"{self.path}({', '.join(names)})"
        call = f"{call}.await" if "async" in self.qualifiers else call
        call = f"unsafe {{ {call} }}" if "unsafe" in self.qualifiers else call
        head = " ".join(["pub(crate)", *(word for word in self.qualifiers if word != "pub"), "fn"])
        return f"{head} {self.name}<{self.generics}>({taken}) -> {self.result} {self.where} {{ {call} }}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Path:
    name: str
    expression: str
    owner: str = ""
    owner_generics: tuple[str, ...] = ()
    end: int
    """The index of the token behind it."""


def _parse(text: str, found: Sequence[Token]) -> _Signature | None:
    """Read a signature: qualifiers, `fn`, path, generics, arguments, result, where clause. None if it is malformed."""
    texts = [token.text for token in found]
    if "fn" not in texts or "(" not in texts:
        return None
    keyword = texts.index("fn")
    path = _parse_path(text, found, keyword + 1)
    if path is None or not set(texts[:keyword]) <= _QUALIFIERS:
        return None
    generics, opening = "", path.end
    if text_at(found, opening) == "<":
        end = _closing_angle(found, opening)
        generics, opening = _slice(text, found, opening + 1, end), end + 1
    if text_at(found, opening) != "(":
        return None
    end = closing_bracket(found, opening)
    if texts[end] != ")":
        return None
    inside = split_at_commas(found[opening + 1 : end])
    arguments = [_argument_type(text, argument, path.owner) for argument in inside]
    result, where = _result_and_where(text, found[end + 1 :])
    first = [token.text for token in inside[0]] if inside else []
    return _Signature(
        name=path.name,
        path=path.expression,
        owner=path.owner,
        owner_generics=path.owner_generics,
        qualifiers=tuple(texts[:keyword]),
        generics=generics,
        arguments=tuple(argument for argument in arguments if argument),
        result=result,
        where=where,
        borrows_self="&" in first and "self" in first and not any(text.startswith("'") for text in first),
        has_unknown_self=None in arguments,
    )


def _parse_path(text: str, found: Sequence[Token], start: int) -> _Path | None:
    """Read `name`, `Type::name`, `module::Type<T>::name` or `<Type as Trait>::name`."""
    if text_at(found, start) == "<":
        end = _closing_angle(found, start)
        words = [token.text for token in found[start:end]]
        if "as" not in words or text_at(found, end + 1) != "::" or end + 2 >= len(found):
            return None
        qualified, owner = (
            _slice(text, found, start, end + 1),
            _slice(text, found, start + 1, start + words.index("as")),
        )
        method = found[end + 2].text
        return _Path(name=method, expression=f"{qualified}::{method}", owner=owner, end=end + 3)
    segments, expression, generics = list[str](), SAMPLE_ROOT, list[str]()
    index = start
    while index < len(found) and found[index].is_name:
        name, index = found[index].text, index + 1
        expression += f"::{name}"
        end = _closing_angle(found, index) if text_at(found, index) == "<" else index - 1
        if text_at(found, end + 1) != "::":
            owner = "::".join(segments)
            return _Path(name=name, expression=expression, owner=owner, owner_generics=tuple(generics), end=index)
        given = _slice(text, found, index, end + 1)
        segments.append(name + given)
        expression += f"::{given}" if given else ""
        generics += [part for part in _split_text(given[1:-1]) if _PARAMETER.fullmatch(part)]
        index = end + 2
    return None


def _argument_type(text: str, argument: list[Token], owner: str) -> str | None:
    """Return the type of one argument; None for `self` if its type is not stated."""
    texts = [token.text for token in argument]
    if ":" in texts:
        return _slice(text, argument, texts.index(":") + 1, len(argument))
    if texts[-1] == "self":
        borrowed = "&mut " if "&" in texts and "mut" in texts else "&" if "&" in texts else ""
        return borrowed + owner if owner else None
    return _slice(text, argument, 0, len(argument))


def _result_and_where(text: str, rest: Sequence[Token]) -> tuple[str, str]:
    """Read what follows the arguments."""
    where_at = next((index for index, token in enumerate(rest) if token.text == "where"), len(rest))
    result = _slice(text, rest, 1, where_at) if rest and rest[0].text == "->" else "()"
    return result.strip(" ;{}"), _slice(text, rest, where_at, len(rest)).rstrip(";{} ")


def _with_borrows(type_: str, lifetime: str, most: int | None = None) -> str:
    """Give every reference without a lifetime this one; with `most`, only the first of them."""
    found = tokens(type_)
    named = {index for index, token in enumerate(found[1:]) if token.text.startswith("'")}
    borrows = [token for index, token in enumerate(found) if token.text == "&" and index not in named]
    edits = [Edit(token.end, token.end, lifetime) for token in borrows]
    edits += [Edit(token.start, token.end, lifetime.strip()) for token in found if token.text == "'_"]
    return apply_edits(type_, sorted(edits, key=lambda edit: edit.start)[:most])


def _with_static_bound(parameter: str) -> str:
    if parameter[0] == "'" or parameter.startswith("const "):
        return parameter
    return f"{parameter} + 'static" if ":" in parameter else f"{parameter}: 'static"


def _std_imports(found: Sequence[Token], own: Collection[str]) -> str:
    """Import the names of std that the signature uses without a path."""
    bare = {t.text for i, t in enumerate(found) if not (i and found[i - 1].text == "::")} - set(own)
    return "".join(
        f"use ::{SECRET}::std::{module}::{name}; " for module, names in _STD.items() for name in names if name in bare
    )


def split_at_commas(found: Sequence[Token]) -> list[list[Token]]:
    """Split at commas outside all brackets, angle brackets included."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in found:
        depth += (token.text in "([{<") - (token.text in ")]}>")
        if token.text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _split_text(text: str) -> list[str]:
    return [_slice(text, part, 0, len(part)) for part in split_at_commas(tokens(text))]


def _slice(text: str, found: Sequence[Token], start: int, end: int) -> str:
    return text[found[start].start : found[end - 1].end] if start < end <= len(found) else ""


def _closing_angle(found: Sequence[Token], opening: int) -> int:
    depth = 0
    for index in range(opening, len(found)):
        depth += (found[index].text == "<") - (found[index].text == ">")
        if depth == 0:
            return index
    return len(found) - 1
