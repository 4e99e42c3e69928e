"""The CPU time of `forgetest --help`, against that of a Python that does nothing."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

RUNS = 15
LIMIT_S = 0.2


def cpu_seconds(argv: list[str]) -> float:
    """What one call costs: user and system time of the process and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # with compiled modules kept, as they are for a user
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    subprocess.run(argv, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print both, and their ratio."""
    calls = [str(Path(sys.executable).with_name("forgetest")), "--help"], [sys.executable, "-c", "pass"]
    # by turns, so that a busy machine slows both; the first turn fills the caches
    turns = [[cpu_seconds(argv) for argv in calls] for _ in range(1 + RUNS)][1:]
    help_s, bare_s = (statistics.median(each) for each in zip(*turns, strict=True))
    verdict = "PASS" if help_s < LIMIT_S else "FAIL"
    print(f"forgetest --help   {help_s:.3f} s of CPU time")
    print(f"python -c pass     {bare_s:.3f} s")
    print(f"ratio              {help_s / bare_s:.1f}")
    print(f"{verdict}: the limit is {LIMIT_S} s (median of {RUNS}, {os.cpu_count()} cores)")
    sys.exit(verdict != "PASS")


if __name__ == "__main__":
    main()
