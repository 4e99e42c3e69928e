"""Python programs: checked and linted once, then run once for each input, all in one warm tree of processes.

Several programs can share a launch. Each is compiled and run in processes of its own, which never held another one.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from forgetest.errors import MachineryError
from forgetest.toolchains.programs import (
    MOST_STDERR_BYTES,
    MOST_TIME_OUTS,
    SHARED_OUTPUT_BYTES,
    SHARED_TIME_S,
    WAITING_S,
    Content,
    HostFile,
    InputMounts,
    ProgramResult,
    ProgramRun,
    RunEnding,
    launch_output_bytes,
)
from forgetest.toolchains.python import lint
from forgetest.toolchains.python.launch import RunResult
from forgetest.toolchains.python.outcomes import import_error
from forgetest.toolchains.python.preparation import PreparedCase
from forgetest.toolchains.timing import retry_alone
from forgetest.verdict import Diagnostic, Execution, Limits, Mount, Provenance, Step, Verdict

_CHECK = """
import json, sys, warnings
warnings.simplefilter("ignore")
def check(code):
    try:
        compile(code, "solution.py", "exec", dont_inherit=True)
    except SyntaxError as error:
        place = [error.lineno, error.offset, error.end_lineno, error.end_offset]
        return [type(error).__name__, error.msg, [part for part in place if isinstance(part, int)]]
    except BaseException as error:
        return [type(error).__name__, str(error), []]
print(json.dumps([check(code) for code in json.load(sys.stdin)]))
"""
_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); from judge import program_launcher; "
    "program_launcher.main(sys.argv[3:], sys.argv[2].split())"
)
_IMPORT = re.compile(r"^[ \t]*(?:import|from)[ \t]+([A-Za-z_]\w*)", re.MULTILINE)
"""What a program seems to import: the case's packages among it are imported once, before its processes are forked."""
_INPUTS = "/in"
_SPARE_ADDRESSES = 64 << 20
"""Address space that the interpreter takes itself."""
_OVERRUN_S = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonProgram:
    """A program that was checked."""

    prepared: PreparedCase
    code: str
    verdict: Verdict


def build(prepared: PreparedCase, code: str) -> Generator[Step, Execution, PythonProgram]:
    """Check that a program can be parsed, and lint it. Nothing of it is run."""
    checked = yield from retry_alone(_check_step(prepared, [code]))
    verdict = _verdict(prepared, code, _read_errors(checked, [code])[0], checked.wall_ms)
    if verdict.compiled and prepared.is_linted:
        linted = yield from retry_alone(lint.lint_step(prepared.tools, [code]))
        verdict = replace(verdict, lints=lint.read_lints(linted, 1)[0])
    return PythonProgram(prepared=prepared, code=code, verdict=verdict)


def build_together(
    samples: Sequence[tuple[PreparedCase, str]],
) -> Generator[Step, Execution, list[PythonProgram | None]]:
    """Check and lint several programs; None for those that have to be built alone, as all do with different tools."""
    codes = [code for _, code in samples]
    if any((each.tools, each.runtime) != (samples[0][0].tools, samples[0][0].runtime) for each, _ in samples):
        return [None] * len(samples)
    checked = yield _check_step(samples[0][0], codes)
    if not checked.succeeded:  # one of them brought the parser down
        return [None] * len(samples)
    errors, share_ms = _read_errors(checked, codes), checked.wall_ms / len(samples)
    verdicts = [_verdict(*sample, error, share_ms) for sample, error in zip(samples, errors, strict=True)]
    linted = [i for i, (prepared, _) in enumerate(samples) if prepared.is_linted and verdicts[i].compiled]
    if linted:
        execution = yield from retry_alone(lint.lint_step(samples[0][0].tools, [codes[index] for index in linted]))
        for index, lints in zip(linted, lint.read_lints(execution, len(linted)), strict=True):
            verdicts[index] = replace(verdicts[index], lints=lints)
    return [
        PythonProgram(prepared=prepared, code=code, verdict=verdict)
        for (prepared, code), verdict in zip(samples, verdicts, strict=True)
    ]


def _check_step(prepared: PreparedCase, codes: Sequence[str]) -> Step:
    return Step(
        name="parse",
        argv=(*prepared.tools.interpreter, "-c", _CHECK),
        stdin=json.dumps(codes).encode(),
        mounts=prepared.tools.mounts,
        env=prepared.tools.environment,
        limits=Limits(cpu_s=20, wall_s=60, memory_bytes=1 << 30),
        workdir=False,
    )


def _read_errors(execution: Execution, codes: Sequence[str]) -> list[Diagnostic | None]:
    """Return why each code cannot be parsed, or None."""
    if not execution.succeeded:  # the parser itself can be brought down
        message = f"cannot be parsed: the parser ended ({execution.ended})"
        return [Diagnostic(level="error", code=None, message=message)] * len(codes)
    return [_error(found, code) for found, code in zip(json.loads(execution.stdout), codes, strict=True)]


def _error(found: tuple[str, str, list[int]] | None, code: str) -> Diagnostic | None:
    if found is None:
        return None
    kind, message, place = found
    failure = RunResult(ending="not_loaded", message=f"{kind}: {message}", place=tuple(place), notes={}, doubts={})
    return import_error(failure, code)


