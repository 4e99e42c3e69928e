"""Language: what the rest of forgetest needs to know about a programming language.

A toolchain brings it as `LANGUAGE`; nothing outside of a toolchain's own folder knows a language otherwise.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from forgetest import plugins
from forgetest.errors import UserError
from forgetest.files.schema import NON_EMPTY_TEXT, Key, Text

MOST_TOGETHER = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerParts:
    """The parts of a model's answer in which code may be found, without the model's reasoning."""

    tagged: Sequence[str]
    """Code in fenced blocks tagged with the language."""
    untagged: Sequence[str]
    """Code in fenced blocks without a tag."""
    foreign: Sequence[str]
    """Code in fenced blocks with another tag."""
    outside: str
    """The text outside of blocks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseKey:
    """A key that cases of one language have, such as Rust's `edition`."""

    key: Key
    default: object


IoForm = Literal["program", "call"]
"""A form of samples that are tested by input and output: whole programs, or functions that are called."""


def _never(_line: str) -> bool:
    return False


def _no_url(_code: str) -> str | None:
    return None


def _no_folders(_variables: Mapping[str, str]) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A programming language. Only the name is required."""

    name: str
    """As eval sets write it, and the name of the toolchain's entry point."""
    title: str = ""
    """As prompts and reports write it; the capitalised name by default."""
    fence_tags: frozenset[str] = frozenset()
    """Tags of fenced code blocks, in lower case; the name is always one of them."""
    extension: str = "txt"
    """Extension of source files, without the dot."""
    case_keys: tuple[CaseKey, ...] = ()
    """Keys that its cases may have beyond those of every case."""
    dependency_name: Text = NON_EMPTY_TEXT
    """Names that its packages may have."""
    dependency_feature: Text = NON_EMPTY_TEXT
    """Names that the features of its packages may have."""
    dependency_text: Text | None = None
    """How a package may be written as one text, with its extras and versions; None where only tables are allowed."""
    ready: str = "compile"
    """Completes the system prompt: "complete code, ready to compile as it stands"."""
    host_variables: str = ""
    """Regular expression for further environment variables that its tools on the host may see."""
    host_folders: Callable[[Mapping[str, str]], Sequence[str]] = _no_folders
    """Return folders, beyond those of PATH, in which its tools may be installed."""
    lint_url: Callable[[str], str | None] = _no_url
    """Return the page that explains a lint, or None."""
    begins_code: Callable[[str], bool] = _never
    """Return whether a line is code: models put the first line of code on the line of the fence."""
    io_forms: frozenset[IoForm] = frozenset()
    """Forms in which its cases may have `[cases.io]`; the toolchain then has the functions of `Programs`."""
    most_together: int = MOST_TOGETHER
    """How many samples a toolchain with `together` is given at once, at most. More take less time each, but they are
    held back for longer, and are more to repeat after a failure."""
    samples_per_audit: int = 256
    """Of how many samples that are judged together one failure is judged again alone, as a check on the toolchain."""
    assemble: Callable[[AnswerParts], str | None] | None = None
    """Return the program that the parts of an answer mean, or None. By default, the longest block."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", self.title or self.name.capitalize())
        object.__setattr__(self, "fence_tags", self.fence_tags | {self.name})

    def option(self, options: Mapping[str, Any], name: str) -> Any:
        """Return a case's value of one of the language's own keys: that of `Case.options`, else the default."""
        return options.get(name, next(each.default for each in self.case_keys if each.key.name == name))

    def options(self, table: Mapping[str, Any]) -> dict[str, Any]:
        """Return, of a case's table, the language's own keys that differ from their defaults."""
        given = {
            each.key.name: (table[each.key.name], each.default) for each in self.case_keys if each.key.name in table
        }
        return {name: value for name, (value, default) in given.items() if value != default}


_WITHOUT_TOOLCHAIN = {
    each.name: each
    for each in (
        Language(name="c", title="C", extension="c"),
        Language(name="cpp", title="C++", fence_tags=frozenset({"c++", "cc", "cxx"}), extension="cpp"),
        Language(name="go", fence_tags=frozenset({"golang"}), extension="go"),
        Language(name="java", extension="java"),
        Language(name="javascript", title="JavaScript", fence_tags=frozenset({"js", "node"}), extension="js"),
        Language(name="typescript", title="TypeScript", fence_tags=frozenset({"ts"}), extension="ts"),
    )
}
"""For reports about languages whose toolchain is not installed here, and for toolchains without a LANGUAGE."""


def find(name: str) -> Language:
    """Return the language of that name, as its toolchain describes it; a generic one where there is none."""
    return _find(name, tuple(sys.path))


@functools.cache
def _find(name: str, _path: tuple[str, ...]) -> Language:
    """Find a language. Cached for each search path: some callers ask for every sample."""
    found = None
    if name in plugins.names("toolchains"):
        found = getattr(plugins.find("toolchains", name), "LANGUAGE", None)
    return found or _WITHOUT_TOOLCHAIN.get(name) or Language(name=name)


def most_together(names: Iterable[str]) -> int:
    """Return how many samples of these languages are judged together, at most."""
    return min((find(name).most_together for name in names), default=MOST_TOGETHER)


def installed() -> list[Language]:
    """Return the languages of all installed toolchains, except those that cannot be loaded."""
    languages = []
    for name in plugins.names("toolchains"):
        try:
            languages.append(find(name))
        except UserError:  # reported when the language is used
            continue
    return languages
