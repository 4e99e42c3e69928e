"""`fn fibonacci(n: u64) -> u64` → code that compiles only if the sample's function has exactly that type.

A coercion to a function pointer asks for the very types, where a call would let a return type through that
merely claims to equal everything. And the tests call the function through a shim of just that signature: one
with more type parameters than it should have could be this function to us and another one to the tests, and a
result that is only `impl Iterator` could bring methods of its own that pass for the iterator's.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from forgetest.errors import UserError
from forgetest.toolchains.rust.compile.testfile import HOLE, ROOT, Edit, path_edits, with_edits
from forgetest.toolchains.rust.source.lexer import Token, closing, tokens

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
"""Names that a signature may use without a path; a sample's own type of that name is not what is meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """One entry of `expected_functions` or `expected_types`."""

    entry: str
    name: str
    """The item's own name: `push` in `fn Stack::push(&mut self)`."""
    keyword: str | None
    """`fn`, `struct`, …; None for a bare name."""
    pin: str | None = None
    """The check for the compiler; None where the name is all that is known."""
    opaque_of: str | None = None
    """The type of which it is a method with a result that is only `impl Trait`: nothing stands between such a method
    and the tests, so its own signature must hide what the result can do besides."""
    shimmed: bool = False
    """Whether the pin holds a function of the same name and signature, for the tests to call instead."""


def function(entry: str, crates: Collection[str], case_id: str, own: Collection[str] = ()) -> Expected:
    """Read an entry of `expected_functions`; `own` are types that the sample is to define."""
    text = with_edits(entry, path_edits(tokens(entry), crates))
    found = tokens(text)
    if len(found) == 1 and found[0].is_name and found[0].text != "fn":
        return Expected(entry=entry, name=found[0].text, keyword=None)
    texts = [token.text for token in found]
    if (
        "fn" not in texts
        or "(" not in texts
        or not set(texts[: texts.index("fn")]) <= {"pub", "async", "const", "unsafe"}
    ):
        raise _malformed(entry, case_id)
    at = texts.index("fn")
    opening = next(i for i in range(at, len(texts)) if texts[i] in ("(", "<"))
    path = "".join(texts[at + 1 : opening])
    if not path or not found[opening - 1].is_name:
        raise _malformed(entry, case_id)
    generics = ""
    if texts[opening] == "<":
        end = _closing_angle(found, opening)
        generics, opening = _slice(text, found, opening + 1, end), end + 1
        if opening >= len(texts) or texts[opening] != "(":
            raise _malformed(entry, case_id)
    end = closing(found, opening)
    if texts[end] != ")":
        raise _malformed(entry, case_id)
    rest = found[end + 1 :]
    where_at = next((i for i, token in enumerate(rest) if token.text == "where"), len(rest))
    result = _slice(text, rest, 1, where_at) if rest and rest[0].text == "->" else "()"
    where = _slice(text, rest, where_at, len(rest)).rstrip(";{} ")
    owner = path.rpartition("::")[0]
    arguments = [_type(text, argument, owner) for argument in _split(found[opening + 1 : end])]
    name = path.rpartition("::")[2]
    if None in arguments:  # a method without its type: the name is all that can be looked for
        return Expected(entry=entry, name=name, keyword="fn")
    signature = _Signature(
        path=path,
        qualifiers=tuple(texts[:at]),
        generics=generics,
        arguments=tuple(argument for argument in arguments if argument),
        result=result.strip(" ;{}"),
        where=where,
    )
    pin = f"{_std_imports(found, own)}const _: () = {{ {signature.check()} }};"
    if owner:
        opaque = owner.rpartition("::")[2] if signature.result.startswith("impl ") else None
        return Expected(entry=entry, name=name, keyword="fn", pin=pin, opaque_of=opaque)
    return Expected(entry=entry, name=name, keyword="fn", pin=f"{pin} {signature.shim()}", shimmed=True)


def type_(entry: str, case_id: str) -> Expected:
    """Read an entry of `expected_types`: a bare name, or one with its keyword in front."""
    found = [token for token in tokens(entry) if token.text != "pub"]
    keywords = ("struct", "enum", "trait", "type", "union")
    if len(found) == 1 and found[0].is_name and found[0].text not in keywords:
        return Expected(entry=entry, name=found[0].text, keyword=None)
    if len(found) > 1 and found[0].text in keywords and found[1].is_name:
        return Expected(entry=entry, name=found[1].text, keyword=found[0].text)
    raise UserError(f"case {case_id}: expected_types: `{entry}` is neither a name nor like `struct Name`")


