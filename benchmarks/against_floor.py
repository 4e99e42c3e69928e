"""Our throughput against the floor: the very same compiler calls alone, as a bare loop of two workers.

The floor has no sandbox a sample, no tests, no proof, no journal and no Python: two shells that start one compiler
after the other, in one set of mounts that both were given beforehand, so that every path is as in ours. Ours is
everything: extraction, sandboxes, the tests, their proof, the journal, the report.

As forgetest does it by default, where samples share calls: against those shared calls, and against a call for each
sample, which is what anybody else's floor is. Exit code 1 where either is below the goal, which is in samples a second;
the ratio of CPU times, which a busy machine disturbs less, stands beside it. With `--no-sharing`, which judges each
sample by itself, against a call for each: for comparison, no goal.
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

from forgetest import config
from forgetest.engine.judging.grouping import MOST
from forgetest.engine.judging.judge import Judge
from forgetest.engine.judging.prepared_cases import PreparedCases
from forgetest.engine.judging.sandbox import open_sandbox
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.evalset import load
from forgetest.executors import JudgeTask
from forgetest.sandboxes import Isolation, Sandbox
from forgetest.verdict import Execution, Step

GOAL = 0.8


class Recording:
    """A sandbox that remembers the compiler calls that it ran."""

    configuration = "recording"

    def __init__(self, sandbox: Sandbox) -> None:
        self.calls: list[Step] = []
        self._sandbox = sandbox
        self._lock = threading.Lock()

    def run(self, step: Step) -> Execution:
        """Run it, and remember it."""
        with self._lock:
            if step.argv[0].startswith("/tc/bin/"):
                self.calls.append(step)
        return self._sandbox.run(step)

    def probe(self) -> Isolation:
        """As the sandbox itself."""
        return self._sandbox.probe()

    def close(self) -> None:
        """As the sandbox itself."""
        self._sandbox.close()


def compiler_calls(folder: Path, wanted: list[material.Specimen], *, sharing: bool) -> list[Step]:
    """Every compiler call that judging these samples makes."""
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
        for first in range(0, len(tasks), MOST):
            for _ in judge.judge(tasks[first : first + MOST]):
                pass
        return sandbox.calls
    finally:
        sandbox.close()


def bare_loop(
    steps: list[Step], place: Path, call: Callable[[Sequence[str]], Sequence[str]] = lambda argv: argv
) -> list[str]:
    """A command that makes all of the calls, each perhaps altered, one after the other."""
    place.mkdir()
    lines = []
    for number, step in enumerate(steps):
        for name, content in {**step.files, f"{number}.in": step.stdin}.items():
            (place / name).write_bytes(content)
        lines.append(f"{shlex.join(call(step.argv))} </w/{number}.in >/dev/null 2>/w/told")
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
    """The same, as a command for each worker."""
    workers = range(min(ours.WORKERS, len(steps)))
    return [
        bare_loop(steps[worker :: ours.WORKERS], place.with_name(f"{place.name}{worker}"), call) for worker in workers
    ]


def run_bare(counter: Meter, loops: list[list[str]], costs: list[Cost]) -> None:
    """One round of it, all workers at once."""
    with counter.round(costs):
        workers = [subprocess.Popen(counter.argv(loop)) for loop in loops]
        if sum(worker.wait() for worker in workers):
            raise SystemExit("the bare loop failed")


def measure(
    counter: Meter, place: Path, wanted: list[material.Specimen], rounds: int, *, sharing: bool
) -> tuple[list[Cost], list[Cost]]:
    """Ours and the floor, by turns; the first turn, which fills the caches of the disk, is left out."""
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


def told(names: tuple[str, str], costs: tuple[list[Cost], list[Cost]], samples: int) -> float:
    """Print two ways to do the same, and return the first one's share of the other's throughput."""
    by_wall, by_cpu = compare(names, costs, samples)
    print(f"of the floor's throughput: {by_wall:.1%} by wall time, {by_cpu or float('nan'):.1%} by CPU time")
    return by_wall


def main() -> None:
    """Measure by turns, and print."""
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
        told(("forgetest", "the same calls, bare"), shared, len(wanted)),
        told(("forgetest", "a bare call a sample"), (shared[0], alone[1]), len(wanted)),
    ]
    good = min(reached) >= GOAL
    print(f"{'PASS' if good else 'FAIL'}: the goal is {GOAL:.0%} of either ({options.rounds} rounds by turns)")
    told(("with --no-sharing", "the same calls, bare"), alone, len(wanted))
    sys.exit(not good)


if __name__ == "__main__":
    main()
