"""A light look at Rust: the items that a text defines at its top level, and what stands between them.

No parser: strings, comments and brackets are told apart, names are read off the first words of an item. That is
enough to say which parts of an answer define the same thing; what compiles is for the compiler to say.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Item(NamedTuple):
    """A piece of the text. The texts of all pieces, put together, are the whole."""

    kind: str
    """A keyword (`fn`, `struct`, `impl`, `use` …), `attribute` for an inner one, `macro` for a call of one,
    `comment`; or `statement` or `prose`, which do not belong at the top level."""
    name: str
    text: str
    complete: bool = True
    """False: it is cut off, or a function without a body."""
    begins: int = 0
    """Where in `text` it begins, behind comments and attributes."""

    @property
    def stray(self) -> bool:
        """Whether the compiler would not have it at the top level: statements, prose, a method on its own."""
        method = self.kind == "fn" and _METHOD.match(self.text, self.begins) is not None
        return method or self.kind in ("statement", "prose")

    @property
    def outline(self) -> bool:
        """Whether it only hints at what should stand there."""
        return _ELISION.search(self.text) is not None

    @property
    def defines(self) -> tuple[str, str] | None:
        """What cannot be defined twice: a name in its name space, or the target of an `impl`."""
        if self.kind == "impl":
            return self.kind, self.name
        space = _NAME_SPACES.get(self.kind)
        return (space, self.name) if space and self.name != "_" else None

    @property
    def imports(self) -> set[str]:
        """The names that a `use` brings."""
        if self.kind != "use":
            return set()
        return set(re.findall(r"(\w+)\s*(?=[,};])", self.text)) - {"self", "_"}

    @property
    def functions(self) -> set[str]:
        """The functions in an `impl`."""
        return set(re.findall(r"\bfn\s+(\w+)", self.text))


_NAME_SPACES = {
    **dict.fromkeys(("struct", "enum", "union", "trait", "type", "mod"), "type"),
    **dict.fromkeys(("fn", "const", "static"), "value"),
    "macro_rules!": "macro",
}
_HEAD = re.compile(
    r"""
    (?:pub(?:\s*\([^()\n]*\))?\s+)?
    (?:(?:default|const|async|unsafe|safe|auto|extern(?:\s*"[^"\n]*")?)\s+)*
    (?:
        (?P<fn>fn)\s+(?P<fn_name>\w+)\s*[<(]
      | (?P<type>struct|enum|union|trait)\s+(?P<type_name>\w+)\s*(?=[<{(;:]|where\b)
      | (?P<mod>mod)\s+(?P<mod_name>\w+)\s*(?=[{;])
      | (?P<impl>impl)\b(?P<impl_name>(?:[^;{}\n]|\n(?!\s*\n))*+)(?=\{)
      | (?P<macro_rules>macro_rules!)\s*(?P<macro_rules_name>\w+)
      | (?P<alias>type)\s+(?P<alias_name>\w+)[^=;{}\n]*=
      | (?P<value>const|static)\s+(?:mut\s+)?(?P<value_name>\w+)\s*:
      | (?P<use>use)\s+(?:\w|::|[{},*]|(?<=[{},])\s+|\s+(?=[{},])|\s+as\s+)++(?=\s*;)
      | (?P<crate>extern\s+crate)\s+(?P<crate_name>\w+)
      | (?P<extern>extern)\s*(?:"[^"\n]*"\s*)?(?=\{)
      | (?P<macro>(?!(?:e?print(?:ln)?|(?:debug_)?assert\w*|dbg|panic|todo|writeln?)!)\w+(?:::\w+)*!)\s*(?=[({\[])
    )
    """,
    re.VERBOSE,
)
_STATEMENT = re.compile(
    r"""[ \t]*(?:
        (?:let|for|while|loop|if|else|match|return|break|continue|unsafe)\b.*[;{}(\[]
      | [\w:.&*<>'\[\]]+(?:\(|!|\s*[-+*/|&^%]?=).*[;{}(\[]
      | [\])};,]+
    )[ \t]*(?://.*)?""",
    re.VERBOSE,
)
_OPENED = re.compile(r"[(\[{][ \t]*(?://.*)?\n?$")
_TOKEN = re.compile(
    r"""
      (?P<comment>//[^\n]*)
    | (?P<block_comment>/\*)
    | (?P<raw>\b[bc]?r(?P<hashes>\#*)")
    | (?P<string>"(?:[^"\\]|\\.)*+"?)
    | (?P<char>'(?:\\(?:u\{[^}\n]*\}|x..|.)|[^\\'\n])'|'\w+)
    | (?P<bracket>[(){}\[\]])
    | (?P<semicolon>;)
    | (?P<blank_line>\n[ \t]*(?=\n))
    """,
    re.VERBOSE | re.DOTALL,
)
_METHOD = re.compile(r"[^{]*?\bfn\s+\w+[^({]*\(\s*(?:&\s*(?:'\w+\s+)?)?(?:mut\s+)?self\s*[,):]")
_ELISION = re.compile(r"/[/*]\s*(?:\.\.\.|…)|\{\s*(?:\.\.\.|…)\s*\}|\b(?:todo|unimplemented)!\s*\(")
_ENDED_BY_SEMICOLON = ("use", "type", "const", "static", "extern crate")


def items(text: str) -> list[Item]:
    """The pieces of a text, in order."""
    found: list[Item] = []
    start = 0
    while start < len(text):
        at = _after_trivia(text, start)
        if at == len(text):
            found.append(Item("comment", "", text[start:]))
            break
        kind, name, end, complete = _piece(text, at)
        found.append(Item(kind, name, text[start:end], complete, at - start))
        start = end
    return found


def begins_item(text: str) -> bool:
    """Whether the first words are those of an item."""
    return _HEAD.match(text) is not None


def _piece(text: str, at: int) -> tuple[str, str, int, bool]:
    """Kind, name, end and completeness of what stands at `at`."""
    if text.startswith("#![", at):
        end = _balanced(text, at + 2)
        return "attribute", "", end or len(text), end is not None
    head = _HEAD.match(text, at)
    if head is not None:
        group = next(name for name, value in head.groupdict().items() if value and not name.endswith("_name"))
        kind = " ".join(head[group].split())
        name = " ".join((head.groupdict().get(f"{group}_name") or "").split())
        end, complete = _end_of_item(text, head, kind)
        if end is not None:
            return "macro" if group == "macro" else kind, name, end, complete
    line_end = _line_end(text, at)
    if _STATEMENT.fullmatch(text[at:line_end].rstrip("\n")) is None:
        return "prose", "", line_end, True
    # a line that opens a bracket goes on to where that is closed, and so does an `else` behind it
    while (opened := _OPENED.search(text, at, line_end)) and (end := _balanced(text, opened.start())):
        at, line_end = end, _line_end(text, end)
    return "statement", "", line_end, True


def _line_end(text: str, at: int) -> int:
    return text.find("\n", at) + 1 or len(text)


def _end_of_item(text: str, head: re.Match[str], kind: str) -> tuple[int | None, bool]:
    """Where an item ends, and whether it is complete; None where this is no item after all."""
    at = head.start()
    depth = 0
    body = False
    while (token := _next_token(text, at)) is not None:
        what, start, at = token
        if what == "bracket":
            if text[start] in "([{":
                body = body or (text[start] == "{" and depth == 0)
                depth += 1
                continue
            depth -= 1
            if depth < 0:
                return None, False
            if depth == 0 and text[start] == "}" and kind not in _ENDED_BY_SEMICOLON:
                return at, True
        elif depth == 0 and what == "semicolon":
            return at, kind != "fn"
        elif depth == 0 and what == "blank_line":
            return None, False
    return (len(text), False) if body else (None, False)


def _balanced(text: str, at: int) -> int | None:
    """Behind the bracket that closes the one at `at`; None where none does."""
    depth = 0
    while (token := _next_token(text, at)) is not None:
        what, start, at = token
        if what == "bracket":
            depth += 1 if text[start] in "([{" else -1
            if depth <= 0:
                return at
    return None


def _after_trivia(text: str, at: int) -> int:
    """Behind white space, comments and outer attributes."""
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        if text.startswith(("//", "/*"), at):
            token = _next_token(text, at)
            at = token[2] if token else len(text)
        elif text.startswith("#[", at):
            at = _balanced(text, at + 1) or len(text)
        else:
            return at


def _next_token(text: str, at: int) -> tuple[str, int, int] | None:
    """The next thing that bears on structure: what it is, where it starts and ends."""
    match = _TOKEN.search(text, at)
    if match is None:
        return None
    what = match.lastgroup or ""
    if match["raw"] is not None:
        closing = '"' + match["hashes"]
        end = text.find(closing, match.end())
        return "raw", match.start(), len(text) if end < 0 else end + len(closing)
    if what == "block_comment":
        return what, match.start(), _after_block_comment(text, match.end())
    return what, match.start(), match.end()


def _after_block_comment(text: str, at: int) -> int:
    depth = 1
    for match in re.compile(r"/\*|\*/").finditer(text, at):
        depth += 1 if match.group() == "/*" else -1
        if depth == 0:
            return match.end()
    return len(text)
