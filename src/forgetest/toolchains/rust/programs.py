"""Rust programs, and functions that are called: linted by clippy, built optimised, and run in one launch."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from forgetest.errors import MachineryError
from forgetest.evalset import Case
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
from forgetest.toolchains.rust import calls
from forgetest.toolchains.rust.compile import build
from forgetest.toolchains.rust.compile.build import BuildResult
from forgetest.toolchains.rust.compile.case_build import BuildOptions, CaseBuild
from forgetest.toolchains.rust.compile.diagnostics import ASSEMBLY
from forgetest.toolchains.rust.language import edition
from forgetest.toolchains.rust.run.run_tests import run_mounts
from forgetest.toolchains.timing import retry_alone
from forgetest.verdict import Diagnostic, Execution, Limits, Provenance, Step, Verdict

_LIBRARY, _PROGRAM = "--crate-type=cdylib", "--crate-type=bin"
_OPTIMISED = "-Copt-level=2"
"""As contests compile: their time limits are meant for optimised code."""
_LEAST_CPU_S = 20.0
_INPUTS = "/in"
_OVERRUN_S = 3.0

_ENTRY = """
const _: () = ();
extern crate {secret} as _;
#[unsafe(no_mangle)]
extern "C" fn {secret}_entry() -> i32 {{
    fn {secret}_code<T: ::std::process::Termination>(value: T) -> i32 {{
        let text = ::std::format!("{{:?}}", ::std::process::Termination::report(value));
        let digits: ::std::string::String = text.chars().filter(|each| each.is_ascii_digit()).collect();
        digits.parse().unwrap_or(1)
    }}
    match ::std::panic::catch_unwind(|| {secret}_code(main())) {{
        ::std::result::Result::Ok(code) => code,
        ::std::result::Result::Err(payload) => {{
            ::std::mem::forget(payload);
            101
        }}
    }}
}}
"""
"""What the runtime of a binary does around `main`. An ExitCode shows its number only in its debugging form. The empty
const takes whatever an attribute at the sample's end would otherwise apply to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RustProgram:
    """A program that was built."""

    case_build: CaseBuild
    verdict: Verdict
    entry: str = ""
    object: bytes = b""


def compile_program(case_build: CaseBuild, case: Case, code: str) -> Generator[Step, Execution, RustProgram]:
    """Lint a program or a function, and build it as a library that our own program can call."""
    checked = yield from retry_alone(_check_step(case_build, case, code))
    result = build.read(code, checked)
    verdict = _verdict(case_build, case, code, result, checked.wall_ms)
    if not verdict.compiled:
        return RustProgram(case_build=case_build, verdict=verdict)
    built = yield from retry_alone(_build_step(case_build, case, code))
    result = build.read(code, built)
    verdict = replace(verdict, compile_ms=verdict.compile_ms + built.wall_ms)
    if result.object is None:
        message = result.errors[0].diagnostic.message if result.errors else result.failure or "no reason given"
        about_call = "cannot be called with JSON values: " if _is_call(case) else ""
        error = Diagnostic(level="error", code=None, message=about_call + message)
        return RustProgram(case_build=case_build, verdict=replace(verdict, compiled=False, errors=(error,)))
    verdict = replace(verdict, provenance=replace(verdict.provenance, binary=result.object_hash))
    entry = f"{case_build.secret_name(code)}_entry"
    return RustProgram(case_build=case_build, verdict=verdict, entry=entry, object=result.object)


def _check_step(case_build: CaseBuild, case: Case, code: str) -> Step:
    """Return the call of clippy: it checks the program as it stands, and makes nothing."""
    step = build.step(case, code, case_build, BuildOptions(tests=False), name="check")
    if _is_call(case):
        return replace(step, stdin=calls.checked_text(case, code).encode(errors="replace"), limits=_limits(case))
    argv = tuple(_PROGRAM if word == _LIBRARY else word for word in step.argv)
    return replace(step, argv=argv, limits=_limits(case))


def _build_step(case_build: CaseBuild, case: Case, code: str) -> Step:
    secret = case_build.secret_name(code)
    options = BuildOptions(plain_rustc=True, capped=True)
    flags = (f"--extern={secret}=/rt/libcarrier.so", *case_build.crates.arguments(secret))
    text = code + _ENTRY.format(secret=secret)
    if _is_call(case):
        flags = (*flags, f"--extern={secret}_calls=/rt/libcalls.so", "-Ldependency=/rt")
        text = calls.callable_text(case, code, secret)
    plain = build.compiler_call(case_build, case, options)
    call = (_OPTIMISED if word.startswith("-Copt-level") else word for word in plain)
    return Step(
        name="build",
        argv=(*call, *flags, "-"),
        stdin=text.encode(errors="replace"),
        outputs=(build.OBJECT,),
        env=build.ENVIRONMENT,
        mounts=build.mounts(case_build),
        limits=_limits(case),
    )


def _is_call(case: Case) -> bool:
    return case.io is not None and case.io.call is not None


def _limits(case: Case) -> Limits:
    cpu_s = max(case.timeout_secs, _LEAST_CPU_S)
    return Limits(cpu_s=cpu_s, wall_s=10 * cpu_s + 30)


