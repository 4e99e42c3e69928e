"""A run of 100,000 samples, most of them with cached verdicts: throughput, peak memory, and resuming after a kill.

A few real samples are repeated, so that nearly every verdict comes from the cache and everything but the compiler is
measured. The exit code is 1 if the peak is above 500 MB, or if a killed run does not resume.

With `--language python`, the samples are CodeGen-16B's for HumanEval (`--distinct 328`), and they are judged in the run
that is measured. A sample that runs into a time limit is judged each time, so it should not be among them.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import material
import recorded_python

LIMIT_MB = 500
FORGETEST = str(Path(sys.executable).with_name("forgetest"))


def command(output: str) -> list[str]:
    """Return the command of the run that is measured."""
    words = ["run", "--eval-set", "set.toml", "--samples-from", "samples.jsonl", "--quiet", "--output", output]
    return [FORGETEST, *words, "--format", "json,csv,markdown"]


def start(place: Path, output: str) -> subprocess.Popen[bytes]:
    """Start the run."""
    return subprocess.Popen(command(output), cwd=place)


def judged(place: Path, output: str) -> int:
    """Return the length of the journal."""
    journal = place / output / "latest" / "journal.jsonl"
    return journal.stat().st_size if journal.exists() else 0


def finished(process: subprocess.Popen[bytes]) -> tuple[float, float]:
    """Wait until it ends; return its peak memory in MB and its CPU time in seconds."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"the run ended with {process.returncode}")
    return usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime


def write_rust(place: Path, distinct: int, samples: int) -> tuple[int, int]:
    """Write a set, fill the cache, and write all samples; return how many there are, and how many distinct ones."""
    few = material.specimens(distinct)
    material.write_set(place, few)
    material.write_samples(place / "samples.jsonl", few)
    finished(start(place, "warming"))
    times = -(-samples // len(few))
    material.write_samples(place / "samples.jsonl", few, times)
    return times * len(few), len(few)


def write_python(place: Path, distinct: int, samples: int) -> tuple[int, int]:
    """Write a set and all samples; nothing is cached yet."""
    few = recorded_python.read(-(-distinct // 164))[:distinct]
    times = -(-samples // len(few))
    recorded_python.write_set(place, few, timeout_secs=1.0)
    recorded_python.write_samples(place / "samples.jsonl", few, times)
    return times * len(few), len(few)


def main() -> None:
    """Measure, and print the results."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--samples", type=int, default=100_000)
    arguments.add_argument("--distinct", type=int, default=20, help="number of different samples")
    arguments.add_argument("--language", choices=("rust", "python"), default="rust")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        os.environ["FORGETEST_CACHE_MB"] = "1000"
        write = write_python if options.language == "python" else write_rust
        total, distinct = write(place, options.distinct, options.samples)

        began = time.monotonic()
        peak_mb, cpu_s = finished(start(place, "whole"))
        wall_s = time.monotonic() - began

        victim = start(place, "killed")
        size = judged(place, "whole")
        while judged(place, "killed") < size // 2:
            time.sleep(0.01)
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        before = judged(place, "killed")
        began = time.monotonic()
        heir = start(place, "killed")
        while judged(place, "killed") <= before + 4096:  # more than the line that says that it goes on
            time.sleep(0.005)
        resumed_s = time.monotonic() - began
        heir_mb, _ = finished(heir)

        reports = [str(place / name / "latest" / "report.json") for name in ("whole", "killed")]
        print(f"samples                        {total} ({distinct} distinct)")
        print(f"samples a second               {total / wall_s:.0f} ({wall_s:.1f} s, {cpu_s:.1f} s of CPU time)")
        print(f"peak memory                    {peak_mb:.0f} MB, after a kill {heir_mb:.0f} MB")
        print(f"a killed run judges again in   {resumed_s:.2f} s (half of it was done)")
        sizes = [Path(report).stat().st_size for report in reports]
        print(f"report                         {sizes[0] / 1e6:.0f} MB")
        verdict = "PASS" if max(peak_mb, heir_mb) < LIMIT_MB and abs(sizes[0] - sizes[1]) < sizes[0] / 100 else "FAIL"
        print(f"{verdict}: the limit is {LIMIT_MB} MB ({os.cpu_count()} cores)")
        sys.exit(verdict != "PASS")


if __name__ == "__main__":
    main()
