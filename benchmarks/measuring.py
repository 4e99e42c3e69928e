"""The cost of a command: wall time, and CPU time of everything it starts, sandboxes included.

A process in its own PID namespace is reaped there, so that its CPU time never reaches the waiting parent; a cgroup
counts it nevertheless. Where no cgroup can be made, CPU time is unknown.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of one round."""

    wall_s: float
    cpu_s: float | None
    python_s: float | None = None
    """The part of the CPU time that forgetest's own process used."""


class Meter:
    """Starts commands in a cgroup, and reads the CPU time used there."""

    def __init__(self, group: Path | None) -> None:
        self._group = group

    @property
    def knows_cpu(self) -> bool:
        """True if CPU time is measured."""
        return self._group is not None

    def argv(self, argv: Sequence[str]) -> list[str]:
        """Return the same command, started in the cgroup."""
        if self._group is None:
            return list(argv)
        return ["/bin/sh", "-c", f'echo $$ > "{self._group}/cgroup.procs"; exec "$@"', "sh", *argv]

    def cpu_s(self) -> float | None:
        """Return the CPU time that the cgroup has used so far."""
        if self._group is None:
            return None
        words = (self._group / "cpu.stat").read_text().split()
        return int(words[words.index("usage_usec") + 1]) / 1e6

    @contextlib.contextmanager
    def round(self, costs: list[Cost]) -> Iterator[None]:
        """Measure the block as one round."""
        cpu, wall = self.cpu_s(), time.monotonic()
        yield
        wall = time.monotonic() - wall
        now = self.cpu_s()
        costs.append(Cost(wall, None if cpu is None or now is None else now - cpu))

    def run(self, argv: Sequence[str], costs: list[Cost], **how: object) -> None:
        """Run a command as one round."""
        with self.round(costs):
            subprocess.run(self.argv(argv), check=True, **how)  # type: ignore[call-overload]


@contextlib.contextmanager
def meter() -> Iterator[Meter]:
    """Yield a meter, which measures CPU time if a cgroup (version 2) can be made."""
    group = _group()
    try:
        if group is not None:
            group.mkdir()
    except OSError:
        group = None
    try:
        yield Meter(group)
    finally:
        if group is not None:
            _remove(group)


def _remove(group: Path) -> None:
    """Remove the cgroup; killed processes may take a moment to disappear."""
    for _ in range(100):
        with contextlib.suppress(OSError):
            group.rmdir()
        if not group.exists():
            break
        time.sleep(0.1)


def _group() -> Path | None:
    own = next((line[3:] for line in Path("/proc/self/cgroup").read_text().splitlines() if line[:3] == "0::"), None)
    mounts = [line.split() for line in Path("/proc/mounts").read_text().splitlines()]
    place = next((words[1] for words in mounts if words[2] == "cgroup2"), None)
    return Path(f"{place}{own}", f"forgetest-bench-{os.getpid()}") if own and place else None


def compare(
    names: tuple[str, str], costs: tuple[Sequence[Cost], Sequence[Cost]], samples: int
) -> tuple[float, float | None]:
    """Print both sides; return how many times as fast the first is, by wall time and by CPU time, as medians.

    Ratios are taken round by round: neighbours in time share what else the machine does.
    """
    for name, of_one in zip(names, costs, strict=True):
        wall = statistics.median(cost.wall_s for cost in of_one)
        line = f"{name:<24} {samples / wall:6.2f} samples a second, {wall / samples * 1000:7.1f} ms a sample"
        cpu = [cost.cpu_s for cost in of_one if cost.cpu_s is not None]
        print(line + (f", {statistics.median(cpu) / samples * 1000:7.1f} ms of CPU time" if cpu else ""))
    rounds = list(zip(*costs, strict=True))
    by_wall = statistics.median(second.wall_s / first.wall_s for first, second in rounds)
    by_cpu = [second.cpu_s / first.cpu_s for first, second in rounds if first.cpu_s and second.cpu_s]
    return by_wall, statistics.median(by_cpu) if by_cpu else None
