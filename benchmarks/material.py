"""Real samples for benchmarks: HumanEvalPack's Rust solutions, or else those of this repository."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from forgetest import evalset

ROOT = Path(__file__).resolve().parents[1]
HUMANEVAL = ROOT.parent / "shared" / "data" / "humanevalpack" / "humanevalpack_rust.jsonl"
_CRATES = re.compile(r"\b(rand|regex|md5)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Specimen:
    """A sample and its tests."""

    case_id: str
    kind: str
    code: str
    test_file: str


def specimens(count: int | None = None) -> list[Specimen]:
    """Return that many samples, alternately correct and wrong; all of them if no number is given."""
    found = _humaneval() if HUMANEVAL.exists() else _built_in()
    if count is not None and count > len(found):
        raise SystemExit(f"there are only {len(found)} samples; {HUMANEVAL} has more")
    return found[:count]


def _humaneval() -> list[Specimen]:
    """Return HumanEvalPack's canonical and buggy solutions, except those that need crates."""
    found = []
    for line in HUMANEVAL.read_text().splitlines():
        record = json.loads(line)
        texts = [record[key] for key in ("canonical_solution", "buggy_solution", "test")]
        if any(_CRATES.search(text) for text in texts):
            continue
        head = "".join(line for line in record["declaration"].splitlines(keepends=True) if not _CRATES.search(line))
        found += [
            Specimen(case_id=record["task_id"], kind=kind, code=f"fn main(){{}}\n{head}{body}", test_file=texts[2])
            for kind, body in zip(("canonical", "buggy"), texts[:2], strict=True)
        ]
    return found


def _built_in() -> list[Specimen]:
    """Return the built-in sets' reference solutions and planted wrong ones, except those that need crates."""
    found = []
    for name in sorted(evalset.built_in()):
        for case in (case for each in evalset.load(name) for case in each.cases):
            test_file = case.expectations.test_file
            if case.dependencies or test_file is None or case.reference_solution is None:
                continue
            planted = sorted((ROOT / "tests" / "planted" / name / case.id).glob("*.rs"))
            codes = {"reference": case.reference_solution} | {path.stem: path.read_text() for path in planted}
            found += [
                Specimen(case_id=f"{name}-{case.id}", kind=kind, code=code, test_file=test_file)
                for kind, code in codes.items()
            ]
    return found


def write_set(folder: Path, wanted: Sequence[Specimen]) -> Path:
    """Write an eval set with the samples' cases."""
    tests = {each.case_id: each.test_file for each in wanted}
    cases = [
        {"id": case_id, "name": case_id, "prompt": "-", "expectations": {"test_file": test_file}}
        for case_id, test_file in tests.items()
    ]
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    path = folder / "set.toml"
    path.write_text('[eval_set]\nid = "measured"\nname = "Measured"\ncases_from = "cases.jsonl"\n')
    return path


def write_samples(path: Path, wanted: Sequence[Specimen], times: int = 1) -> Path:
    """Write the samples as JSON lines, each the given number of times."""
    with path.open("w") as file:
        for number in range(1, times + 1):
            for each in wanted:
                line = {"case_id": each.case_id, "model": f"measured/{each.kind}", "attempt": number, "code": each.code}
                file.write(json.dumps(line) + "\n")
    return path
