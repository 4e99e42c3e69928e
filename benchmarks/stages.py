"""The CPU time per sample of each stage of a cold run. There is no goal.

The compiler's stages are differences between calls that stop earlier (start only, check and lint, make an object file,
link), made by two workers as in forgetest. The rest is the sandboxes with the launcher and the tests, and our own
Python. Samples share calls, as they do by default; with `--no-sharing`, each has its own.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import against_floor
import material
import ours
from measuring import Cost, meter

from forgetest.toolchains.rust.compile.build import OBJECT

OUTPUT = f"-o/w/{OBJECT}"


def emitting(kind: str) -> Callable[[Sequence[str]], Sequence[str]]:
    """Return the same call with another kind of output."""
    return lambda argv: [f"--emit={kind}=/w/made" if word == OUTPUT else word for word in argv]


CALLS: dict[str, Callable[[Sequence[str]], Sequence[str]]] = {
    "start the compiler": lambda argv: [argv[0], "--version"],
    "parse, check, lint": emitting("metadata"),
    "generate code": emitting("obj"),
    "link": lambda argv: argv,
}


def main() -> None:
    """Measure the stages in turn, and print them."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--samples", type=int, default=100)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--sharing", action=argparse.BooleanOptionalAction, default=True)
    options = arguments.parse_args()
    wanted = material.specimens(options.samples)
    costs: dict[str, list[Cost]] = {name: [] for name in [*CALLS, "whole"]}
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder, meter() as counter:
        if not counter.knows_cpu:
            raise SystemExit("no control group (version 2) can be made here, so CPU time is not known")
        place = Path(folder)
        material.write_set(place, wanted)
        material.write_samples(place / "samples.jsonl", wanted)
        steps = against_floor.compiler_calls(place, wanted, sharing=options.sharing)
        loops = {
            name: against_floor.bare_loops(steps, place / f"stage{number}-", call)
            for number, (name, call) in enumerate(CALLS.items())
        }
        for turn in range(1 + options.rounds):
            for name, loop in loops.items():
                against_floor.run_bare(counter, loop, costs[name])
            with ours.measured(counter, place, f"out{turn}", costs["whole"], sharing=options.sharing):
                pass

    def each_ms(values: list[float | None]) -> float:
        return statistics.median(value or 0.0 for value in values[1:]) / len(wanted) * 1000

    spent, before = {}, 0.0
    for name in CALLS:
        until = each_ms([cost.cpu_s for cost in costs[name]])
        spent[name], before = until - before, until
    whole = each_ms([cost.cpu_s for cost in costs["whole"]])
    spent["our Python"] = each_ms([cost.python_s for cost in costs["whole"]])
    spent["sandboxes, launcher, tests"] = whole - before - spent["our Python"]
    for name, value in spent.items():
        print(f"{name:<28} {value:6.1f} ms {value / whole:6.1%}")
    print(f"{'whole':<28} {whole:6.1f} ms  ({len(wanted)} samples, medians of {options.rounds} rounds)")


if __name__ == "__main__":
    main()
