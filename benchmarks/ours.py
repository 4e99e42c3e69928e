"""One run of forgetest without its start-up: it prepares, waits for a line, judges, reports, and prints `done`.

    python benchmarks/ours.py FOLDER OUTPUT [--cache] [--no-sharing] [--new-cases]

The other benchmarks use `measured`.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from measuring import Cost, Meter

from forgetest.cli.output import frozen_heap, write_reports
from forgetest.cli.progress import Tally
from forgetest.datasets import recorded
from forgetest.engine import plan as planning
from forgetest.engine.asking.ask import Source
from forgetest.engine.run import run
from forgetest.engine.run_folder import RunFolder
from forgetest.grading import Grader
from forgetest.loading import load_eval_sets

WORKERS = 2


@contextlib.contextmanager
def measured(
    meter: Meter,
    folder: Path,
    output: str,
    costs: list[Cost],
    *,
    cache: bool = False,
    sharing: bool = True,
    new_cases: bool = False,
) -> Iterator[None]:
    """Judge the samples of a folder as one round; in the block, they are judged and the process is about to end.

    With `new_cases`, preparing the cases is a part of the round.
    """
    words = [sys.executable, __file__, str(folder), output, *(["--cache"] if cache else [])]
    words += [] if sharing else ["--no-sharing"]
    words += ["--new-cases"] if new_cases else []
    with subprocess.Popen(meter.argv(words), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        if process.stdout.readline() != b"ready\n":
            raise SystemExit("forgetest did not get ready")
        before = own_cpu_s(process.pid)
        with meter.round(costs):
            process.stdin.write(b"go\n")
            process.stdin.flush()
            if process.stdout.readline() != b"done\n":
                raise SystemExit("forgetest did not finish")
        costs[-1] = replace(costs[-1], python_s=own_cpu_s(process.pid) - before)
        yield
        process.stdin.close()


def own_cpu_s(pid: int) -> float:
    """Return the CPU time of a process, without that of its children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Judge the samples of a folder."""
    folder, output, *options = sys.argv[1:]
    sets = load_eval_sets([f"{folder}/set.toml"])
    recording = recorded.read(f"{folder}/samples.jsonl", sets)
    plan = planning.for_recording(sets, sets, recording.attempts, recording.hash, (1,))
    sources = {
        model: Source(ask=recording.completion, concurrency=1, immediate=True)
        for model in {attempt.model_name for attempt in plan.attempts}
    }
    grader = Grader(
        cache_mb=1000 if "--cache" in options else 0, sharing="--no-sharing" not in options, parallelism=WORKERS
    )
    with grader:
        judging = grader.prepare(plan.eval_sets)
        for _, case in [] if "--new-cases" in options else plan.cases():
            grader.prepare_case(case)
        print("ready", flush=True)
        sys.stdin.readline()
        place = RunFolder.open(Path(folder) / output, plan.name, fresh=True)
        journal = place.journal()
        observer = Tally({attempt.model_name: 0 for attempt in plan.attempts})
        with frozen_heap():
            report = run(plan, place, journal, judging, sources, observer, left=plan.attempts)
            write_reports(report, place.path, ("json",))
        journal.close()
        print("done", flush=True)
        sys.stdin.readline()


if __name__ == "__main__":
    main()