def _verdict(case_build: CaseBuild, case: Case, code: str, result: BuildResult, wall_ms: float) -> Verdict:
    errors = tuple(dict.fromkeys(remark.diagnostic for remark in result.errors))
    if result.failure:
        errors = (*errors, Diagnostic(level="error", code=None, message=result.failure))
    asked_by_us = {"unsafe_code", *ASSEMBLY}
    warnings = dict.fromkeys(
        remark.diagnostic
        for remark in result.remarks
        if not remark.is_error and remark.place == "sample" and remark.diagnostic.code not in asked_by_us
    )
    return Verdict(
        compiled=not errors,
        errors=errors,
        warnings=tuple(each for each in warnings if not _is_clippy(each)),
        lints=tuple(each for each in warnings if _is_clippy(each)),
        provenance=Provenance(
            source=_hash(code),
            tests="",
            dependencies=case_build.crates.lock,
            toolchain=case_build.tools.version,
            flags=_hash(" ".join([_OPTIMISED, edition(case), *build.FLAGS])),
            binary=None,
        ),
        compile_ms=wall_ms,
    )


def _is_clippy(diagnostic: Diagnostic) -> bool:
    return (diagnostic.code or "").startswith("clippy::")


def run(program: RustProgram, runs: Sequence[ProgramRun]) -> Generator[Step, Execution, list[ProgramResult]]:
    """Run a program once for each input."""
    execution = yield run_step(program, runs)
    return read_results(execution, runs)


def run_step(program: RustProgram, runs: Sequence[ProgramRun]) -> Step:
    """Return the step that makes these runs; all of them have equally many arguments."""
    inputs = InputMounts(_INPUTS)
    output_bytes = launch_output_bytes(runs)
    blobs: list[bytes] = []

    def word(content: Content) -> str:
        if isinstance(content, HostFile):
            return f"f{inputs.name(content)}"
        blobs.append(content)
        return f"b{len(content)}"

    lines = [f"object {program.entry} {len(program.object)}", f"launch {output_bytes} {MOST_TIME_OUTS}"]
    for each in runs:
        times = (each.cpu_s, each.cpu_s + WAITING_S, each.wall_s)
        sizes = (each.memory_bytes, each.output_bytes, MOST_STDERR_BYTES)
        numbers = [*(round(time * 1000) for time in times), *sizes]
        lines.append(" ".join(["run", *map(str, numbers), *(word(content) for content in (each.stdin, *each.files))]))
    plan = "\n".join([*lines, "end", ""]).encode()
    return Step(
        name="run",
        argv=("/rt/programs", *("argument" for _ in runs[0].files)),
        stdin=b"".join([plan, program.object, *blobs]),
        mounts=(*run_mounts(program.case_build), *inputs.mounts),
        env={"LD_LIBRARY_PATH": "/rt:/lib", "RUST_BACKTRACE": "0", "FOLDERS": f"/tmp:/x:{_INPUTS}"},
        limits=Limits(
            cpu_s=60 + sum(each.cpu_s + _OVERRUN_S for each in runs),
            wall_s=60 + sum(each.wall_s for each in runs),
            memory_bytes=4 * max(each.memory_bytes for each in runs),
            output_bytes=(1 << 20) + 2 * output_bytes + 2 * MOST_STDERR_BYTES * len(runs),
        ),
        workdir=False,
        init=True,
    )


def read_results(execution: Execution, runs: Sequence[ProgramRun]) -> list[ProgramResult]:
    """Return the result of each run. Only our program writes the report, so an incomplete one is a failure of ours."""
    if execution.ended == "memory_limit":  # only a sample takes that much
        return [ProgramResult(ending="signalled", code=9, stderr="it used up its memory") for _ in runs]
    lines = execution.stdout.decode("ascii", errors="replace").splitlines()
    if not execution.succeeded or lines[:1] != ["ready"] or lines[-1:] != ["end"]:
        reason = execution.stderr.decode(errors="replace").strip().splitlines()
        raise MachineryError(
            f"the launcher of programs did not finish ({execution.ended}): {reason[-1] if reason else 'no reason'}"
        )
    results = [_result(line) for line in lines[1:-1]]
    rest: RunEnding = "littered" if results and results[-1].ending == "littered" else "not_run"
    return results + [ProgramResult(ending=rest)] * (len(runs) - len(results))


_ENDINGS: dict[str, RunEnding] = {
    "exited": "exited",
    "signalled": "signalled",
    "cpu_limit": "cpu_limit",
    "wall_limit": "wall_limit",
    "output_limit": "output_limit",
    "littered": "littered",
}


def _result(line: str) -> ProgramResult:
    ending, code, wall_us, cpu_us, output, errors = line.split(" ")
    return ProgramResult(
        ending=_ENDINGS[ending],
        code=int(code),
        stdout=bytes.fromhex(output[1:]),
        stderr=bytes.fromhex(errors[1:]).decode(errors="replace"),
        wall_ms=int(wall_us) / 1000,
        cpu_ms=int(cpu_us) / 1000,
    )


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
