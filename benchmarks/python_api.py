"""`Grader.grade_many` against the command line, on the same samples.

Both judge every sample without a verdict cache, with the same number of slots, and both include their start-up, which
prepares the cases. Rounds alternate, and the ratio is taken round by round, so that neighbours in time share what else
the machine does. Exit code 1 where the Python API takes more than 5% longer.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import material
from measuring import Cost, compare

import forgetest
from forgetest.loading import load_eval_sets

WORKERS = 2
GOAL = 0.95
FORGETEST = str(Path(sys.executable).with_name("forgetest"))


def by_command(folder: Path, output: str) -> tuple[Cost, int]:
    """Run the command; return its cost, and how many samples are correct."""
    words = [FORGETEST, "run", "--eval-set", "set.toml", "--samples-from", "samples.jsonl", "--no-cache", "--quiet"]
    words += ["--parallelism", str(WORKERS), "--output", output]
    started = time.monotonic()
    subprocess.run(words, check=True, cwd=folder)
    wall_s = time.monotonic() - started
    report = json.loads((folder / output / "latest" / "report.json").read_text())
    return Cost(wall_s, None), sum(result["correct"] is True for result in report["results"])


def by_api(folder: Path) -> tuple[Cost, int]:
    """Grade with a script in a separate process; return its cost, and how many samples are correct."""
    started = time.monotonic()
    ran = subprocess.run([sys.executable, __file__, "--grade", str(folder)], check=True, stdout=subprocess.PIPE)
    return Cost(time.monotonic() - started, None), int(ran.stdout)


def grade(folder: Path) -> None:
    """Grade the samples of a folder, and print how many are correct."""
    cases = {case.id: case for eval_set in load_eval_sets([folder / "set.toml"]) for case in eval_set.cases}
    samples = [json.loads(line) for line in (folder / "samples.jsonl").read_text().splitlines()]
    with forgetest.Grader(cache_mb=0, parallelism=WORKERS) as grader:
        pairs = [(sample["code"], cases[sample["case_id"]]) for sample in samples]
        print(sum(grade.correct for grade in grader.grade_many(pairs, as_code=True)))


def main() -> None:
    """Measure both in turn, and print the result."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--samples", type=int, default=300)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--grade", type=Path, help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.grade is not None:
        grade(options.grade)
        return
    wanted = material.specimens(options.samples)
    api: list[Cost] = []
    command: list[Cost] = []
    same = True
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folder = Path(name)
        material.write_set(folder, wanted)
        material.write_samples(folder / "samples.jsonl", wanted)
        by_command(folder, "warming")
        for turn in range(options.rounds):
            cost, correct = by_command(folder, f"round{turn}")
            command.append(cost)
            cost, correct_by_api = by_api(folder)
            api.append(cost)
            same = same and correct == correct_by_api
    by_wall, _ = compare(("Grader.grade_many", "command line"), (api, command), len(wanted))
    print(f"as fast as the command line: {by_wall:.3f} times by wall time")
    print(f"the same number correct: {'yes' if same else 'NO'}")
    good = same and by_wall >= GOAL
    print(f"{'PASS' if good else 'FAIL'}: the goal is {GOAL:g} times ({options.rounds} alternating rounds)")
    sys.exit(not good)


if __name__ == "__main__":
    main()
