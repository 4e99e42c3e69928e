"""The first example of the README: the embedded model writes Rust and Python, and it is judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench import forgetest, needs_judging, report_in

pytestmark = [needs_judging, pytest.mark.slow, pytest.mark.timeout(1800)]

CASES = "add,is-even,square,python-max-of-two,python-distance,python-sum-list"
RUN = ("run", "--eval-set", "quickstart", "--case", CASES, "--pass-k", "1,3", "--temperature", "0.8", "--seed", "1")


def test_the_embedded_model_is_asked_and_judged_and_repeats_its_answers(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp", reason="the embedded model needs the extra `embedded`")
    codes = []
    for name in ("first", "second"):
        finished = forgetest(*RUN, "--output", name, cwd=tmp_path, timeout=900)
        assert finished.returncode == 0, finished.stderr
        assert "Pass@3" in finished.stdout
        results = report_in(tmp_path / name)["results"]
        assert len(results) == 18
        assert {each["outcome"] for each in results} == {"judged"}
        codes.append([each["generated_code"] for each in results])

    assert codes[0] == codes[1]
    assert len(set(codes[0])) > 6  # the attempts at a case differ
