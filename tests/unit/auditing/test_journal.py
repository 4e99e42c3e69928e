"""What a second audit does not judge again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from audit_fakes import REFERENCE, FakeGrader, a_case, a_set, a_verdict
from forgetest.auditing import Audit, AuditOptions
from forgetest.auditing.examine import examine
from forgetest.auditing.journal import Journal
from forgetest.verdict import TestOutcome, Verdict


class CountingGrader(FakeGrader):
    """Mutants run out of time."""

    def __init__(self) -> None:
        super().__init__(self._verdict)
        self.asked: list[str] = []

    def _verdict(self, code: str) -> Verdict:
        self.asked.append(code)
        late = TestOutcome(name="test_below", status="failed", timed_out="cpu")
        return a_verdict() if code == REFERENCE else a_verdict(tests=(late,))


def audited(file: Path, repeat: int = 2) -> tuple[Audit, list[str]]:
    grader: Any = CountingGrader()
    audit = examine([a_set(a_case())], grader, AuditOptions(repeat=repeat), journal=Journal(file))
    return audit, grader.asked


class KilledGrader(CountingGrader):
    """Is killed when the fourth sample is to be judged."""

    def _verdict(self, code: str) -> Verdict:
        if len(self.asked) == 3:
            raise KeyboardInterrupt
        return super()._verdict(code)


def test_a_killed_audit_keeps_the_samples_that_ran_out_of_time_before(tmp_path: Path):
    killed: Any = KilledGrader()
    with pytest.raises(KeyboardInterrupt):
        examine([a_set(a_case())], killed, AuditOptions(repeat=1), journal=Journal(tmp_path / "journal.jsonl"))
    _, asked = audited(tmp_path / "journal.jsonl", repeat=1)
    late = killed.asked[1:]
    assert len(late) == 2
    assert not set(late) & set(asked)


def test_samples_that_ran_out_of_time_and_repeated_verdicts_are_not_judged_again(tmp_path: Path):
    first, asked = audited(tmp_path / "journal.jsonl")
    second, asked_again = audited(tmp_path / "journal.jsonl")
    assert asked.count(REFERENCE) == 2
    assert asked_again == [REFERENCE]
    assert second.eval_sets == first.eval_sets


def test_another_number_of_repeats_is_judged(tmp_path: Path):
    audited(tmp_path / "journal.jsonl")
    assert audited(tmp_path / "journal.jsonl", repeat=3)[1].count(REFERENCE) == 2


def test_a_torn_or_foreign_line_is_judged_again(tmp_path: Path):
    file = tmp_path / "journal.jsonl"
    first, _ = audited(file)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"[1]\n" + b"".join(lines[:-1]) + lines[-1][:40])
    second, asked = audited(file)
    assert len(asked) == 2
    assert second.eval_sets == first.eval_sets
