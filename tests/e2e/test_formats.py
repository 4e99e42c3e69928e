"""Every format of a real run, from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import workbench
from workbench import BROKEN, LINTED, RIGHT, WRONG, forgetest, needs_judging


@needs_judging
def test_all_formats_of_one_run_are_written_and_refer_to_existing_files(tmp_path: Path):
    workbench.write_set(tmp_path / "set.toml", cases=2)
    codes = {"acme/one": (RIGHT, LINTED), "acme/two:x": (WRONG, BROKEN)}
    samples = [
        {"case_id": f"double-{number}", "code": code, "model": model}
        for model, both in codes.items()
        for number, code in enumerate(both, start=1)
    ]
    workbench.write_samples(tmp_path / "samples.jsonl", samples)
    words = ("run", "--eval-set", "set.toml", "--samples-from", "samples.jsonl", "--format", "all", "--plots")
    finished = forgetest(*words, cwd=tmp_path)
    assert finished.returncode == 0, finished.stderr
    folder = tmp_path / "forgetest-results" / "latest"
    names = ["report.json", "report.html", "report.sarif", "report.junit.xml", "report.md", "report.csv"]
    assert [name for name in names if not (folder / name).stat().st_size] == []
    assert sorted(path.name for path in (folder / "plots").iterdir()) == ["pass-at-k.svg", "score-by-case.svg"]
    [run] = json.loads((folder / "report.sarif").read_text(encoding="utf-8"))["runs"]
    rules = {result["ruleId"] for result in run["results"]}
    assert rules == {"compile-error", "test-failure", "clippy::needless_return"}
    for result in run["results"]:
        place = result["locations"][0]["physicalLocation"]
        lines = (folder / place["artifactLocation"]["uri"]).read_text(encoding="utf-8").splitlines()
        assert place["region"]["startLine"] <= len(lines)
    suite = ElementTree.parse(folder / "report.junit.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("4", "2", "0")
