"""`forgetest compare`, on reports of real runs."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import workbench
from forgetest.renderers import json as json_renderer
from specimens import a_report, a_sample, a_verdict
from workbench import BROKEN, LINTED, RIGHT, WRONG, forgetest, forgetest_here, needs_judging

pytestmark = needs_judging

SCHEMAS = Path(__file__).resolve().parents[2] / "docs" / "schemas"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three runs: the second is worse at one case and better at another; the third lacks cases."""
    place = tmp_path_factory.mktemp("compare")
    workbench.write_set(place / "set.toml", cases=3)
    for name, codes in {
        "old": [RIGHT, BROKEN, RIGHT],
        "new": [WRONG, RIGHT, LINTED],
        "short": [RIGHT],
    }.items():
        samples = [{"case_id": f"double-{n}", "code": code, "model": "acme/m"} for n, code in enumerate(codes, start=1)]
        workbench.write_samples(place / f"{name}.jsonl", samples)
        words = ("run", "--eval-set", "set.toml", "--samples-from", f"{name}.jsonl", "--output", name, "--quiet")
        assert forgetest(*words, cwd=place).returncode == 0
    return place


def compare(runs: Path, old: str, new: str, *further: str) -> tuple[int, str]:
    words = ("compare", "--baseline", f"{old}/latest", "--current", f"{new}/latest/report.json", *further)
    finished = forgetest_here(*words, cwd=runs)
    assert finished.stderr == ""
    return finished.returncode, finished.stdout


def test_the_text_lists_regressions_and_improvements(runs: Path) -> None:
    code, output = compare(runs, "old", "new")

    assert code == 0
    assert output.startswith("1 regression, 1 improvement, 1 unchanged (threshold: 5 points)\n")
    assert "doubles/double-1" in output
    assert "-25.0 points" in output
    assert "+100.0 points" in output


def test_a_regression_is_exit_code_1_with_fail_on_regression(runs: Path) -> None:
    assert compare(runs, "old", "new", "--fail-on-regression")[0] == 1
    assert compare(runs, "new", "old", "--fail-on-regression")[0] == 1
    assert compare(runs, "old", "old", "--fail-on-regression")[0] == 0


def test_a_report_compared_with_itself_has_not_changed(runs: Path) -> None:
    code, output = compare(runs, "old", "old", "--fail-on-regression", "--fail-on-missing")

    assert code == 0
    assert output.startswith("0 regressions, 0 improvements, 3 unchanged")


def test_a_drop_of_exactly_the_threshold_is_not_a_regression(runs: Path) -> None:
    assert compare(runs, "old", "new", "--threshold", "0.25", "--fail-on-regression")[0] == 0
    assert compare(runs, "old", "new", "--threshold", "0.2499", "--fail-on-regression")[0] == 1


def test_a_drop_of_exactly_five_points_is_not_a_regression(runs: Path, tmp_path: Path) -> None:
    workbench.write_set(tmp_path / "set.toml")
    for name, lints in {"clean": 0, "linted": 5}.items():
        more = "".join(f"pub fn r{n}() -> i64 {{\n    return {n};\n}}\n" for n in range(lints))
        workbench.write_samples(
            tmp_path / f"{name}.jsonl", [{"case_id": "double-1", "code": RIGHT + more, "model": "a/m"}]
        )
        words = ("run", "--eval-set", "set.toml", "--samples-from", f"{name}.jsonl", "--output", name, "--quiet")
        assert forgetest(*words, cwd=tmp_path).returncode == 0
    _, output = compare(tmp_path, "clean", "linted", "--format", "json")
    (change,) = json.loads(output)["unchanged"]
    assert (change["baseline"], change["current"]) == (1.0, 0.95)
    assert compare(tmp_path, "clean", "linted", "--fail-on-regression")[0] == 0


def test_missing_cases_are_listed_and_fail_with_fail_on_missing(runs: Path) -> None:
    code, output = compare(runs, "old", "short", "--fail-on-regression")

    assert code == 0
    assert "Not comparable" in output
    assert "double-2" in output
    assert compare(runs, "old", "short", "--fail-on-missing")[0] == 1
    assert compare(runs, "short", "old", "--fail-on-missing")[0] == 0


