"""Shell commands as their simple commands, each with how it is joined to the one before."""

from __future__ import annotations

import functools
import re
import shlex
from dataclasses import dataclass

_HEREDOC = re.compile(r"<<-?\s*(?P<quote>['\"\\]?)(?P<mark>\w+)['\"]?")
_WRAPPERS = frozenset(
    {"sudo", "time", "env", "nice", "exec", "command", "builtin", "then", "do", "else", "!", "{", "("}
)
_SHELL_SCRIPT = re.compile(
    r"\s*(?:\S*/)?(?:ba|da|z|k)?sh\s+(?:-\w+\s+)*-\w*c\s+(?P<quote>['\"])(?P<script>.*)(?P=quote)\s*", re.S
)
_LONGEST = 8_000
_SPECIAL = re.compile(r"[\\'\"`$)<&|;\n]")
_IN_QUOTES = re.compile(r"[\\'\"`]")
"""Letters that mean something to the shell outside and inside of quotes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One simple command of a shell command."""

    joined: str
    """How it follows the one before: `&&`, `||`, `|`, `;`, or empty for the first."""
    text: str
    """As written, without its heredoc."""
    heredoc: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """Its words without quotes; assignments and wrappers such as `sudo` before the command are left out."""
        return _words(self.text)

    @property
    def name(self) -> str:
        """The program that it starts, without its folder."""
        words = self.words
        return words[0].rpartition("/")[2] if words else ""


@functools.lru_cache(maxsize=4_096)
def _words(text: str) -> tuple[str, ...]:
    try:
        words = shlex.split(text, comments=False, posix=True)
    except ValueError:
        words = text.split()
    while words and (words[0] in _WRAPPERS or re.match(r"\w+=", words[0])):
        words.pop(0)
    return tuple(words)


@functools.lru_cache(maxsize=2_048)  # as many as a log's commands: each is looked at by several detectors
def segments(command: str) -> tuple[Segment, ...]:
    """Return the simple commands in order; the script of `sh -c` counts as commands of its own."""
    found: list[Segment] = []
    for joined, text, heredoc in _split(command[:_LONGEST]):
        script = _SHELL_SCRIPT.fullmatch(text)
        if script is None:
            found.append(Segment(joined=joined, text=text.strip(), heredoc=heredoc))
            continue
        for index, (inner, part, document) in enumerate(_split(script["script"])):
            found.append(Segment(joined=inner if index else joined, text=part.strip(), heredoc=document or heredoc))
    return tuple(each for each in found if each.text)


def _split(command: str) -> list[tuple[str, str, str]]:
    """Split at the operators outside quotes, with the heredoc that each part has."""
    parts: list[tuple[str, str, str]] = []
    joined, start, index = "", 0, 0
    quote, depth = "", 0
    heredoc = ""
    mark = ""
    while special := (_IN_QUOTES if quote else _SPECIAL).search(command, index):
        index = special.start()
        letter = command[index]
        if letter == "\\" and quote != "'":
            index += 2
            continue
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"`":
            quote = letter
        elif command.startswith("$(", index):
            depth += 1
            index += 1
        elif letter == ")" and depth:
            depth -= 1
        elif not depth and (match := _HEREDOC.match(command, index)) and command[index : index + 3] != "<<<":
            mark = match["mark"]
            index = match.end()
            continue
        elif letter == "\n" and mark:
            end = re.compile(rf"^\s*{re.escape(mark)}\s*$", re.M).search(command, index)
            stop = end.start() if end else len(command)
            heredoc, mark = command[index + 1 : stop], ""
            parts.append((joined, command[start:index], heredoc))
            joined, start, heredoc = ";", end.end() if end else len(command), ""
            index = start
            continue
        elif not depth and letter in "&|;\n":
            if letter == "&" and (command[index - 1 : index] == ">" or command[index + 1 : index + 2] == ">"):
                index += 1
                continue
            double = letter in "&|" and command[index + 1 : index + 2] == letter
            parts.append((joined, command[start:index], heredoc))
            joined = letter * 2 if double else ";" if letter in "&;\n" else letter
            index += 2 if double else 1
            start = index
            continue
        index += 1
    parts.append((joined, command[start:], heredoc))
    return [part for part in parts if part[1].strip()]
