"""Throughput on new cases: each is seen for the first time, with one sample, and nothing of it is known beforehand.

Both sides have two workers and the same real samples, and take turns. The naive way is a fresh cargo project for each
sample: build, test, clippy; no sandbox. forgetest begins each round with an empty cache folder; what does not depend on
a case (the tools, the launcher, the judge's secret) is found and built before the round, and one case is prepared by
what checks that. Cases have their reference
solutions, as an imported set has, so that preparation includes controls and signatures; `--no-references` leaves them
out. The goal is in samples per second, and the exit code is 1 below it.

For comparison: the share of the time that the same samples take when their cases are prepared, and the share of the
bare compiler calls that a perfect grader would need, which are the shared calls of the samples alone.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import against_cargo
import against_floor
import material
import ours
from measuring import Cost, Meter, compare, meter

from forgetest import config

GOAL = 15.0


def one_of_each_case(count: int) -> list[material.Specimen]:
    """Return one sample for each of that many cases, alternately a correct and a wrong one."""
    by_case: dict[str, list[material.Specimen]] = {}
    for each in material.specimens():
        by_case.setdefault(each.case_id, []).append(each)
    if len(by_case) < count:
        raise SystemExit(f"there are only {len(by_case)} cases; {material.HUMANEVAL} has more")
    return [found[number % len(found)] for number, found in enumerate(list(by_case.values())[:count])]


def write_cases(folder: Path, wanted: Sequence[material.Specimen], *, references: bool) -> None:
    """Write an eval set with the samples' cases."""
    material.write_set(folder, wanted)
    if not references:
        return
    right = {each.case_id: each.code for each in material.specimens() if each.kind in ("canonical", "reference")}
    cases = [json.loads(line) for line in (folder / "cases.jsonl").read_text().splitlines()]
    lines = [json.dumps({**case, "reference_solution": right[case["id"]]}) + "\n" for case in cases]
    (folder / "cases.jsonl").write_text("".join(lines))


def run_naive(counter: Meter, place: Path, wanted: Sequence[material.Specimen], costs: list[Cost]) -> None:
    """Build, test and lint a cargo project for each sample."""
    variables = {**config.host_environment(), "CARGO_NET_OFFLINE": "true"}
    variables = {name: value for name, value in variables.items() if name != "CARGO_TARGET_DIR"}
    with tempfile.TemporaryDirectory(dir=place) as fresh:
        projects = [
            against_cargo.write_project(Path(fresh, str(number)), specimen) for number, specimen in enumerate(wanted)
        ]
        with counter.round(costs):
            workers = [
                subprocess.Popen(
                    counter.argv(
                        ["/bin/sh", "-c", against_cargo.LOOP, "sh", *map(str, projects[worker :: ours.WORKERS])]
                    ),
                    env=variables,
                )
                for worker in range(ours.WORKERS)
            ]
            if sum(worker.wait() for worker in workers):
                raise SystemExit("the naive way failed")


class ColdCaches:
    """Cache folders in which only what does not depend on a case is known."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._prepared = place / "equipped"
        self._number = 0

    def equip(self) -> None:
        """Find the tools and build the launcher, by judging one sample of a case that is not among the others."""
        one = material.Specimen(
            case_id="equip",
            kind="any",
            code="fn one() -> i32 { 1 }",
            test_file="#[test] fn is() { assert_eq!(one(), 1); }",
        )
        folder = self._place / "one"
        folder.mkdir()
        material.write_set(folder, [one])
        material.write_samples(folder / "samples.jsonl", [one])
        os.environ["FORGETEST_CACHE"] = str(self._prepared)
        subprocess.run(
            [sys.executable, ours.__file__, str(folder), "out"], input=b"\n\n", check=True, stdout=subprocess.DEVNULL
        )

    def use_new(self) -> None:
        """Let what is started from now on use a cold cache folder."""
        self._number += 1
        folder = self._place / f"cache{self._number}"
        shutil.copytree(self._prepared, folder, symlinks=True)
        os.environ["FORGETEST_CACHE"] = str(folder)


def main() -> None:
    """Measure in turn, and print the results."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--samples", type=int, default=140)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--references", action=argparse.BooleanOptionalAction, default=True)
    options = arguments.parse_args()
    wanted = one_of_each_case(options.samples)
    naive, cold, prepared, floor = list[Cost](), list[Cost](), list[Cost](), list[Cost]()
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder, meter() as counter:
        place = Path(folder)
        write_cases(place, wanted, references=options.references)
        material.write_samples(place / "samples.jsonl", wanted)
        caches = ColdCaches(place)
        caches.equip()
        caches.use_new()
        loops = against_floor.bare_loops(against_floor.compiler_calls(place, wanted, sharing=True), place / "bare")
        for turn in range(options.rounds):
            run_naive(counter, place, wanted, naive)
            caches.use_new()
            with ours.measured(counter, place, f"cold{turn}", cold, new_cases=True):
                pass
            with ours.measured(counter, place, f"prepared{turn}", prepared):
                pass
            against_floor.run_bare(counter, loops, floor)
    by_wall, by_cpu = compare(("new cases", "naive cargo"), (cold, naive), len(wanted))
    print(f"as fast as the naive way: {by_wall:.1f} times by wall time, {by_cpu or float('nan'):.1f} times by CPU time")
    print_share("the same, cases prepared", prepared, cold)
    print_share("the samples' bare calls", floor, cold)
    verdict = "PASS" if by_wall >= GOAL else "FAIL"
    print(f"{verdict}: the goal is {GOAL:g} times ({options.rounds} alternating rounds)")
    sys.exit(by_wall < GOAL)


def print_share(name: str, part: Sequence[Cost], whole: Sequence[Cost]) -> None:
    """Print the time of one way as a share of that on new cases, as medians of rounds."""
    pairs = list(zip(part, whole, strict=True))
    by_wall = statistics.median(one.wall_s / other.wall_s for one, other in pairs)
    by_cpu = [one.cpu_s / other.cpu_s for one, other in pairs if one.cpu_s and other.cpu_s]
    cpu = f", {statistics.median(by_cpu):.0%} of its CPU time" if by_cpu else ""
    print(f"{name:<24} {by_wall:.0%} of the wall time of new cases{cpu}")


if __name__ == "__main__":
    main()
