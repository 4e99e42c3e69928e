"""Start-up: the CPU time of `forgetest --help`, and the time until `forgetest run` judges on a warm machine.

The first is compared with a Python that does nothing. The second is the time from the start of the process until the
first sample is in the journal; its verdict is cached, so judging is not included. The exit code is 1 above a limit.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import material

HELP_LIMIT_S = 0.2
RUN_LIMIT_S = 0.5
FORGETEST = str(Path(sys.executable).with_name("forgetest"))
# with compiled modules kept, as they are for a user
ENVIRONMENT = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "FORGETEST_CACHE_MB": "1000"}


def cpu_seconds(argv: list[str]) -> float:
    """Return the cost of one call: user and system time of the process and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(argv, env=ENVIRONMENT, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def seconds_to_first_sample(place: Path, output: str) -> float:
    """Return the time until a run has judged its first sample."""
    words = ["run", "--eval-set", "set.toml", "--samples-from", "samples.jsonl", "--quiet", "--output", output]
    journal = place / output / "latest" / "journal.jsonl"
    began = time.monotonic()
    with subprocess.Popen([FORGETEST, *words], cwd=place, env=ENVIRONMENT) as process:
        while not journal.exists() or b'"kind":"sample"' not in journal.read_bytes():
            if process.poll() not in (None, 0):
                raise SystemExit(f"the run ended with {process.returncode}")
            time.sleep(0.002)
        return time.monotonic() - began


def main() -> None:
    """Measure, and print the results."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=15)
    rounds = arguments.parse_args().rounds
    calls = [FORGETEST, "--help"], [sys.executable, "-c", "pass"]
    # alternating, so that a busy machine slows both; the first round fills the caches
    turns = [[cpu_seconds(argv) for argv in calls] for _ in range(1 + rounds)][1:]
    help_s, bare_s = (statistics.median(each) for each in zip(*turns, strict=True))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        one = material.specimens(1)
        material.write_set(place, one)
        material.write_samples(place / "samples.jsonl", one)
        begins_s = statistics.median([seconds_to_first_sample(place, f"out{n}") for n in range(1 + rounds)][1:])
    good = help_s < HELP_LIMIT_S and begins_s < RUN_LIMIT_S
    print(f"forgetest --help               {help_s:.3f} s of CPU time, the limit is {HELP_LIMIT_S} s")
    print(f"python -c pass                 {bare_s:.3f} s, ratio {help_s / bare_s:.1f}")
    print(f"forgetest run begins to judge  after {begins_s:.2f} s, the limit is {RUN_LIMIT_S} s")
    print(f"{'PASS' if good else 'FAIL'} (medians of {rounds}, {os.cpu_count()} cores)")
    sys.exit(not good)


if __name__ == "__main__":
    main()
