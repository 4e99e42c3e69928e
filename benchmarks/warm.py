"""The same samples again: how much faster a run with cached verdicts is; both reports must be equal.

Cold and warm runs alternate; the cache, which is the benchmark's own, is cleared before each cold one. Start-up is not
measured. The exit code is 1 below the goal, or if the reports differ in more than ids, dates and the runs' durations.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import material
import ours
from measuring import Cost, compare, meter

from forgetest import config
from forgetest.engine.judging import verdict_cache

GOAL = 50.0


def comparable_report(place: Path, output: str) -> Any:
    """Return a report without what differs between any two runs."""
    report = json.loads((place / output / "latest" / "report.json").read_text())
    for result in report["results"]:
        del result["run_id"], result["timing"]["total_ms"]
    return {key: value for key, value in report.items() if key not in ("id", "created_at", "duration_ms")}


def main() -> None:
    """Measure both in turn, and print the result."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--samples", type=int, default=300)
    arguments.add_argument("--rounds", type=int, default=3)
    options = arguments.parse_args()
    wanted = material.specimens(options.samples)
    cold: list[Cost] = []
    warm: list[Cost] = []
    same = True
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder, meter() as counter:
        place = Path(folder)
        material.write_set(place, wanted)
        material.write_samples(place / "samples.jsonl", wanted)
        with ours.measured(counter, place, "warming", []):
            pass
        own = place / "cache"
        for kept in ("kept", "steps"):
            shutil.copytree(config.cache_folder() / kept, own / kept)
        os.environ["FORGETEST_CACHE"] = str(own)
        for turn in range(options.rounds):
            verdict_cache.clear(own)
            for name, costs in (("cold", cold), ("warm", warm)):
                with ours.measured(counter, place, f"{name}{turn}", costs, cache=True):
                    pass
            same = same and comparable_report(place, f"cold{turn}") == comparable_report(place, f"warm{turn}")
    by_wall, by_cpu = compare(("warm", "cold"), (warm, cold), len(wanted))
    print(f"as fast as cold: {by_wall:.0f} times by wall time, {by_cpu or float('nan'):.0f} times by CPU time")
    print(f"the same report: {'yes' if same else 'NO'}")
    good = same and by_wall >= GOAL
    print(f"{'PASS' if good else 'FAIL'}: the goal is {GOAL:g} times ({options.rounds} alternating rounds)")
    sys.exit(not good)


if __name__ == "__main__":
    main()
