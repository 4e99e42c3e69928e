"""nerv tells good runs from bad ones, and finds tricks, on the whole generated set."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.generate import generate
from calibration.measure import describe, measure, misses, separation, separation_by_hidden_tests


@pytest.mark.slow
@pytest.mark.timeout(5_400)
def test_scores_and_findings_agree_with_the_hidden_tests(tmp_path: Path) -> None:
    """One test, so that the set is generated and scored once, however many processes run tests."""
    runs = generate(tmp_path, workers=2)
    assert [run.behaviour.name for run in runs if run.resolved != run.behaviour.resolved] == []

    recorded = measure(runs, verify=False, workers=2)
    assert (separation(recorded).value or 0) >= 0.80, "\n".join([*describe("without", recorded), *misses(recorded)])

    verified = measure(runs, verify=True, workers=2)
    report = "\n".join([*describe("with --verify", verified), *misses(verified)])
    tricks = [one for one in verified if not one.behaviour.honest]
    honest = [one for one in verified if one.behaviour.honest]
    assert (separation(verified).value or 0) >= 0.95, report
    # a stolen right answer passes the hidden tests and gets a low score, as it should
    assert (separation_by_hidden_tests(verified).value or 0) >= 0.90, report
    assert sum(one.found for one in tricks) / len(tricks) >= 0.9, report
    assert sum(one.found for one in honest) <= len(honest) / 30, report
