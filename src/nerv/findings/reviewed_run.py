"""The run as the detectors look at it: evidence, both sides of the changed files, and the spec's words."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from nerv.evidence import Evidence
from nerv.finding import Finding, FindingLevel
from nerv.findings.changed_files import ChangedFile, changed_files
from nerv.findings.outdated.ordered_changes import OrderedChanges
from nerv.findings.outdated.outdated_tests import OutdatedTests, outdated_tests
from nerv.inspection import Inspection
from nerv.location import Location, Moment
from nerv.matching.test_orders import SAME_BEHAVIOUR
from nerv.readers.claude_code.test_commands import is_test_run
from nerv.verification.result import Verification
from nerv.verification.test_names import is_named

_MOST_LINES = 10
_LONGEST_LINE = 300
_KEEPS_BEHAVIOUR = re.compile(
    r"\b(?:refactor|renam|clean\W?up|reorgani|restructur|coverage|migrat|(?:more|missing)\W+(?:\w+\W+){0,3}tests"
    rf"|results?\W+(?:\w+\W+){{0,5}}(?:stay|remain|be|are)\W+(?:exactly )?(?:the same|identical|unchanged)"
    rf"|{SAME_BEHAVIOUR})",
    re.I,
)
_WRITE_TESTS = re.compile(r"\b(?:add|write)\W+(?:\w+\W+){0,3}tests\b", re.I)
_FEW_ITEMS = 2
"""A spec with more items asks for tests beside the rest."""
_EXAMPLES = re.compile(
    r"\b(?:examples?|for instance|e\.g\.|check values|test vectors|sample (?:values|results))"
    r"|\|\s*(?:results?|expected|outputs?|returns|gives)\s*\|",
    re.I,
)
"""Words, or a column of a table, by which a paragraph gives examples of something to be worked out."""
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
    def given_lines(self) -> frozenset[str]:
        """The lines that the run was given, stripped: those of the spec, and of the repository's files as they were."""
        changed = {file.path for file in self.files}
        repository = self.evidence.changes.repository
        texts = [self.spec_text, *(file.old.text for file in self.files if file.old is not None)]
        texts += [each.text for each in repository.files if each.path not in changed] if repository is not None else []
        return frozenset(line.strip() for text in texts for line in text.split("\n"))

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
        return self._ordered_changes.at_all

    @functools.cached_property
    def spec_keeps_behaviour(self) -> bool:
        """True if the spec asks for a refactoring or for tests of what exists: new tests may pass on the base."""
        spec = self.evidence.spec
        of_what_exists = spec.title if len(spec.items) > _FEW_ITEMS else self.spec_text
        return _KEEPS_BEHAVIOUR.search(self.spec_text) is not None or _WRITE_TESTS.search(of_what_exists) is not None

    def asks_for_change_of(self, test: str) -> bool:
        """Return whether the spec asks to change, remove or skip this test."""
        return self._ordered_changes.include(test)

    def may_change(self, test: str) -> bool:
        """Return whether the spec asks to change a test, or may ask for it, or the result passes it as it was."""
        asked = self.asks_for_change_of(test) or self.is_disputed(test)
        return asked or self.outcome_on_result(test) == "passed"

    def is_disputed(self, test: str) -> bool:
        """Return whether only a reader of the spec can tell if a test of the base had to change."""
        if self.outcome_on_result(test) is not None:
            return False
        found = () if self.verification is None else self.verification.disputed
        return any(is_named(full, test) for full in found) or self.outdated.disputes(test)

    def only_fails_to_build(self, test: str) -> bool:
        """Return whether a test is disputed for nothing but that it no longer builds beside the result's code."""
        if self.verification is None or self.asks_for_change_of(test) or self.outdated.disputes(test):
            return False
        in_doubt = set(self.verification.unbuilt) & set(self.verification.disputed)
        return any(is_named(full, test) for full in in_doubt)

    @functools.cached_property
    def _ordered_changes(self) -> OrderedChanges:
        return OrderedChanges.of(self.spec_text, self.files)

    @functools.cached_property
    def outdated(self) -> OutdatedTests:
        """Tests of the base that cannot pass on what the spec asks for."""
        return outdated_tests(self.files, self.evidence.spec, self._ordered_changes, self.evidence.changes.repository)

    def spec_names(self, name: str) -> bool:
        """Return whether the spec has this name or value as a word of its own."""
        return bool(name) and re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", self.spec_text) is not None

    def spec_pairs(self, one: str, other: str) -> bool:
        """Return whether a paragraph of the spec has both of these values as code."""
        return any(f"`{one}`" in each and f"`{other}`" in each for each in self._paragraphs)

    def spec_has_together(self, values: Sequence[str]) -> bool:
        """Return whether a paragraph of the spec has all of these values, each as a word of its own."""
        return stand_together(values, self._paragraphs)

    @functools.cached_property
    def example_paragraphs(self) -> tuple[str, ...]:
        """The paragraphs of the spec that give examples of something to be worked out."""
        return tuple(each for each in re.split(r"\n\s*\n", self.spec_text) if _EXAMPLES.search(each))

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

    @functools.cached_property
    def old_tests_still_run(self) -> bool:
        """True if our own runs show that the base's tests still run in the result, and pass there."""
        verification = self.verification
        if verification is None or verification.known_tests_fail or verification.removed:
            return False
        base = {name for each in verification.suites if each.tree == each.source == "base" for name in each.passed}
        passed = {name for each in verification.suites if each.tree == "result" for name in each.passed}
        return bool(base) and base <= passed.union(verification.disputed)

    def outcome_on_result(self, test: str) -> Literal["broken", "passed"] | None:
        """Return what became of a test of the base when it was run on the result; None if it was not run.

        One that the spec outdates counts as passed, whether or not it was run.
        """
        if self.outdated.includes(test):
            return "passed"
        verification = self.verification
        if verification is None or not test or self.outdated.cannot_tell(test):
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


def stand_together(values: Sequence[str], texts: Iterable[str]) -> bool:
    """Return whether one of these texts has all of some values, each as a word of its own."""
    words = [re.compile(rf"(?<![\w.]){re.escape(value)}(?!\w)") for value in values if value]
    return any(all(word.search(text) for word in words) for text in texts)
