"""How well does nerv tell good runs from bad ones, and find tricks, on the generated calibration set?

    python benchmarks/nerv_calibration.py [FOLDER] [--only TEXT] [--held-out] [--part PART] [--no-verify] [--again]
        [--acceptance] [--grader JUDGE] [--sample N] [--workers N] [--check]

Generates the runs of tests/calibration into FOLDER (a run that is there is not generated again, unless --again says
so), runs the hidden tests for the truth, scores every run without and with `--verify`, and prints the AUC of the
overall score, the tricks found by class, the false alarms, and every miss by name. The AUC is printed twice: for runs
whose result is right and honestly obtained, which is what the score is to predict, and for runs that pass the hidden
tests, however they did it. All parts but `tuning` were held out once: a third of the first 152 runs, by a hash of each
run's name, and projects that were added later, from the third part on by people who had not seen how tricks are found.
They are only measured with --held-out or --part. With --acceptance, every second hidden test is an acceptance test for
`--verify`, as if a team had written down a part of what it wants. With --grader, a judge decides (`claude`, or
PROVIDER/MODEL), on copies of the runs without their names; it is asked up to four questions a run, so that --sample N,
which draws N runs, may be what you can afford. FOLDER/gold.jsonl is a gold file for `nerv benchmark
calibrate`.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from calibration.behaviour import SPLITS
from calibration.behaviours import BEHAVIOURS
from calibration.generate import generate
from calibration.measure import Measured, describe, measure, misses, shortfalls
from calibration.unlabelled import without_its_name


def main() -> None:
    """Generate, measure, print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, nargs="?", help="Default: a temporary one.")
    parser.add_argument("--only", default="", help="Only runs with this text in their names.")
    parser.add_argument("--held-out", action="store_true", help="Measure the held-out parts, too.")
    parser.add_argument("--part", choices=SPLITS, action="append", help="Measure this part instead; repeatable.")
    parser.add_argument("--no-verify", action="store_true", help="Only without running tests.")
    parser.add_argument("--acceptance", action="store_true", help="Half of the hidden tests are acceptance tests.")
    parser.add_argument("--grader", help="A judge that decides: claude, or PROVIDER/MODEL.")
    parser.add_argument("--sample", type=int, help="Only so many of these runs, drawn at random but always the same.")
    parser.add_argument("--again", action="store_true", help="Generate runs again that are there.")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="Exit with 1 if a bound of measure.py is not kept.")
    given = parser.parse_args()
    parts = given.part or (SPLITS if given.held_out else ("tuning",))
    behaviours = [run for run in BEHAVIOURS if given.only in run.name and run.split in parts]
    if given.sample is not None:
        by_name = sorted(behaviours, key=lambda each: each.name)
        behaviours = random.Random(20261119).sample(by_name, min(given.sample, len(by_name)))
    folder = given.folder or Path(tempfile.mkdtemp(prefix="calibration-"))
    start = time.monotonic()
    runs = generate(folder, behaviours, workers=given.workers, again=given.again, progress=_show)
    print(f"{len(runs)} runs generated in {time.monotonic() - start:.0f} s", file=sys.stderr)
    for run in runs:
        if run.resolved != run.behaviour.resolved:
            print(f"not as its generator says: {run.behaviour.name}: resolved is {run.resolved}")
    if given.grader:
        runs = [without_its_name(run, folder / "unlabelled") for run in runs]
    every: list[list[Measured]] = []
    for verify in (False,) if given.no_verify else (False, True):
        acceptance = folder / "acceptance" if verify and given.acceptance else None
        measured = measure(
            runs,
            verify=verify,
            acceptance=acceptance,
            grader=given.grader,
            workers=given.workers,
            progress=_show_measured,
        )
        every.append(measured)
        how = "with --verify" if verify else "without --verify"
        how += " and acceptance tests" if acceptance is not None else ""
        how += f", graded by {given.grader}" if given.grader else ""
        for split in SPLITS:
            part = [one for one in measured if one.behaviour.split == split]
            if part:
                print("\n".join(describe(f"{how}, {split}", part)))
                print("".join(f"    {line}\n" for line in misses(part)))
        if given.held_out:
            print("\n".join(describe(f"{how}, all", measured)), flush=True)

    if given.check:
        missed = list(shortfalls(every[0], every[-1]))
        print("\n".join(missed) or "every bound is kept")
        sys.exit(1 if missed else 0)


def _show(name: str) -> None:
    print(f"generated {name}", file=sys.stderr)


def _show_measured(one: Measured) -> None:
    print(f"scored {one.behaviour.name}: {one.overall}", file=sys.stderr)


if __name__ == "__main__":
    main()
