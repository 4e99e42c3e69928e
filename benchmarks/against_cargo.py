"""Throughput against the naive way: a fresh cargo project for each sample; build, test, clippy; no sandbox.

Both sides have two workers and the same real samples, and take turns; start-up is not measured. The naive way believes
an exit code and runs whatever it is given; forgetest uses a sandbox, and its verdicts cannot be forged. The goal is in
samples per second, and the exit code is 1 below it; the ratio of CPU times, which a busy machine disturbs less, is
printed as well.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import material
import ours
from measuring import Cost, compare, meter

from forgetest import config

GOAL, AIM = 8.0, 10.0
# as other harnesses do it; nobody reads the output here
LOOP = """for project in "$@"; do
cd "$project" && cargo build -q; cargo test -q; cargo clippy -q; done >/dev/null 2>&1; exit 0
"""


def write_project(place: Path, specimen: material.Specimen) -> Path:
    """Write a cargo project with one sample and its tests."""
    (place / "src").mkdir(parents=True)
    manifest = '[package]\nname = "sample"\nversion = "0.1.0"\nedition = "2021"\n\n[workspace]\n'
    (place / "Cargo.toml").write_text(manifest)
    # as `cargo new` lays it out for a program, which is what most samples with a `main` are
    name = "main.rs" if re.search(r"\bfn main\b", specimen.code) else "lib.rs"
    (place / "src" / name).write_text(f"{specimen.code}\n{specimen.test_file}")
    return place


def main() -> None:
    """Measure both in turn, and print the result."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--samples", type=int, default=150)
    arguments.add_argument("--rounds", type=int, default=3)
    options = arguments.parse_args()
    wanted = material.specimens(options.samples)
    naive: list[Cost] = []
    our_own: list[Cost] = []
    # cargo must find neither results of an earlier call nor the user's settings
    variables = {**config.host_environment(), "CARGO_NET_OFFLINE": "true"}
    variables = {name: value for name, value in variables.items() if name != "CARGO_TARGET_DIR"}
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder, meter() as counter:
        place = Path(folder)
        material.write_set(place, wanted)
        material.write_samples(place / "samples.jsonl", wanted)
        with ours.measured(counter, place, "warming", []):
            pass  # names of each case's tests are found out once, and kept
        for turn in range(options.rounds):
            with tempfile.TemporaryDirectory(dir=place) as fresh:
                projects = [write_project(Path(fresh, str(number)), each) for number, each in enumerate(wanted)]
                with counter.round(naive):
                    workers = [
                        subprocess.Popen(
                            counter.argv(["/bin/sh", "-c", LOOP, "sh", *map(str, projects[worker :: ours.WORKERS])]),
                            env=variables,
                        )
                        for worker in range(ours.WORKERS)
                    ]
                    if sum(worker.wait() for worker in workers):
                        raise SystemExit("the naive way failed")
            with ours.measured(counter, place, f"out{turn}", our_own):
                pass
    by_wall, by_cpu = compare(("forgetest", "naive cargo"), (our_own, naive), len(wanted))
    print(f"as fast as the naive way: {by_wall:.1f} times by wall time, {by_cpu or float('nan'):.1f} times by CPU time")
    verdict = "PASS" if by_wall >= GOAL else "FAIL"
    print(f"{verdict}: the goal is {GOAL:g} times, the aim {AIM:g} ({options.rounds} alternating rounds)")
    sys.exit(by_wall < GOAL)


if __name__ == "__main__":
    main()