def _verdict(prepared: PreparedCase, code: str, error: Diagnostic | None, wall_ms: float) -> Verdict:
    return Verdict(
        compiled=error is None,
        errors=() if error is None else (error,),
        provenance=_provenance(prepared, code),
        compile_ms=wall_ms,
    )


Job = tuple[PythonProgram, Sequence[ProgramRun]]
"""A program, and the runs to make of it."""


def run(program: PythonProgram, runs: Sequence[ProgramRun]) -> Generator[Step, Execution, list[ProgramResult]]:
    """Run a program once for each input."""
    execution = yield _run_step([(program, runs)], launch_output_bytes(runs))
    if execution.ended == "memory_limit":  # only a sample takes that much
        return [ProgramResult(ending="signalled", code=9, stderr="it used up its memory") for _ in runs]
    [results] = _read_results(execution, [runs])
    rest: RunEnding = "littered" if results and results[-1].ending == "littered" else "not_run"
    return results + [ProgramResult(ending=rest)] * (len(runs) - len(results))


def run_together(jobs: Sequence[Job]) -> Generator[Step, Execution, list[list[ProgramResult] | None]]:
    """Run several programs in one launch, one after the other; None for those that have to be run alone.

    That is a program that prints much or leaves something behind, and one whose turn does not come: after one that
    left something, or after others that took long.
    """
    execution = yield _run_step(jobs, SHARED_OUTPUT_BYTES)
    if execution.ended == "memory_limit":
        return [None] * len(jobs)
    found = _read_results(execution, [runs for _, runs in jobs])
    return [
        results + [ProgramResult(ending="not_run")] * (len(runs) - len(results)) if _is_plain(results) else None
        for (_, runs), results in zip(jobs, found, strict=True)
    ]


def _is_plain(results: Sequence[ProgramResult]) -> bool:
    return bool(results) and not any(result.ending in ("output_limit", "littered") for result in results)


def _run_step(jobs: Sequence[Job], output_bytes: int) -> Step:
    """Return the step that makes these runs. `output_bytes`: of each program together."""
    inputs = InputMounts(_INPUTS)
    plan = {
        "programs": [{"code": program.code, "runs": [_planned(run, inputs) for run in runs]} for program, runs in jobs],
        "most_time_outs": MOST_TIME_OUTS,
        "output_bytes": output_bytes,
        "time_s": SHARED_TIME_S,
    }
    tools = jobs[0][0].prepared.tools
    imported = {name for program, _ in jobs for name in _IMPORT.findall(program.code)}
    warm = sorted(imported.intersection(tools.packages.modules))
    every = [run for _, runs in jobs for run in runs]
    return Step(
        name="run",
        argv=(*tools.interpreter, "-c", _START, "/rt", " ".join(warm), _INPUTS, "/tmp", "/x"),
        stdin=json.dumps(plan).encode(),
        mounts=(*tools.mounts, Mount(source=jobs[0][0].prepared.runtime, target="/rt"), *inputs.mounts),
        env=tools.environment,
        limits=Limits(
            cpu_s=60 + sum(run.cpu_s + _OVERRUN_S for run in every),
            wall_s=60 + sum(run.wall_s for run in every),
            memory_bytes=4 * max(run.memory_bytes for run in every),
            output_bytes=(1 << 20) + 2 * output_bytes * len(jobs) + 7 * MOST_STDERR_BYTES * len(every),
        ),
        workdir=False,
        init=True,
    )


def _planned(run: ProgramRun, inputs: InputMounts) -> Mapping[str, Any]:
    def planned(content: Content) -> Mapping[str, str]:
        if isinstance(content, HostFile):
            return {"file": inputs.name(content)}
        return {"bytes": base64.b64encode(content).decode()}

    return {
        "stdin": planned(run.stdin),
        "files": [planned(content) for content in run.files],
        "call": run.call,
        "cpu_s": run.cpu_s,
        "wall_s": run.wall_s,
        "waiting_s": WAITING_S,
        "memory_bytes": run.memory_bytes + _SPARE_ADDRESSES,
        "output_bytes": run.output_bytes,
        "stderr_bytes": MOST_STDERR_BYTES,
    }


def _read_results(execution: Execution, jobs: Sequence[Sequence[ProgramRun]]) -> list[list[ProgramResult]]:
    """Return the results of each program. Only the launcher writes the report, so an incomplete one is our failure."""
    report = execution.stdout.decode("ascii", errors="replace")
    if not execution.succeeded or not report.startswith("ready\n") or not report.endswith("end\n"):
        reason = execution.stderr.decode(errors="replace").strip().splitlines()
        raise MachineryError(
            f"the launcher did not finish ({execution.ended}): {reason[-1] if reason else 'no reason'}"
        )
    found: list[list[ProgramResult]] = [[]]
    for line in report.splitlines()[1:-1]:
        if line:
            found[-1].append(_result(json.loads(line)))
        else:
            found.append([])
    return [*found[:-1], *([] for _ in range(len(jobs) - len(found) + 1))]


def _result(found: dict[str, Any]) -> ProgramResult:
    return ProgramResult(**{**found, "stdout": base64.b64decode(found["stdout"])})


def _provenance(prepared: PreparedCase, code: str) -> Provenance:
    return Provenance(
        source=_hash(code),
        tests="",
        dependencies=prepared.tools.packages.lock,
        toolchain=prepared.tools.version,
        flags=_hash(" ".join([prepared.runtime, *(lint.RULES if prepared.is_linted else ())])),
        binary=None,
    )


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