def _malformed(entry: str, case_id: str) -> UserError:
    return UserError(
        f"case {case_id}: expected_functions: `{entry}` is neither a name nor a signature like `fn name(n: u64) -> u64`"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Signature:
    path: str
    qualifiers: tuple[str, ...]
    generics: str
    arguments: tuple[str, ...]
    result: str
    where: str

    def check(self) -> str:
        """A function that compiles if the sample's has this type."""
        parameters = [part for part in _split_text(self.generics) if part]
        arguments = list(self.arguments)
        for index, argument in enumerate(arguments):
            if argument.startswith("impl "):
                parameters.append(f"Argument{index}: {argument[5:]}")
                arguments[index] = f"Argument{index}"
        kind = "unsafe fn" if "unsafe" in self.qualifiers else "fn"
        inside = ", ".join(parameters)
        # where there is no shim: one with type parameters does not compile without something to infer them from
        alone = "" if parameters or "::" not in self.path else f"let _ = {ROOT}::{self.path};"
        if "async" not in self.qualifiers and not self.result.startswith("impl "):
            body = f"let _: {kind}({', '.join(arguments)}) -> {self.result} = {ROOT}::{self.path};"
            return f"fn pin<{inside}>() {self.where} {{ {alone} {body} }}"
        # the result has no name to ask for: ask that it is bound as promised
        is_async = "async" in self.qualifiers
        bound = f"::{HOLE}::std::future::Future<Output = {self.result}>" if is_async else self.result[5:]
        owned = [_static(argument) for argument in arguments]
        given = ", ".join([*(part.split(":")[0].removeprefix("const ") for part in parameters if part[0] != "'"), "_"])
        all_parameters = ", ".join([*parameters, f"Result_: {bound}"])
        check = f"fn result<{all_parameters}>(_: {kind}({', '.join(owned)}) -> Result_) {self.where} {{}}"
        return f"fn pin<{inside}>() {self.where} {{ {alone} {check} result::<{given}>({ROOT}::{self.path}); }}"

    def shim(self) -> str:
        """A function of this very signature that calls the sample's."""
        names = [f"argument_{index}" for index in range(len(self.arguments))]
        taken = ", ".join(f"{name}: {type_}" for name, type_ in zip(names, self.arguments, strict=True))
        call = f"{ROOT}::{self.path}({', '.join(names)})"
        call = f"{call}.await" if "async" in self.qualifiers else call
        call = f"unsafe {{ {call} }}" if "unsafe" in self.qualifiers else call
        head = " ".join(["pub(crate)", *(word for word in self.qualifiers if word != "pub"), "fn"])
        return f"{head} {self.path}<{self.generics}>({taken}) -> {self.result} {self.where} {{ {call} }}"


def _static(argument: str) -> str:
    """A future or an opaque result borrows from its arguments; for one lifetime it can be named."""
    found = tokens(argument)
    named = {index for index, token in enumerate(found[1:]) if token.text.startswith("'")}
    borrows = [token for index, token in enumerate(found) if token.text == "&" and index not in named]
    return with_edits(argument, [Edit(token.end, token.end, "'static ") for token in borrows])


def _type(text: str, argument: list[Token], owner: str) -> str | None:
    """The type of one argument; None for `self` where the type it belongs to is not said."""
    texts = [token.text for token in argument]
    if ":" in texts:
        return _slice(text, argument, texts.index(":") + 1, len(argument))
    if texts[-1] == "self":
        borrowed = "&mut " if "&" in texts and "mut" in texts else "&" if "&" in texts else ""
        return borrowed + owner if owner else None
    return _slice(text, argument, 0, len(argument))


def _std_imports(found: list[Token], own: Collection[str]) -> str:
    bare = {t.text for i, t in enumerate(found) if not (i and found[i - 1].text == "::")} - set(own)
    return "".join(
        f"use ::{HOLE}::std::{module}::{name}; " for module, names in _STD.items() for name in names if name in bare
    )


def _split(found: list[Token]) -> list[list[Token]]:
    """Split at commas outside brackets of any kind."""
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
    return [_slice(text, part, 0, len(part)) for part in _split(tokens(text))]


def _slice(text: str, found: list[Token], start: int, end: int) -> str:
    return text[found[start].start : found[end - 1].end] if start < end <= len(found) else ""


def _closing_angle(found: list[Token], opening: int) -> int:
    depth = 0
    for index in range(opening, len(found)):
        depth += (found[index].text == "<") - (found[index].text == ">")
        if depth == 0:
            return index
    return len(found) - 1
