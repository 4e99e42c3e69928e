"""Our throughput against the floor: the very same compiler calls alone, as a bare loop of two workers.

The floor has no sandbox a sample, no tests, no proof, no journal and no Python: two shells that start one compiler
after the other, in one set of mounts that both were given beforehand, so that every path is as in ours. Ours is
everything: extraction, sandboxes, the tests, their proof, the journal, the report. Exit code 1 below the goal, which
is in samples a second; the ratio of CPU times, which a busy machine disturbs less, stands beside it.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import material
import ours
from measuring import Cost, compare, meter

from forgetest import config, plugins
from forgetest.engine.prepare import Workshop
from forgetest.evalset import load
from forgetest.sandboxes import Sandbox
from forgetest.verdict import Step

GOAL = 0.8


def build_steps(folder: Path, wanted: list[material.Specimen]) -> list[Step]:
    """The first compiler call of each sample, as the engine would run it."""
    sandbox: Sandbox = plugins.find("sandboxes", "bubblewrap")()
    try:
        workshop = Workshop(sandbox, config.cache_folder(), config.host_environment())
        toolchain = plugins.find("toolchains", "rust")
        cases = {case.id: case for each in load(folder / "set.toml") for case in each.cases}
        prepared = {name: workshop.prepare(toolchain, case) for name, case in cases.items()}
        steps = [toolchain.next(prepared[each.case_id], cases[each.case_id], each.code, ()) for each in wanted]
        return [workshop.resolved(step) for step in steps]
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


def main() -> None:
    """Measure by turns, and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--samples", type=int, default=150)
    arguments.add_argument("--rounds", type=int, default=5)
    options = arguments.parse_args()
    wanted = material.specimens(options.samples)
    floor: list[Cost] = []
    our_own: list[Cost] = []
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder, meter() as counter:
        place = Path(folder)
        material.write_set(place, wanted)
        material.write_samples(place / "samples.jsonl", wanted)
        steps = build_steps(place, wanted)
        loops = [bare_loop(steps[worker :: ours.WORKERS], place / f"w{worker}") for worker in range(ours.WORKERS)]
        for turn in range(1 + options.rounds):
            with counter.round(floor):
                workers = [subprocess.Popen(counter.argv(loop)) for loop in loops]
                if sum(worker.wait() for worker in workers):
                    raise SystemExit("the bare loop failed")
            with ours.measured(counter, place, f"out{turn}", our_own):
                pass
    # the first turn fills the caches of the disk
    by_wall, by_cpu = compare(("forgetest", "bare compiler"), (our_own[1:], floor[1:]), len(wanted))
    print(f"of the floor's throughput: {by_wall:.1%} by wall time, {by_cpu or float('nan'):.1%} by CPU time")
    print(f"{'PASS' if by_wall >= GOAL else 'FAIL'}: the goal is {GOAL:.0%} ({options.rounds} rounds by turns)")
    sys.exit(by_wall < GOAL)


if __name__ == "__main__":
    main()
