"""The samples behind a comparison's changes."""

from __future__ import annotations

import json
from pathlib import Path

from forgetest.comparison import compare
from forgetest.comparison.changed_samples import MOST_ATTEMPTS, Sides, read_changed
from forgetest.comparison.recorded import read_report
from forgetest.renderers import json as json_report
from forgetest.sample import Sample
from specimens import a_report, a_sample, a_verdict

BROKEN = a_verdict(compiled=False)


def written(path: Path, *samples: Sample) -> Path:
    with path.open("w", encoding="utf-8") as stream:
        json_report.write(a_report(samples), stream)
    return path


def changed(baseline: Path, current: Path) -> dict[str, Sides]:
    comparison = compare(read_report(baseline), read_report(current), 0.05)
    return {change.case_id: sides for change, sides in read_changed(comparison, baseline, current)}


def test_both_samples_of_what_changed_are_there_and_nothing_else(tmp_path: Path):
    baseline = written(tmp_path / "a.json", a_sample("a", code="old"), a_sample("b", verdict=BROKEN), a_sample("c"))
    current = written(tmp_path / "b.json", a_sample("a", code="new", verdict=BROKEN), a_sample("b"), a_sample("c"))
    found = changed(baseline, current)
    assert list(found) == ["a", "b"]
    assert [each["generated_code"] for each in found["a"].baseline] == ["old"]
    assert [each["generated_code"] for each in found["a"].current] == ["new"]
    assert found["a"].language == "rust"


def test_two_models_that_are_compared_each_have_their_own(tmp_path: Path):
    baseline = written(tmp_path / "a.json", a_sample("a", model="acme/old"))
    current = written(tmp_path / "b.json", a_sample("a", model="acme/new", verdict=BROKEN))
    [sides] = changed(baseline, current).values()
    assert (sides.baseline[0]["model"], sides.current[0]["model"]) == ("old", "new")


def test_of_very_many_attempts_a_few_are_kept(tmp_path: Path):
    baseline = written(tmp_path / "a.json", *(a_sample("a", number) for number in range(1, 20)))
    current = written(tmp_path / "b.json", *(a_sample("a", number, verdict=BROKEN) for number in range(1, 20)))
    [sides] = changed(baseline, current).values()
    assert len(sides.baseline) == len(sides.current) == MOST_ATTEMPTS


def test_a_report_of_the_rust_tool_can_be_a_side(tmp_path: Path):
    old = {
        "id": "r",
        "created_at": "2025-01-01T00:00:00Z",
        "eval_set": {"id": "basics"},
        "results": [
            {
                "case_id": "a",
                "provider": "acme",
                "model": "small",
                "generated_code": "fn old() {}",
                "compilation": {"success": False},
            }
        ],
    }
    baseline = tmp_path / "rust.json"
    baseline.write_text(json.dumps(old), encoding="utf-8")
    [sides] = changed(baseline, written(tmp_path / "b.json", a_sample("a"))).values()
    assert sides.baseline[0]["generated_code"] == "fn old() {}"
