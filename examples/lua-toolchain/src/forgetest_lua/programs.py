"""Lua programs (`[cases.io]`): parsed and linted once, then run once for each input.

Every run has a sandbox of its own, which is the simplest way to keep the promise that no run sees another. A launcher
inside of one sandbox, as Python's and Rust's toolchains have it, would be faster.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from forgetest.evalset import Case
from forgetest.toolchains.programs import (
    MOST_STDERR_BYTES,
    MOST_TIME_OUTS,
    HostFile,
    InputMounts,
    ProgramResult,
    ProgramRun,
)
from forgetest.verdict import Execution, Limits, Step, Verdict
from forgetest_lua import judging
from forgetest_lua.tools import SYSTEM, Tools

_RUN = 'input=$1; shift; mkdir run && cd run || exit 1; exec lua5.4 ../program.lua "$@" < "$input"'
"""A program starts in an empty folder."""
_KILLED = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class LuaProgram:
    """A program that can be run if its verdict says that it compiled."""

    code: str
    verdict: Verdict


def build(tools: Tools, case: Case, code: str) -> Generator[Step, Execution, LuaProgram]:
    """Parse and lint a program; run nothing of it."""
    verdict = yield from judging.judge(tools, case, code)  # a case with `io` has no test file, so nothing is tested
    return LuaProgram(code=code, verdict=verdict)


def run(program: LuaProgram, runs: Sequence[ProgramRun]) -> Generator[Step, Execution, list[ProgramResult]]:
    """Make the runs one after the other, until several of them have run out of time."""
    results: list[ProgramResult] = []
    for each in runs:
        if sum(result.ending in ("cpu_limit", "wall_limit") for result in results) >= MOST_TIME_OUTS:
            results.append(ProgramResult(ending="not_run"))
        else:
            results.append(_result((yield _step(program, each))))
    return results


def _step(program: LuaProgram, run: ProgramRun) -> Step:
    mounted, files = InputMounts("/in"), {"program.lua": program.code.encode(errors="surrogatepass")}
    words = []
    for number, content in enumerate((run.stdin, *run.files)):
        if isinstance(content, HostFile):  # it may be large: it is mounted, and never read here
            words.append(f"/in/{mounted.name(content)}")
        else:
            files[f"input{number}"] = content
            words.append(f"../input{number}")
    return Step(
        name="run",
        argv=("/bin/sh", "-c", _RUN, "sh", *words),
        files=files,
        mounts=(*SYSTEM, *mounted.mounts),
        env={"PATH": "/usr/bin:/bin"},
        limits=Limits(
            cpu_s=run.cpu_s,
            wall_s=run.wall_s,
            memory_bytes=run.memory_bytes,
            output_bytes=run.output_bytes,
            processes=8,
        ),
    )


def _result(execution: Execution) -> ProgramResult:
    ended = execution.ended
    return ProgramResult(
        ending="signalled" if ended == "memory_limit" else ended,
        code=_KILLED if ended == "memory_limit" else abs(execution.exit_code),
        stdout=execution.stdout,
        stderr=execution.stderr[-MOST_STDERR_BYTES:].decode(errors="replace"),
        wall_ms=execution.wall_ms,
    )
