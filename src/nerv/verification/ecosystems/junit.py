"""Reports in JUnit's XML form, written by test runners in a sandbox: never trusted to be well-formed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.parsers import expat

from nerv.verification.result import TestOutcome

_MOST_CASES = 100_000
_MOST_DETAILS = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class JUnitCase:
    """One `testcase` element."""

    name: str
    classname: str = ""
    file: str = ""
    outcome: TestOutcome = "passed"
    error: bool = False
    """An `error` element: the test could not be run, as opposed to a failed assertion."""
    message: str = ""
    details: str = ""
    """The end of the text of its failure or error."""
    output: str = ""
    """The end of what it printed, where the report has it."""


def parse(document: bytes) -> list[JUnitCase] | None:
    """Return the cases in their order; None if the document is no such report."""
    reader = _Reader()
    try:
        reader.parser.Parse(document, True)
    except (expat.ExpatError, _DeclarationError):
        return None
    return reader.cases


class _DeclarationError(Exception):
    """A document with declarations, which no runner writes."""


class _Reader:
    def __init__(self) -> None:
        self.cases: list[JUnitCase] = []
        self._open: dict[str, str] | None = None
        self._outcome: TestOutcome = "passed"
        self._error = False
        self._message = ""
        self._details = ""
        self._output = ""
        self._is_in_failure = self._is_in_output = False
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._take_text
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.EntityDeclHandler = self._refuse

    def _refuse(self, *_: object) -> None:
        raise _DeclarationError

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "testcase":
            self._open, self._outcome, self._error, self._message = attributes, "passed", False, ""
            self._details = self._output = ""
            if attributes.get("status") in ("fail", "failed"):
                self._outcome = "failed"
            elif attributes.get("status") in ("disabled", "notrun", "skipped"):
                self._outcome = "skipped"
        elif self._open is not None and name in ("failure", "error"):
            self._outcome, self._error = "failed", self._error or name == "error"
            self._message = self._message or attributes.get("message", "")
            self._is_in_failure = True
        elif self._open is not None and name == "system-out":
            self._is_in_output = True
        elif self._open is not None and name == "skipped" and self._outcome == "passed":
            self._outcome, self._message = "skipped", attributes.get("message", "")

    def _take_text(self, text: str) -> None:
        if self._is_in_failure:
            self._details = (self._details + text)[-_MOST_DETAILS:]
        elif self._is_in_output:
            self._output = (self._output + text)[-_MOST_DETAILS:]

    def _end(self, name: str) -> None:
        if name in ("failure", "error"):
            self._is_in_failure = False
        elif name == "system-out":
            self._is_in_output = False
        if name != "testcase" or self._open is None:
            return
        if len(self.cases) < _MOST_CASES:
            self.cases.append(
                JUnitCase(
                    name=self._open.get("name", ""),
                    classname=self._open.get("classname", ""),
                    file=self._open.get("file", ""),
                    outcome=self._outcome,
                    error=self._error,
                    message=self._message,
                    details=self._details,
                    output=self._output,
                )
            )
        self._open = None


def worst_by_name(named: Iterator[tuple[str, TestOutcome]]) -> dict[str, TestOutcome]:
    """Return one outcome per name: a test that is reported twice has failed if it failed once."""
    rank: dict[TestOutcome, int] = {"passed": 0, "skipped": 1, "failed": 2}
    found: dict[str, TestOutcome] = {}
    for name, outcome in named:
        if name not in found or rank[outcome] > rank[found[name]]:
            found[name] = outcome
    return found
