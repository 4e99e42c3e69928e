"""The run as the detectors look at it: evidence, both sides of the changed files, and the spec's words."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from nerv.evidence import Evidence
from nerv.finding import Finding, FindingLevel
from nerv.findings.changed_files import ChangedFile, changed_files
from nerv.findings.outdated_tests import OutdatedTests, is_named, outdated_tests
from nerv.inspection import Inspection
from nerv.location import Location, Moment
from nerv.matching.superseded_tests import is_superseded, orders_change_of, sentences
from nerv.readers.claude_code.test_commands import is_test_run
from nerv.verification.result import Verification

_MOST_LINES = 10
_LONGEST_LINE = 300
_ASKS_FOR_TEST_CHANGES = re.compile(
    r"\b(?:updat|adjust|chang|rewrit|remov|delet|skip|replac|drop|migrat|convert|disabl|nam|renam|mov|split|ship)"
    r"(?:e|es|ed|ing|s)?(?! to\b)[^\w.;\n]+(?:[\w`'/-]+[^\w.;\n]+){0,6}?"
    r"(?:tests?|specs?|assertions?|expectations?|snapshots?)\b",
    re.I,
)
_CALLS_TESTS_WRONG = re.compile(
    r"\bturn(?:s|ed|ing)?\b[^.;\n]{0,40}\binto\W+(?:\w+\W+){0,2}tests?\b"
    r"|\btests?\b[^.;\n]{0,60}\b(?:is|are|was|were|be(?:comes?|came)?|makes?)\W+(?:\w+\W+){0,2}?"
    r"(?:wrong|outdated|obsolete|incorrect|mistaken|no sense|pointless|superfluous)\b",
    re.I,
)
"""Words by which a spec says of certain tests, without their names, that they must expect something else."""
_FORBIDS = re.compile(
    r"\b(?:not|n't|never|without|avoid|no need|instead of|rather than|nor)\b[^.;\n]{0,40}$|n't\b[^.;\n]{0,40}$", re.I
)
_ASKS_FOR_REMOVAL = re.compile(r"\b(?:remov|delet|drop|deprecat|retir|get rid|no longer)\w*", re.I)
_KEEPS_BEHAVIOUR = re.compile(
    r"\b(?:refactor|renam|clean\W?up|reorgani|restructur|coverage|migrat|(?:add|write|more|missing)\W+(?:\w+\W+){0,3}tests)",
    re.I,
)
_FAILURE = re.compile(r"\bFAIL(?:ED|URE)?\b|\bnot ok\b|[✕✗✖×●]|\bfailed\b|\bERROR\b")  # noqa: RUF001  (jest's own signs)


@dataclass(frozen=True)
class ReviewedRun:
    """Everything that a detector may look at; what several of them need is computed once."""

    evidence: Evidence
    inspection: Inspection
    verification: Verification | None

    @functools.cached_property
    def files(self) -> tuple[ChangedFile, ...]:
        """The changed files, with both sides."""
        return changed_files(self.evidence.changes.diff, self.evidence.changes.repository)

    @functools.cached_property
    def test_files(self) -> tuple[ChangedFile, ...]:
        """The changed files that contain tests, by their paths."""
        return tuple(file for file in self.files if file.is_test)

    @functools.cached_property
    def code_files(self) -> tuple[ChangedFile, ...]:
        """The changed files in a language that is parsed, without the tests."""
        return tuple(file for file in self.files if not file.is_test and file.new_tree is not None)

    @functools.cached_property
    def added_lines(self) -> frozenset[str]:
        """Every line that the run added, stripped; to tell moved lines from removed ones."""
        return frozenset(line.strip() for file in self.files for line, _ in file.added_lines if line.strip())

    @functools.cached_property
    def new_words(self) -> frozenset[str]:
        """The words that the run added to files other than tests."""
        lines = (line for file in self.files if not file.is_test for line, _ in file.added_lines)
        return frozenset(word for line in lines for word in re.findall(r"[A-Za-z]{4,}", line))

    @functools.cached_property
    def roots(self) -> frozenset[str]:
        """The folders that the run worked in, by the absolute paths of its edits; each ends with `/`."""
        found: set[str] = set()
        for edit in self.evidence.activity.edits:
            if edit.path.startswith("/"):
                found.update(edit.path[: -len(file.path)] for file in self.files if edit.path.endswith(f"/{file.path}"))
        return frozenset(found)

    @functools.cached_property
    def spec_text(self) -> str:
        """The whole spec; what the user asked later is part of it."""
        corrections = (message.text for message in self.evidence.activity.actions.corrections)
        return "\n".join([self.evidence.spec.text, *corrections])

    @functools.cached_property
    def spec_asks_for_test_changes(self) -> bool:
        """True if the spec asks to change, remove or skip tests."""
        return any(
            _FORBIDS.search(self.spec_text[max(0, match.start() - 60) : match.start()]) is None
            for match in _ASKS_FOR_TEST_CHANGES.finditer(self.spec_text)
        )

    @functools.cached_property
    def spec_keeps_behaviour(self) -> bool:
        """True if the spec asks for a refactoring or for tests of what exists: new tests may pass on the base."""
        return _KEEPS_BEHAVIOUR.search(self.spec_text) is not None

    def asks_for_change_of(self, test: str) -> bool:
        """Return whether the spec asks to change, remove or skip this test.

        A spec that says so of certain tests by their names asks for changes of these alone.
        """
        if self._named_tests:
            return test in self._named_tests
        return self.spec_asks_for_test_changes

    @functools.cached_property
    def _named_tests(self) -> frozenset[str]:
        """Tests that were there before, of which a sentence of the spec says by name that they are to be changed."""
        names = {test.name for file in self.files for test in file.old_tests}
        return frozenset(name for name in names if orders_change_of(name, self._sentences))

    @functools.cached_property
    def outdated(self) -> OutdatedTests:
        """Tests of the base that cannot pass on what the spec asks for."""
        some = _CALLS_TESTS_WRONG.search(self.spec_text) is not None
        return outdated_tests(
            self.files,
            self.spec_text,
            self.evidence.changes.repository,
            lambda test: some or self.asks_for_change_of(test),
        )

    @functools.cached_property
    def _sentences(self) -> tuple[str, ...]:
        return tuple(sentences(self.spec_text))

    def spec_asks_to_remove(self, names: Iterable[str]) -> bool:
        """Return whether a sentence of the spec asks to remove something with one of these names, given as code."""
        removals = [each for each in self._sentences if _ASKS_FOR_REMOVAL.search(each)]
        code = " ".join(code for each in removals for code in re.findall(r"`([^`\n]+)`", each))
        return any(re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", code) for name in names if len(name) > 1)

    def spec_names(self, name: str) -> bool:
        """Return whether the spec has this name or value as a word of its own."""
        return bool(name) and re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", self.spec_text) is not None

    def spec_pairs(self, one: str, other: str) -> bool:
        """Return whether a paragraph of the spec has both of these values as code."""
        return any(f"`{one}`" in each and f"`{other}`" in each for each in self._paragraphs)

    @functools.cached_property
    def _paragraphs(self) -> tuple[str, ...]:
        return tuple(re.split(r"\n\s*\n|\n(?=\s*(?:[-*\u2022]|\d+[.)])\s)", self.spec_text))

    def failed_before(self, test: str) -> bool:
        """Return whether a test run of the log names this test as failed."""
        return bool(test) and any(
            re.search(rf"(?<!\w){re.escape(test)}(?!\w)", line) is not None
            for line in self._failure_lines
            if test in line
        )

    @functools.cached_property
    def _failure_lines(self) -> tuple[str, ...]:
        outputs = (command.output for command in self.evidence.activity.actions.commands if is_test_run(command.text))
        return tuple(line for output in outputs for line in output.split("\n") if _FAILURE.search(line))

    def outcome_on_result(self, test: str) -> Literal["broken", "passed"] | None:
        """Return what became of a test of the base when it was run on the result; None if it was not run.

        One that the spec supersedes counts as passed, whether or not it was run.
        """
        if test and is_superseded(test, self.evidence.spec):
            return "passed"
        verification = self.verification
        if verification is None or not test:
            return None
        if any(is_named(full, test) for full in verification.broken):
            return "broken"
        for suite in verification.suites:
            if suite.tree == "result" and suite.source == "base":
                for full, outcome in suite.outcomes.items():
                    if outcome == "passed" and is_named(full, test):
                        return "passed"
        return None


def finding(
    kind: str,
    level: FindingLevel,
    text: str,
    *,
    where: Location | Moment | None = None,
    lines: Iterable[str] = (),
    criterion: str = "tests",
) -> Finding:
    """Return a finding with its lines cut to the limits."""
    shown = [line.strip()[:_LONGEST_LINE] for line in lines if line.strip()]
    return Finding(
        kind=kind,
        level=level,
        text=text,
        location=where.location if isinstance(where, Moment) else where,
        lines=tuple(shown[:_MOST_LINES]),
        criterion=criterion,
    )
