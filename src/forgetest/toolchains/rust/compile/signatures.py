"""`fn fibonacci(n: u64) -> u64` → code that compiles only if the sample's function has exactly that type.

The check coerces the function to a function pointer, which asks for the exact types: a call would accept a return type
that merely claims to equal everything. The tests then call the function through a shim of exactly that signature. A
function with more type parameters than it should have could behave as one function in the check and as another in the
tests, and a result that is only `impl Iterator` could bring methods of its own that look like the iterator's.

An entry is not quite Rust, so the grammar does not read it: it may name a method by its path (`fn Stack::push(&mut
self)`), leave out argument names (`fn add(i32, i32)`), or end in `;` or `{}`. See docs/decisions/0014.
"""

from __future__ import annotations

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
    owner, _, name = signature.path.rpartition("::")
    if signature.has_unknown_self:  # only the name can be looked for
        return ExpectedItem(entry=entry, name=name, keyword="fn")
    check = f"{_std_imports(found, own)}const _: () = {{ {signature.check()} }};"
    if owner:
        opaque = owner.rpartition("::")[2] if signature.result.startswith("impl ") else None
        return ExpectedItem(entry=entry, name=name, keyword="fn", signature_check=check, opaque_of=opaque)
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
    path: str
    qualifiers: tuple[str, ...]
    generics: str
    arguments: tuple[str, ...]
    result: str
    where: str
    has_unknown_self: bool
    """True for a method whose type is not stated: `fn push(&mut self)`."""

    def check(self) -> str:
        """Return a function that compiles only if the sample's has this type."""
        parameters = [part for part in _split_text(self.generics) if part]
        arguments = list(self.arguments)
        for index, argument in enumerate(arguments):
            if argument.startswith("impl "):
                parameters.append(f"Argument{index}: {argument[5:]}")
                arguments[index] = f"Argument{index}"
        kind = "unsafe fn" if "unsafe" in self.qualifiers else "fn"
        inside = ", ".join(parameters)
        # for a method, which has no shim: naming a function with type parameters of its own does not compile, because
        # there is nothing to infer them from
        alone = "" if parameters or "::" not in self.path else f"let _ = {SAMPLE_ROOT}::{self.path};"
        if "async" not in self.qualifiers and not self.result.startswith("impl "):
            body = f"let _: {kind}({', '.join(arguments)}) -> {self.result} = {SAMPLE_ROOT}::{self.path};"
            return f"fn pin<{inside}>() {self.where} {{ {alone} {body} }}"
        # the result's type has no name to compare with: check that it has the promised bound
        is_async = "async" in self.qualifiers
        bound = f"::{SECRET}::std::future::Future<Output = {self.result}>" if is_async else self.result[5:]
        static_arguments = [_with_static_borrows(argument) for argument in arguments]
        given = ", ".join([*(part.split(":")[0].removeprefix("const ") for part in parameters if part[0] != "'"), "_"])
        all_parameters = ", ".join([*parameters, f"Result_: {bound}"])
        check = f"fn result<{all_parameters}>(_: {kind}({', '.join(static_arguments)}) -> Result_) {self.where} {{}}"
        return f"fn pin<{inside}>() {self.where} {{ {alone} {check} result::<{given}>({SAMPLE_ROOT}::{self.path}); }}"

    def shim(self) -> str:
        """Return a function of exactly this signature that calls the sample's."""
        names = [f"argument_{index}" for index in range(len(self.arguments))]
        taken = ", ".join(f"{name}: {type_}" for name, type_ in zip(names, self.arguments, strict=True))
        call = f"{SAMPLE_ROOT}::{self.path}({', '.join(names)})"
        call = f"{call}.await" if "async" in self.qualifiers else call
        call = f"unsafe {{ {call} }}" if "unsafe" in self.qualifiers else call
        head = " ".join(["pub(crate)", *(word for word in self.qualifiers if word != "pub"), "fn"])
        return f"{head} {self.path}<{self.generics}>({taken}) -> {self.result} {self.where} {{ {call} }}"


def _parse(text: str, found: Sequence[Token]) -> _Signature | None:
    """Read a signature: qualifiers, `fn`, path, generics, arguments, result, where clause. None if it is malformed."""
    texts = [token.text for token in found]
    if "fn" not in texts or "(" not in texts:
        return None
    keyword = texts.index("fn")
    if not set(texts[:keyword]) <= _QUALIFIERS:
        return None
    opening = next(index for index in range(keyword, len(texts)) if texts[index] in ("(", "<"))
    path = "".join(texts[keyword + 1 : opening])
    if not path or not found[opening - 1].is_name:
        return None
    generics = ""
    if texts[opening] == "<":
        end = _closing_angle(found, opening)
        generics, opening = _slice(text, found, opening + 1, end), end + 1
    if text_at(found, opening) != "(":
        return None
    end = closing_bracket(found, opening)
    if texts[end] != ")":
        return None
    owner = path.rpartition("::")[0]
    arguments = [_argument_type(text, argument, owner) for argument in split_at_commas(found[opening + 1 : end])]
    result, where = _result_and_where(text, found[end + 1 :])
    return _Signature(
        path=path,
        qualifiers=tuple(texts[:keyword]),
        generics=generics,
        arguments=tuple(argument for argument in arguments if argument),
        result=result,
        where=where,
        has_unknown_self=None in arguments,
    )


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


def _with_static_borrows(argument: str) -> str:
    """Give every reference the lifetime `'static`.

    A future or an opaque result borrows from its arguments; for one fixed lifetime, its type can be inferred.
    """
    found = tokens(argument)
    named = {index for index, token in enumerate(found[1:]) if token.text.startswith("'")}
    borrows = [token for index, token in enumerate(found) if token.text == "&" and index not in named]
    return apply_edits(argument, [Edit(token.end, token.end, "'static ") for token in borrows])


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
