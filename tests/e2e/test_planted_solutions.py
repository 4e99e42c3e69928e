"""The built-in sets tell right from wrong: every reference solution scores 1.0, every planted mistake is caught."""

from __future__ import annotations

from pathlib import Path

import pytest

from forgetest import evalset
from workbench import forgetest, needs_judging, report_in, write_samples

PLANTED = Path(__file__).parents[1] / "planted"
SETS = [word for name in sorted(evalset.built_in()) for word in ("--eval-set", name)]

pytestmark = needs_judging


@pytest.mark.parametrize(
    "sets",
    [
        pytest.param(["quickstart"], id="one set"),
        pytest.param(sorted(evalset.built_in()), id="all sets", marks=pytest.mark.slow),
    ],
)
def test_every_reference_solution_of_the_built_in_sets_scores_one(tmp_path: Path, sets: list[str]) -> None:
    """One set in the default lane, all of them in the slow one."""
    words = [word for name in sets for word in ("--eval-set", name)]
    finished = forgetest("validate", *words, "--solve", cwd=tmp_path, timeout=800)

    assert finished.returncode == 0, finished.stdout + finished.stderr
    count = sum(len(each.cases) for name in sets for each in evalset.load(name))
    assert f"{count} of {count} reference solutions score 1.0" in finished.stdout
    assert "no reference_solution" not in finished.stderr


@pytest.mark.parametrize("of_a_set", ["one", pytest.param("all", marks=pytest.mark.slow)])
def test_every_planted_wrong_solution_compiles_and_is_not_correct(tmp_path: Path, of_a_set: str) -> None:
    """One of each set in the default lane, all of them in the slow one."""
    sets = [sorted(folder.glob("*/*.*")) for folder in sorted(PLANTED.iterdir())]
    planted = [path for paths in sets for path in (paths if of_a_set == "all" else paths[-1:])]
    samples = [
        {"eval_set": set_id, "case_id": case_id, "model": f"planted/{path.stem}", "code": path.read_text()}
        for path in planted
        for set_id, case_id in [path.parts[-3:-1]]
    ]
    write_samples(tmp_path / "samples.jsonl", samples)

    finished = forgetest("run", *SETS, "--samples-from", "samples.jsonl", cwd=tmp_path, timeout=800)

    assert finished.returncode == 0, finished.stderr
    results = report_in(tmp_path / "forgetest-results")["results"]
    assert len(results) == len(planted) > 0
    named = {f"{each['eval_set_id']}/{each['case_id']}/{each['model']}": each for each in results}
    assert [name for name, each in named.items() if each["outcome"] != "judged"] == []
    assert [name for name, each in named.items() if not each["compilation"]["success"]] == []
    assert [name for name, each in named.items() if each["correct"]] == []


def test_every_case_of_the_built_in_sets_has_two_planted_wrong_solutions() -> None:
    cases = {(each.id, case.id) for name in evalset.built_in() for each in evalset.load(name) for case in each.cases}
    counts = {key: len(list((PLANTED / key[0] / key[1]).glob("*.*"))) for key in cases}

    assert {key for key, count in counts.items() if count < 2} == set()
    assert {path.parts[-2:] for path in PLANTED.glob("*/*")} <= cases
