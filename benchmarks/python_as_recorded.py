"""All 16,400 samples of CodeGen-16B for HumanEval, judged by `forgetest run`, against the verdicts recorded for them.

Prints how many verdicts agree, every difference with its message, and pass@1, 10 and 100 by both. The exit code is 1 if
fewer than 99.9% agree, or if a pass is not verified.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import recorded_python

GOAL = 0.999
FORGETEST = str(Path(sys.executable).with_name("forgetest"))


def pass_at(k: int, counts: Mapping[str, tuple[int, int]]) -> float:
    """Return pass@k over tasks, from the number of samples and of correct ones of each."""
    return statistics.fmean(1 - math.comb(n - c, k) / math.comb(n, k) for n, c in counts.values())


def main() -> None:
    """Judge, compare, and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--per-task", type=int, default=100)
    arguments.add_argument("--timeout-secs", type=float, default=3.0)
    arguments.add_argument("--keep", type=Path, help="folder for the run, so that it can be resumed")
    options = arguments.parse_args()
    samples = recorded_python.read(options.per_task)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(exist_ok=True)
        recorded_python.write_set(folder, samples, timeout_secs=options.timeout_secs, lint=False)
        recorded_python.write_samples(folder / "samples.jsonl", samples)
        words = ["run", "--eval-set", "set.toml", "--samples-from", "samples.jsonl", "--quiet", "--output", "out"]
        began = time.monotonic()
        subprocess.run([FORGETEST, *words, "--format", "json"], cwd=folder, check=True)
        wall_s = time.monotonic() - began
        rows = json.loads((folder / "out" / "latest" / "report.json").read_text())["results"]
    found = {(row["case_id"], row["attempt"]): row for row in rows}
    different, unverified = 0, 0
    ours: dict[str, tuple[int, int]] = {}
    theirs: dict[str, tuple[int, int]] = {}
    for sample in samples:
        task = str(sample.task["task_id"])
        row = found[task, sample.number]
        for counts, passed in ((ours, row["correct"]), (theirs, sample.passed)):
            n, c = counts.get(task, (0, 0))
            counts[task] = (n + 1, c + bool(passed))
        unverified += row["correct"] and not row["verified"]
        if row["correct"] != sample.passed:
            different += 1
            tests = row.get("test_execution") or {}
            print(f"{task} #{sample.number}: recorded {sample.passed}, {row['outcome']}: {json.dumps(tests)[:600]}")
    share = 1 - different / len(samples)
    print(f"{len(samples) - different} of {len(samples)} as recorded ({share:.3%}), in {wall_s:.0f} s")
    print(f"{sum(c for _, c in ours.values())} correct, {unverified} of them not verified")
    for k in (1, 10, 100):
        if k <= options.per_task:
            print(f"pass@{k:<3}  {pass_at(k, ours):.5f}, recorded {pass_at(k, theirs):.5f}")
    is_good = share >= GOAL and not unverified
    print(f"{'PASS' if is_good else 'FAIL'}: the goal is {GOAL:.1%}, every pass verified")
    sys.exit(not is_good)


if __name__ == "__main__":
    main()