def test_an_unjudged_case_is_named_and_fails_with_fail_on_missing(runs: Path, tmp_path: Path) -> None:
    report = json.loads((runs / "old/latest/report.json").read_text())
    unjudged = {"outcome": "unjudged", "score": None, "correct": None, "reason": "the sandbox did not start"}
    report["results"][0] |= unjudged
    (tmp_path / "report.json").write_text(json.dumps(report))
    words = ("compare", "--baseline", "old/latest", "--current", tmp_path)

    finished = forgetest(*words, "--fail-on-regression", cwd=runs)
    assert finished.returncode == 0
    assert "doubles/double-1 acme/m: unjudged in current" in finished.stdout
    assert forgetest(*words, "--fail-on-missing", cwd=runs).returncode == 1


def test_reports_and_comparisons_of_real_runs_are_valid_by_the_published_schemas(runs: Path) -> None:
    _, output = compare(runs, "old", "new", "--format", "json")

    for name, document in (("comparison", output), ("report", (runs / "old/latest/report.json").read_text())):
        schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text())
        jsonschema.validate(json.loads(document), schema, jsonschema.Draft202012Validator)


def test_one_case_of_three_is_not_a_regression_by_significance(runs: Path) -> None:
    code, output = compare(runs, "old", "new", "--gate", "significant", "--fail-on-regression")

    assert code == 0
    assert output.startswith("inconclusive: 1 regression, 1 improvement, 1 unchanged")
    assert "such cases" in output


def test_an_inconclusive_ruling_is_exit_code_1_with_fail_on_inconclusive(runs: Path) -> None:
    assert compare(runs, "old", "new", "--gate", "significant", "--fail-on-inconclusive")[0] == 1
    code, output = compare(runs, "old", "old", "--gate", "significant", "--fail-on-inconclusive")
    assert (code, output.split(":")[0]) == (0, "clean")


def test_fail_on_inconclusive_is_refused_for_a_gate_that_is_never_inconclusive(runs: Path) -> None:
    words = ("compare", "--baseline", "old/latest", "--current", "new/latest", "--fail-on-inconclusive")
    finished = forgetest(*words, cwd=runs)
    assert (finished.returncode, finished.stdout) == (2, "")
    assert "--fail-on-inconclusive: a threshold is never inconclusive; add --gate significant" in finished.stderr


def test_a_drop_that_noise_does_not_explain_is_exit_code_1_by_significance(tmp_path: Path) -> None:
    for name, wrong in {"old": 0, "new": 8}.items():
        samples = [a_sample(f"case-{n:02}", verdict=a_verdict(failed=int(n < wrong))) for n in range(40)]
        with (tmp_path / f"{name}.json").open("w", encoding="utf-8") as stream:
            json_renderer.write(a_report(samples), stream)
    words = ("compare", "--baseline", "old.json", "--current", "new.json", "--gate", "significant")

    output = forgetest(*words, cwd=tmp_path)
    assert output.returncode == 0
    assert output.stdout.startswith("regressed: 8 regressions, 0 improvements, 32 unchanged")
    assert "p = 0.004 for a drop by chance (McNemar's exact test)" in output.stdout
    assert forgetest(*words, "--fail-on-regression", cwd=tmp_path).returncode == 1


def test_models_and_tags_are_summarised(runs: Path) -> None:
    _, output = compare(runs, "old", "new", "--format", "json")

    document = json.loads(output)
    assert [each["model"] for each in document["models"]] == ["acme/m"]
    assert sum(each["cases"] for each in document["tags"]) == 3


def test_reports_without_a_common_case_give_an_empty_result_and_a_warning(tmp_path: Path) -> None:
    for name, case in (("old", "a"), ("new", "b")):
        (tmp_path / name).mkdir()
        with (tmp_path / name / "report.json").open("w", encoding="utf-8") as stream:
            json_renderer.write(a_report([a_sample(case)]), stream)
    finished = forgetest_here("compare", "--baseline", "old", "--current", "new", cwd=tmp_path)
    assert finished.returncode == 0
    assert finished.stdout.startswith("0 regressions, 0 improvements, 0 unchanged, 2 not comparable")
    assert "warning: nothing to compare (1 gone, 1 new)" in finished.stderr


def test_md_is_short_for_markdown(runs: Path) -> None:
    assert compare(runs, "old", "new", "--format", "md") == compare(runs, "old", "new", "--format", "markdown")


def test_json_is_one_document_and_markdown_has_a_table(runs: Path) -> None:
    _, as_json = compare(runs, "old", "new", "--format", "json")
    _, as_markdown = compare(runs, "old", "new", "--format", "markdown")

    document = json.loads(as_json)
    assert [change["case_id"] for change in document["regressions"]] == ["double-1"]
    assert [change["case_id"] for change in document["improvements"]] == ["double-2"]
    assert "| :-- |" in as_markdown
    assert "doubles/double-1" in as_markdown
