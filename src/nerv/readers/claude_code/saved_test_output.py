"""Output of tests that went to a file, and the later command that shows it."""

from __future__ import annotations

import re

from nerv.readers.claude_code.command_words import program_name, simple_commands
from nerv.readers.claude_code.shell import without_heredocs
from nerv.readers.claude_code.test_commands import is_test_run

_SAVES = re.compile(
    r"(?<![<\d=-])&?>>?\s*['\"]?(?P<redirected>[\w./~@+-]*\w)|\btee\s+(?:-a\s+)?(?P<teed>[\w./~@+-]*\w)"
)
_SHOWS = frozenset({"cat", "tail", "head", "less", "more", "sed", "awk", "grep", "egrep", "rg", "bat", "nl"})
_MOST_FILES = 50


class SavedTestOutput:
    """Files that hold the output of a test run."""

    def __init__(self) -> None:
        self._command_of: dict[str, str] = {}

    def remember(self, file: str, command: str) -> None:
        """Remember the file that the output of a command goes to, if that is a test run."""
        if file and is_test_run(command) and len(self._command_of) < _MOST_FILES:
            self._command_of[file] = command

    def shown_by(self, command: str) -> str:
        """Return the test command whose saved output this command shows; or nothing. Remembers what it saves itself."""
        saved = [match["redirected"] or match["teed"] for match in _SAVES.finditer(without_heredocs(command))]
        if is_test_run(command):
            if len(self._command_of) < _MOST_FILES:
                self._command_of.update(dict.fromkeys(saved, command))
            return ""
        for file in saved:
            self._command_of.pop(file, None)  # something else is in it now
        for words, _ in simple_commands(command) if self._command_of else ():
            if program_name(words[0]) in _SHOWS:
                for word in words[1:]:
                    if word in self._command_of:
                        return self._command_of[word]
        return ""
