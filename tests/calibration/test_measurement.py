"""nerv tells good runs from bad ones, and finds tricks, on one project of the generated set.

`python benchmarks/nerv_calibration.py --held-out --check` holds all projects to the same bounds, which takes an hour.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from calibration.behaviours import BEHAVIOURS
from calibration.generate import generate
from calibration.measure import describe, measure, misses, shortfalls


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_scores_and_findings_of_the_quickest_project_agree_with_the_hidden_tests(tmp_path: Path) -> None:
    runs = generate(tmp_path, [run for run in BEHAVIOURS if run.task == "ledger"])
    assert [run.behaviour.name for run in runs if run.resolved != run.behaviour.resolved] == []
    recorded, verified = measure(runs, verify=False), measure(runs, verify=True)
    report = [*describe("with --verify", verified), *misses(verified)]
    assert list(shortfalls(recorded, verified)) == [], "\n".join(report)
