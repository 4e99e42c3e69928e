"""Throughput against the floor: the same compiler calls, made by a bare loop of two workers.

The floor has no sandbox per sample, no tests, no proof, no journal and no Python: two shells start one compiler after
the other, in mounts that are set up once, so that every path is the same as in forgetest. forgetest does everything:
extraction, sandboxes, tests and their proof, the journal, the report.

By default, samples share calls in forgetest. It is measured against those shared calls, and against one call per
sample, which is the floor of any other harness. The goal is in samples per second, and the exit code is 1 if either is
below it; the ratio of CPU times, which a busy machine disturbs less, is printed as well. For comparison, without a
goal: `--no-sharing`, which judges each sample separately, against one call per sample.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import material
import ours
from measuring import Cost, Meter, compare, meter

from forgetest import config, language
from forgetest.engine.judging.judge import Judge
from forgetest.engine.judging.prepared_cases import PreparedCases
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.evalset import load
from forgetest.executors import JudgeTask
from forgetest.sandboxes import Isolation, Sandbox
from forgetest.sandboxes.factory import open_sandbox
from forgetest.verdict import Execution, Step

GOAL = 0.8


class Recording:
    """A sandbox that records the compiler calls it runs."""

    configuration = "recording"

    def __init__(self, sandbox: Sandbox) -> None:
        self.calls: list[Step] = []
        self._sandbox = sandbox
        self._lock = threading.Lock()

    def run(self, step: Step) -> Execution:
        """Run a step, and record it."""
        with self._lock:
            if step.argv[0].startswith("/tc/bin/"):
                self.calls.append(step)
        return self._sandbox.run(step)

    def probe(self) -> Isolation:
        """Do what the sandbox does."""
        return self._sandbox.probe()

    def close(self) -> None:
        """Do what the sandbox does."""
        self._sandbox.close()


def compiler_calls(folder: Path, wanted: list[material.Specimen], *, sharing: bool) -> list[Step]:
    """Return every compiler call that is made to judge these samples."""
    sandbox = Recording(open_sandbox("bubblewrap"))
    try:
        runner = StepRunner(sandbox, config.cache_folder(), config.host_environment())
        prepared = PreparedCases(runner)
        judge = Judge(runner, prepared, "bubblewrap", sharing=sharing)
        cases = {case.id: case for eval_set in load(folder / "set.toml") for case in eval_set.cases}
        for case in cases.values():
            prepared.prepare(case)
        sandbox.calls.clear()
        tasks = [
            JudgeTask(number=number, case=cases[specimen.case_id], code=specimen.code)
            for number, specimen in enumerate(wanted)
        ]
        most = language.most_together({"rust"})
        for first in range(0, len(tasks), most):
            for _ in judge.judge(tasks[first : first + most]):
                pass
        return sandbox.calls
    finally:
        sandbox.close()


def bare_loop(
    steps: list[Step], place: Path, call: Callable[[Sequence[str]], Sequence[str]] = lambda argv: argv
) -> list[str]:
    """Return a command that makes all calls, each as `call` alters it, one after the other."""
    place.mkdir()
    lines = []
    for number, step in enumerate(steps):
        for name, content in {**step.files, f"{number}.in": step.stdin}.items():
            (place / name).write_bytes(content)
        lines.append(f"{shlex.join(call(step.argv))} </w/{number}.in >/dev/null 2>/w/errors")
    (place / "loop.sh").write_text("\n".join([*lines, "exit 0"]))
    words = ["bwrap", "--unshare-pid", "--clearenv", "--die-with-parent"]
    for mount in steps[0].mounts:
        words += ["--ro-bind", mount.source, mount.target]
    words += ["--ro-bind", "/bin/sh", "/bin/sh", "--dev-bind", "/dev/null", "/dev/null", "--tmpfs", "/tmp"]
    for name, value in steps[0].env.items():
        words += ["--setenv", name, value]
    return [*words, "--bind", str(place), "/w", "--chdir", "/w", "--", "/bin/sh", "/w/loop.sh"]


def bare_loops(
    steps: list[Step], place: Path, call: Callable[[Sequence[str]], Sequence[str]] = lambda argv: argv
) -> list[list[str]]:
    """Return such a command for each worker."""
    workers = range(min(ours.WORKERS, len(steps)))
    return [
        bare_loop(steps[worker :: ours.WORKERS], place.with_name(f"{place.name}{worker}"), call) for worker in workers
    ]


def run_bare(counter: Meter, loops: list[list[str]], costs: list[Cost]) -> None:
    """Run one round, with all workers at once."""
    with counter.round(costs):
        workers = [subprocess.Popen(counter.argv(loop)) for loop in loops]
        if sum(worker.wait() for worker in workers):
            raise SystemExit("the bare loop failed")


def measure(
    counter: Meter, place: Path, wanted: list[material.Specimen], rounds: int, *, sharing: bool
) -> tuple[list[Cost], list[Cost]]:
    """Measure forgetest and the floor in turn; the first round, which fills the disk's caches, is not counted."""
    floor: list[Cost] = []
    our_own: list[Cost] = []
    calls = compiler_calls(place, wanted, sharing=sharing)
    name = "shared" if sharing else "alone"
    loops = bare_loops(calls, place / name)
    for turn in range(1 + rounds):
        run_bare(counter, loops, floor)
        with ours.measured(counter, place, f"{name}-out{turn}", our_own, sharing=sharing):
            pass
    return our_own[1:], floor[1:]


def print_share(names: tuple[str, str], costs: tuple[list[Cost], list[Cost]], samples: int) -> float:
    """Print the costs of two ways, and return the throughput of the first as a share of the second's."""
    by_wall, by_cpu = compare(names, costs, samples)
    print(f"of the floor's throughput: {by_wall:.1%} by wall time, {by_cpu or float('nan'):.1%} by CPU time")
    return by_wall


def main() -> None:
    """Measure, and print the results."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--samples", type=int, default=300)
    arguments.add_argument("--rounds", type=int, default=5)
    options = arguments.parse_args()
    wanted = material.specimens(options.samples)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder, meter() as counter:
        place = Path(folder)
        material.write_set(place, wanted)
        material.write_samples(place / "samples.jsonl", wanted)
        shared = measure(counter, place, wanted, options.rounds, sharing=True)
        alone = measure(counter, place, wanted, options.rounds, sharing=False)
    reached = [
        print_share(("forgetest", "the same calls, bare"), shared, len(wanted)),
        print_share(("forgetest", "a bare call a sample"), (shared[0], alone[1]), len(wanted)),
    ]
    good = min(reached) >= GOAL
    print(f"{'PASS' if good else 'FAIL'}: the goal is {GOAL:.0%} of either ({options.rounds} alternating rounds)")
    print_share(("with --no-sharing", "the same calls, bare"), alone, len(wanted))
    sys.exit(not good)


if __name__ == "__main__":
    main()
