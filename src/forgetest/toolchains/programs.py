"""Programs: samples that are run with an input, and judged by what they print. The further functions of a toolchain.

A toolchain says how to build and to run a program. It is never told what a test expects: outputs are compared by the
engine, outside of the sandbox.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, runtime_checkable

from forgetest.evalset import Case
from forgetest.toolchains import Prepared, PreparedSample
from forgetest.verdict import Execution, Mount, Step, Verdict

MEMORY_BYTES = 1 << 30
"""Memory of a program whose case does not limit it."""
MOST_TIME_OUTS = 3
"""Runs that may reach a time limit before the rest of a launch is left out: a slow program is slow in most of them."""
WALL_FACTOR, WALL_S = 10, 30.0
"""A program that computes gets ten times its CPU time on the clock: a busy machine must not make it slow."""
WAITING_S = 2.0
"""A program may wait without computing for as long as it may compute, and this much longer."""
OUTPUT_BYTES = 16 << 20
"""Output of a program, unless its test expects more."""
_LAUNCH_OUTPUT_BYTES = 64 << 20
SHARED_OUTPUT_BYTES = 1 << 20
"""Output of all runs of a program that shares a launch with others; one that prints more is run alone."""
MOST_STDERR_BYTES = 4 << 10

SHARED_TIME_S = 20.0
"""CPU time after which no further program is started in a shared launch: results must not wait for slow ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostFile:
    """A file of the host, which is mounted and never copied."""

    path: str


Content = bytes | HostFile


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramRun:
    """One start of a program, in a process of its own."""

    stdin: Content = b""
    files: tuple[Content, ...] = ()
    """Files whose paths are the program's arguments, in this order."""
    call: str | None = None
    """Do not run the program, but call this function of it with the JSON list on standard input; what it returns is
    printed as JSON. For languages with the form `call`."""
    cpu_s: float = 10.0
    memory_bytes: int = MEMORY_BYTES
    output_bytes: int = OUTPUT_BYTES
    """Longest output; a program that prints more is stopped."""

    @property
    def wall_s(self) -> float:
        """Time on the clock."""
        return WALL_FACTOR * self.cpu_s + WALL_S


def launch_output_bytes(runs: Sequence[ProgramRun]) -> int:
    """Return the longest output of all runs of a launch together: what one may print, not all of them may."""
    return _LAUNCH_OUTPUT_BYTES + sum(run.output_bytes for run in runs if run.output_bytes > OUTPUT_BYTES)


RunEnding = Literal["exited", "signalled", "cpu_limit", "wall_limit", "output_limit", "littered", "not_run"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramResult:
    """How a run of a program went."""

    ending: RunEnding
    """`littered`, `not_run`: left out, because an earlier run left files that cannot be removed, or because several
    reached a time limit."""
    code: int = 0
    """The exit code, or the number of the signal."""
    stdout: bytes = b""
    stderr: str = ""
    """The last lines."""
    wall_ms: float = 0.0
    cpu_ms: float = 0.0


class Program(Protocol):
    """A program that was built; other attributes are the toolchain's own."""

    @property
    def verdict(self) -> Verdict:
        """The verdict without tests. A program that did not compile cannot be run."""


@runtime_checkable
class Programs(Protocol):
    """The further functions of a language whose samples can be programs: its `LANGUAGE.io_forms` names the forms."""

    def build_program(
        self, prepared: Prepared, case: Case, code: str, executions: Sequence[Execution]
    ) -> Step | Program:
        """Return the next step to build a program after these executions, or the program."""

    def run_program(
        self, program: Program, runs: Sequence[ProgramRun], executions: Sequence[Execution]
    ) -> Step | Sequence[ProgramResult]:
        """Return the next step to make these runs after these executions, or the result of each of them.

        Every run has a process of its own, which is ended with it, and starts in an empty folder.
        """


@runtime_checkable
class SharedPrograms(Programs, Protocol):
    """The further functions of a language that can build and run several programs at once."""

    def build_programs(
        self, samples: Sequence[PreparedSample], executions: Sequence[Execution]
    ) -> Step | Sequence[Program | None]:
        """Return the next step to build these programs after these executions, or the programs.

        None for one that must be built separately.
        """

    def run_programs(
        self, jobs: Sequence[tuple[Program, Sequence[ProgramRun]]], executions: Sequence[Execution]
    ) -> Step | Sequence[Sequence[ProgramResult] | None]:
        """Return the next step to make these runs after these executions, or the results for each program.

        None for one that must be run separately. The results do not depend on the other programs.
        """


def without_answers(case: Case) -> Case:
    """Return the case as toolchains get it: without what its tests by input and output expect."""
    if case.io is None:
        return case
    tests = tuple(replace(test, output="") for test in case.io.tests)
    return replace(case, io=replace(case.io, tests=tests, checker_program=None))


@dataclass(slots=True)
class InputMounts:
    """The files of the host that a launch needs, each mounted once below a folder."""

    folder: str
    targets: dict[str, str] = field(default_factory=dict)
    """Names in that folder by path on the host."""

    def name(self, file: HostFile) -> str:
        """Return the name of a file in the folder."""
        return self.targets.setdefault(file.path, str(len(self.targets)))

    @property
    def mounts(self) -> tuple[Mount, ...]:
        """The mounts."""
        return tuple(Mount(source=path, target=f"{self.folder}/{name}") for path, name in self.targets.items())


TIME_OUTS: Mapping[RunEnding, Literal["cpu", "wall"]] = {"cpu_limit": "cpu", "wall_limit": "wall", "not_run": "cpu"}
"""The limit that stopped a run, by its ending."""
