"""The executor ray on one machine against the local one: the same samples by `Grader.grade_many`, in turn.

Both processes stay open, and so does the local cluster; the first round, which prepares cases and starts workers, is
not counted. Exit code 1 where Ray has less than 90% of the local executor's samples a second, or judges otherwise.
"""

from __future__ import annotations

import argparse
import sys

from measuring import Cost, compare, meter
from service import GOAL, GradeMany


def main() -> None:
    """Measure, and print the results."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--samples", type=int, default=600)
    arguments.add_argument("--rounds", type=int, default=3)
    options = arguments.parse_args()
    by_ray: list[Cost] = []
    local: list[Cost] = []
    with meter() as counter:
        cluster, machine = (GradeMany(counter, options.samples, name) for name in ("ray", "local"))
        same = True
        for turn in range(options.rounds + 1):
            costs: tuple[list[Cost], list[Cost]] = (by_ray, local) if turn else ([], [])
            with counter.round(costs[0]):
                correct = cluster.grade()
            with counter.round(costs[1]):
                same = machine.grade() == correct and same
        cluster.close()
        machine.close()
    by_wall, by_cpu = compare(("ray", "local"), (by_ray, local), options.samples)
    shown = f", {by_cpu:.3f} by CPU time" if by_cpu else ""
    print(f"as fast as the local executor: {by_wall:.3f} times by wall time{shown}")
    print(f"the same number correct: {'yes' if same else 'NO'}")
    good = same and by_wall >= GOAL
    print(f"{'PASS' if good else 'FAIL'}: the goal is {GOAL:.0%} ({options.rounds} alternating rounds)")
    sys.exit(not good)


if __name__ == "__main__":
    main()
