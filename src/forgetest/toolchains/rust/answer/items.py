"""A light look at Rust: the items that a text defines at its top level, and what stands between them.

No parser: strings, comments and brackets are told apart, names are read off the first words of an item. That is
enough to say which parts of an answer define the same thing; what compiles is for the compiler to say.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from forgetest.toolchains.rust.source.lexer import next_landmark


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
    """Offset in `text` at which it begins, after comments and attributes."""

    @property
    def stray(self) -> bool:
        """The compiler rejects it at the top level: a statement, prose, or a method without its `impl`."""
        method = self.kind == "fn" and _METHOD.match(self.text, self.begins) is not None
        return method or self.kind in ("statement", "prose")

    @property
    def outline(self) -> bool:
        """It is only an outline, with an elision such as `// ...`."""
        return _ELISION.search(self.text) is not None

    @property
    def defines(self) -> tuple[str, str] | None:
        """The key that cannot be defined twice: a name in its namespace, or the target of an `impl`."""
        if self.kind == "impl":
            return self.kind, self.name
        space = _NAME_SPACES.get(self.kind)
        return (space, self.name) if space and self.name != "_" else None

    @property
    def imports(self) -> set[str]:
        """Names imported by a `use`."""
        if self.kind != "use":
            return set()
        return set(re.findall(r"(\w+)\s*(?=[,};])", self.text)) - {"self", "_"}

    @property
    def functions(self) -> set[str]:
        """Names of the functions in an `impl`."""
        return set(re.findall(r"\bfn\s+(\w+)", self.text))


_NAME_SPACES = {
    **dict.fromkeys(("struct", "enum", "union", "trait", "type", "mod"), "type"),
    **dict.fromkeys(("fn", "const", "static"), "value"),
    "macro_rules!": "macro",
}
# no possessive quantifier: Python 3.11.2, which Debian 12 has, gets them wrong; a lookahead does not backtrack either
_HEAD = re.compile(
    r"""
    (?:pub(?:\s*\([^()\n]*\))?\s+)?
    (?:(?:default|const|async|unsafe|safe|auto|extern(?:\s*"[^"\n]*")?)\s+){0,6}
    (?:
        (?P<fn>fn)\s+(?P<fn_name>\w+)\s*[<(]
      | (?P<type>struct|enum|union|trait)\s+(?P<type_name>\w+)\s*(?=[<{(;:]|where\b)
      | (?P<mod>mod)\s+(?P<mod_name>\w+)\s*(?=[{;])
      | (?P<impl>impl)\b(?P<impl_name>(?:[^;{}\n]|\n(?![ \t]*\n)){0,2000})(?=\{)
      | (?P<macro_rules>macro_rules!)\s*(?P<macro_rules_name>\w+)
      | (?P<alias>type)\s+(?P<alias_name>\w+)[^=;{}\n]*=
      | (?P<value>const|static)\s+(?:mut\s+)?(?P<value_name>\w+)\s*:
      | (?P<use>use)\s+(?=(?P<use_tree>(?:\w|::|[{},*]|(?<=[{},])\s+|\s+(?=[{},])|\s+as\s+)+))(?P=use_tree)(?=\s*;)
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
_METHOD = re.compile(r"[^{]*?\bfn\s+\w+[^({]*\(\s*(?:&\s*(?:'\w+\s+)?)?(?:mut\s+)?self\s*[,):]")
_ELISION = re.compile(r"/[/*]\s*(?:\.\.\.|…)|\{\s*(?:\.\.\.|…)\s*\}|\b(?:todo|unimplemented)!\s*\(")
_FAR = 2000
"""How many characters on a signature must have its body. Prose may begin like an item, and then never has one."""
_ENDED_BY_SEMICOLON = ("use", "type", "const", "static", "extern crate")


def items(text: str) -> list[Item]:
    """Return the pieces of a text, in order."""
    found: list[Item] = []
    start = 0
    patience = 100  # text that begins like code over and over, and never is, must not cost time without end
    while start < len(text):
        at = _after_trivia(text, start)
        if at == len(text):
            found.append(Item("comment", "", text[start:]))
            break
        head = _HEAD.match(text, at) if patience > 0 else None
        end, piece = (
            (head and _item(text, head)) or _inner_attribute(text, at) or _statement_line(text, at, patience > 0)
        )
        if piece.stray and (head is not None or not piece.complete):
            patience -= 1
        found.append(piece._replace(text=text[start:end], begins=at - start))
        start = end
    return found


def begins_item(text: str) -> bool:
    """Return True if a line begins like an item."""
    return _HEAD.match(text) is not None


def _item(text: str, head: re.Match[str]) -> tuple[int, Item] | None:
    """The item with this head, and where it ends; None where it is none after all."""
    words = {group: value for group, value in head.groupdict().items() if value is not None}
    group = next(group for group in words if not group.endswith("_name"))
    kind = "macro" if group == "macro" else " ".join(words[group].split())
    name = " ".join(words.get(f"{group}_name", "").split())
    end, complete = _end_of_item(text, head.start(), kind)
    return None if end is None else (end, Item(kind, name, text[head.start() : end], complete))


def _inner_attribute(text: str, at: int) -> tuple[int, Item] | None:
    if not text.startswith("#![", at):
        return None
    end = _balanced(text, at + 2, len(text))
    return end or len(text), Item("attribute", "", "", end is not None)


def _statement_line(text: str, at: int, patient: bool) -> tuple[int, Item]:
    """A line that begins no item; a statement goes on to where the brackets that it opens are closed."""
    line_end = _line_end(text, at)
    if _STATEMENT.fullmatch(text[at:line_end].rstrip("\n")) is None:
        return line_end, Item("prose", "", "")
    complete = True
    while complete and patient and (opened := _OPENED.search(text, at, line_end)):
        end = _balanced(text, opened.start(), at + _FAR)
        complete = end is not None
        at, line_end = (end, _line_end(text, end)) if end is not None else (at, line_end)
    return line_end, Item("statement", "", "", complete)


def _line_end(text: str, at: int) -> int:
    return text.find("\n", at) + 1 or len(text)


def _end_of_item(text: str, at: int, kind: str) -> tuple[int | None, bool]:
    """Where an item ends, and whether it is complete; None where this is no item after all."""
    limit = at + _FAR
    depth = 0
    while (landmark := next_landmark(text, at, limit)) is not None:
        start, at = landmark.start, landmark.end
        if landmark.kind == "bracket":
            if text[start] in "([{":
                if depth == 0 and (text[start] == "{" or kind in _ENDED_BY_SEMICOLON):
                    limit = len(text)  # this is an item: a body may be as long as it likes
                depth += 1
                continue
            depth -= 1
            if depth < 0:
                return None, False
            if depth == 0 and text[start] == "}" and kind not in _ENDED_BY_SEMICOLON:
                return at, True
        elif depth == 0 and landmark.kind == "semicolon":
            return at, kind != "fn"
        elif depth == 0 and landmark.kind == "blank_line":
            return None, False
    return (len(text), False) if depth and limit == len(text) else (None, False)


def _balanced(text: str, at: int, limit: int) -> int | None:
    """Behind the bracket that closes the one at `at`; None where none does."""
    depth = 0
    while (landmark := next_landmark(text, at, limit)) is not None:
        start, at = landmark.start, landmark.end
        if landmark.kind == "bracket":
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
            comment = next_landmark(text, at, len(text))
            at = comment.end if comment else len(text)
        elif text.startswith("#[", at):
            at = _balanced(text, at + 1, len(text)) or len(text)
        else:
            return at
