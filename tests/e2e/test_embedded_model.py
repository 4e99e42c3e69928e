"""The first example of the README: the embedded model writes Rust and Python, and it is judged."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from workbench import forgetest, needs_judging, report_in

pytestmark = [needs_judging, pytest.mark.slow, pytest.mark.timeout(1800)]

CASES = ("add", "square", "python-max-of-two", "python-sum-list")
REPEATED = ("square", "python-max-of-two")
"""One of each language: asked again after other requests than in the first run, so nothing may depend on those."""
RUN = ("run", "--eval-set", "quickstart", "--pass-k", "1,3", "--temperature", "0.8", "--seed", "1")


def test_the_embedded_model_is_asked_and_judged_and_repeats_its_answers(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp", reason="the embedded model needs the extra `embedded`")
    first = codes_of_a_run(CASES, tmp_path / "first")
    second = codes_of_a_run(REPEATED, tmp_path / "second")

    assert second == {case: first[case] for case in REPEATED}
    assert len({code for codes in first.values() for code in codes}) > 4  # the attempts at a case differ


def codes_of_a_run(cases: Sequence[str], output: Path) -> dict[str, list[str]]:
    """Run three attempts at each case, and return their codes by case."""
    finished = forgetest(*RUN, "--case", ",".join(cases), "--output", output, cwd=output.parent, timeout=900)
    assert finished.returncode == 0, finished.stderr
    assert "Pass@3" in finished.stdout
    results = report_in(output)["results"]
    assert len(results) == 3 * len(cases)
    assert {each["outcome"] for each in results} == {"judged"}
    return {case: [each["generated_code"] for each in results if each["case_id"] == case] for case in cases}
