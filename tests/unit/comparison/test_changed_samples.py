"""The samples behind a comparison's changes."""

from __future__ import annotations

import json
from pathlib import Path

from forgetest.comparison import compare
from forgetest.comparison.changed_samples import MOST_ATTEMPTS, ChangedSamples, find_changed_samples
from forgetest.renderers import json as json_report
from forgetest.report.read import read_content
from forgetest.sample import Sample
from specimens import a_report, a_sample, a_verdict

BROKEN = a_verdict(compiled=False)


def written(path: Path, *samples: Sample) -> Path:
    with path.open("w", encoding="utf-8") as stream:
        json_report.write(a_report(samples), stream)
    return path


def changed(baseline: Path, current: Path) -> dict[str, ChangedSamples]:
    old, new = read_content(baseline), read_content(current)
    found = find_changed_samples(compare(old, new, 0.05), old, new)
    return {change.case_id: samples for change, samples in found}


def test_both_samples_of_each_changed_case_are_kept_and_no_others(tmp_path: Path):
    baseline = written(tmp_path / "a.json", a_sample("a", code="old"), a_sample("b", verdict=BROKEN), a_sample("c"))
    current = written(tmp_path / "b.json", a_sample("a", code="new", verdict=BROKEN), a_sample("b"), a_sample("c"))
    found = changed(baseline, current)
    assert list(found) == ["a", "b"]
    assert [sample.code for sample in found["a"].baseline] == ["old"]
    assert [sample.code for sample in found["a"].current] == ["new"]
    assert found["a"].language == "rust"


def test_two_models_compared_with_each_other_keep_their_own_samples(tmp_path: Path):
    baseline = written(tmp_path / "a.json", a_sample("a", model="acme/old"))
    current = written(tmp_path / "b.json", a_sample("a", model="acme/new", verdict=BROKEN))
    [samples] = changed(baseline, current).values()
    assert (samples.baseline[0].attempt.model, samples.current[0].attempt.model) == ("old", "new")


def test_only_a_few_of_very_many_attempts_are_kept(tmp_path: Path):
    baseline = written(tmp_path / "a.json", *(a_sample("a", number) for number in range(1, 20)))
    current = written(tmp_path / "b.json", *(a_sample("a", number, verdict=BROKEN) for number in range(1, 20)))
    [samples] = changed(baseline, current).values()
    assert len(samples.baseline) == len(samples.current) == MOST_ATTEMPTS


def test_a_report_of_the_rust_tool_can_be_compared(tmp_path: Path):
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
    [samples] = changed(baseline, written(tmp_path / "b.json", a_sample("a"))).values()
    assert samples.baseline[0].code == "fn old() {}"
