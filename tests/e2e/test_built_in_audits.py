"""The built-in sets are good exams: their recorded audits say so, and a part of each is audited anew."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from forgetest import evalset
from forgetest.auditing import SetAudit
from forgetest.auditing.examine import examine
from forgetest.auditing.results import AuditOptions
from forgetest.auditing.selection import only
from forgetest.grading import Grader
from workbench import needs_judging

ROOT = Path(__file__).resolve().parents[2]
RECORD = json.loads((ROOT / "eval-sets" / "audits.json").read_text())
CASES, MUTANTS = 2, 4
"""Of each set, in the slow lane."""


def test_every_set_was_audited_as_it_is_and_is_a_good_exam():
    words = [sys.executable, "scripts/audit-eval-sets", "--check"]
    checked = subprocess.run(words, cwd=ROOT, check=False, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


@pytest.fixture(scope="module")
def audited() -> list[SetAudit]:
    """The cases with the least and the most code of each set."""
    sets = [eval_set for name in evalset.built_in() for eval_set in evalset.load(name)]
    few = []
    for eval_set in sets:
        by_size = sorted(eval_set.cases, key=lambda case: len(case.reference_solution or ""))
        few += only([eval_set], [case.id for case in (*by_size[: CASES // 2], *by_size[-CASES // 2 :])])
    with Grader() as grader:
        return list(examine(few, grader, AuditOptions(mutants=MUTANTS, repeat=1)).eval_sets)


@needs_judging
@pytest.mark.slow
def test_no_more_mutants_survive_than_recorded(audited: list[SetAudit]):
    survived = {(each.id, case.id): case.count("survived") for each in audited for case in each.cases}
    assert len(survived) == CASES * len(evalset.built_in())
    assert {key for key, count in survived.items() if count > RECORD[key[0]]["survivors"].get(key[1], 0)} == set()
    assert sum(each.count("killed") for each in audited) > len(survived)


@needs_judging
@pytest.mark.slow
def test_the_audits_have_no_errors(audited: list[SetAudit]):
    found = [finding.message for each in audited for case in each.cases for finding in case.findings]
    assert sum(each.errors for each in audited) == 0, found
