"""Python programs: checked and linted once, then run once for each input, all in one warm tree of processes."""

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
found = None
try:
    compile(sys.stdin.buffer.read().decode("utf-8", "surrogatepass"), "solution.py", "exec", dont_inherit=True)
except SyntaxError as error:
    place = [error.lineno, error.offset, error.end_lineno, error.end_offset]
    found = [type(error).__name__, error.msg, [part for part in place if isinstance(part, int)]]
except BaseException as error:
    found = [type(error).__name__, str(error), []]
print(json.dumps(found))
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
    checked = yield from retry_alone(_check_step(prepared, code))
    error = _read_error(checked, code)
    verdict = Verdict(
        compiled=error is None,
        errors=() if error is None else (error,),
        provenance=_provenance(prepared, code),
        compile_ms=checked.wall_ms,
    )
    if error is None and prepared.is_linted:
        linted = yield from retry_alone(lint.lint_step(prepared.tools, [code]))
        verdict = replace(verdict, lints=lint.read_lints(linted, 1)[0])
    return PythonProgram(prepared=prepared, code=code, verdict=verdict)


def _check_step(prepared: PreparedCase, code: str) -> Step:
    return Step(
        name="parse",
        argv=(*prepared.tools.interpreter, "-c", _CHECK),
        stdin=code.encode("utf-8", "surrogatepass"),
        mounts=prepared.tools.mounts,
        env=prepared.tools.environment,
        limits=Limits(cpu_s=20, wall_s=60, memory_bytes=1 << 30),
        workdir=False,
    )


def _read_error(execution: Execution, code: str) -> Diagnostic | None:
    """Return why the code cannot be parsed, or None."""
    if not execution.succeeded:  # the parser itself can be brought down
        return Diagnostic(level="error", code=None, message=f"cannot be parsed: the parser ended ({execution.ended})")
    found = json.loads(execution.stdout)
    if found is None:
        return None
    kind, message, place = found
    failure = RunResult(ending="not_loaded", message=f"{kind}: {message}", place=tuple(place), notes={}, doubts={})
    return import_error(failure, code)


def run(program: PythonProgram, runs: Sequence[ProgramRun]) -> Generator[Step, Execution, list[ProgramResult]]:
    """Run a program once for each input."""
    execution = yield run_step(program, runs)
    return read_results(execution, runs)


def run_step(program: PythonProgram, runs: Sequence[ProgramRun]) -> Step:
    """Return the step that makes these runs."""
    inputs = InputMounts(_INPUTS)
    output_bytes = launch_output_bytes(runs)
    plan = {
        "code": program.code,
        "runs": [_planned(run, inputs) for run in runs],
        "most_time_outs": MOST_TIME_OUTS,
        "output_bytes": output_bytes,
    }
    prepared = program.prepared
    warm = sorted({*_IMPORT.findall(program.code)}.intersection(prepared.tools.packages.modules))
    return Step(
        name="run",
        argv=(*prepared.tools.interpreter, "-c", _START, "/rt", " ".join(warm), _INPUTS, "/tmp", "/x"),
        stdin=json.dumps(plan).encode(),
        mounts=(*prepared.tools.mounts, Mount(source=prepared.runtime, target="/rt"), *inputs.mounts),
        env=prepared.tools.environment,
        limits=Limits(
            cpu_s=60 + sum(run.cpu_s + _OVERRUN_S for run in runs),
            wall_s=60 + sum(run.wall_s for run in runs),
            memory_bytes=4 * max(run.memory_bytes for run in runs),
            output_bytes=(1 << 20) + 2 * output_bytes + 7 * MOST_STDERR_BYTES * len(runs),
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


def read_results(execution: Execution, runs: Sequence[ProgramRun]) -> list[ProgramResult]:
    """Return the result of each run. Only the launcher writes the report, so an incomplete one is a failure of ours."""
    if execution.ended == "memory_limit":  # only a sample takes that much
        return [ProgramResult(ending="signalled", code=9, stderr="it used up its memory") for _ in runs]
    lines = execution.stdout.decode("ascii", errors="replace").splitlines()
    if not execution.succeeded or lines[:1] != ["ready"] or lines[-1:] != ["end"]:
        reason = execution.stderr.decode(errors="replace").strip().splitlines()
        raise MachineryError(
            f"the launcher did not finish ({execution.ended}): {reason[-1] if reason else 'no reason'}"
        )
    results = [_result(json.loads(line)) for line in lines[1:-1]]
    rest: RunEnding = "littered" if results and results[-1].ending == "littered" else "not_run"
    return results + [ProgramResult(ending=rest)] * (len(runs) - len(results))


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
