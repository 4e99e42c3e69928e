"""The compiler call that makes an object of a sample and the trusted tests, and its result."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.toolchains.rust.compile import diagnostics, glue
from forgetest.toolchains.rust.compile.case_build import BuildOptions, CaseBuild
from forgetest.toolchains.rust.compile.diagnostics import FileNames, Remark
from forgetest.toolchains.rust.language import edition
from forgetest.verdict import Execution, Limits, Mount, Step

FLAGS = (
    "--sysroot=/tc",
    "--crate-type=cdylib",
    "--crate-name=sample",
    "--error-format=json",
    "--check-cfg=cfg(docsrs,test)",
    "--check-cfg=cfg(feature, values())",
    "-Copt-level=0",
    "-Cdebuginfo=0",
    "-Cprefer-dynamic",
)
# forced, so that no attribute of the sample silences a lint or makes it an error
LINTS = (
    "--force-warn=clippy::all",
    "--force-warn=unsafe_code",
    *(f"--force-warn={lint}" for lint in sorted(diagnostics.ASSEMBLY)),
)
ENVIRONMENT = {"LD_LIBRARY_PATH": "/lib", "TMPDIR": "/w"}

_LEAST_CPU_S = 4.0
"""A case's time limit is for its tests; the compiler gets at least this much."""
OBJECT = "sample.so"
_MACHINE = re.compile(
    r"^(could not write output|couldn't create a temp dir|(failed|unable|error) (to |when |while )?(creat|writ|copy))"
    r"|^[^`]*\((os error) (5|12|23|24|28|122)\)$|^linking with `[^`]*` failed: signal: 9\b"
)
"""Errors without a position that are no fault of the sample. No word of a sample may occur in their match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """The result of a build."""

    remarks: tuple[Remark, ...]
    object: bytes | None
    object_hash: str | None = None
    failure: str | None
    """Why there is no object, if the remarks do not explain it."""
    stopped: bool = False
    """True if a limit or a crash stopped the compiler, so that its diagnostics are incomplete."""

    @property
    def errors(self) -> tuple[Remark, ...]:
        """The remarks that stopped it."""
        return tuple(remark for remark in self.remarks if remark.is_error)

    @property
    def sample_errors(self) -> tuple[Remark, ...]:
        """The errors in the sample's own code."""
        return tuple(remark for remark in self.errors if remark.place == "sample")


def step(case: Case, code: str, case_build: CaseBuild, options: BuildOptions, *, name: str = "build") -> Step:
    """Return the compiler call for a sample."""
    secret = case_build.secret_name(code)
    root, files = glue.write(case, code, case_build, options) if options.tests else (code, {})
    flags = (*file_flags(secret, diagnostics.SINGLE_SAMPLE), *case_build.crates.arguments(secret))
    cpu_s = max(case.timeout_secs, _LEAST_CPU_S)
    return Step(
        name=name,
        argv=(*compiler_call(case_build, case, options), *flags, "-"),
        stdin=root.encode(errors="replace"),
        files=files,
        outputs=(OBJECT,) if options.tests and options.linked else (),
        env=ENVIRONMENT,
        mounts=mounts(case_build),
        limits=Limits(cpu_s=cpu_s, wall_s=10 * cpu_s + 30),
    )


def compiler_call(case_build: CaseBuild, case: Case, options: BuildOptions) -> tuple[str, ...]:
    """Return the compiler and all arguments that do not depend on the sample."""
    # clippy-driver sets `cfg(clippy)`: the code that is linted and the code that is run must be the same
    driver = ("/tc/bin/rustc", "--cfg=clippy") if options.plain_rustc else ("/tc/bin/clippy-driver", *LINTS)
    return (
        *driver,
        *FLAGS,
        *case_build.tools.linker_arguments,
        f"--edition={edition(case)}",
        *(("--cap-lints=allow",) if options.capped else ()),
        *(("--cfg=test", "-Aexplicit_builtin_cfgs_in_flags") if options.cfg_test else ()),
        *((f"-o/w/{OBJECT}",) if options.tests and options.linked else ("--emit=metadata", "-o/w/sample.rmeta")),
    )


def file_flags(secret: str, files: FileNames) -> tuple[str, ...]:
    """Return the arguments for our files beside one sample, and for the crate of its secret name."""
    return (
        f"--remap-path-prefix=/w/{secret}_glue.rs={files.glue}",
        f"--remap-path-prefix=/w/{secret}_tests.rs={files.tests}",
        f"--extern={secret}=/rt/libcarrier.so",
    )


def mounts(case_build: CaseBuild) -> tuple[Mount, ...]:
    """Return what a compiler call sees of the host."""
    return (*case_build.tools.mounts, Mount(source=case_build.runtime, target="/rt"), *case_build.crates.mounts)


def read(code: str, execution: Execution) -> BuildResult:
    """Read the result of a compiler call."""
    lines = code.count("\n") + 1
    remarks = diagnostics.read(execution.stderr, sample_lines=lines, first_signature_line=glue.FIRST_SIGNATURE_LINE)
    for remark in remarks:
        if remark.is_error and remark.line == 0 and _MACHINE.search(remark.diagnostic.message):
            raise MachineryError(f"the compiler could not work: {remark.diagnostic.message}")
    failure = None
    if not execution.succeeded and not any(remark.is_error for remark in remarks):
        failure = _explain_failure(execution)
    object_ = execution.outputs.get(OBJECT) if execution.succeeded else None
    return BuildResult(
        remarks=remarks,
        object=object_,
        object_hash=object_hash(object_),
        failure=failure,
        stopped=execution.ended != "exited",
    )


def object_hash(object_: bytes | None) -> str | None:
    """Return the hash that identifies an object in a verdict's provenance."""
    return hashlib.sha256(object_).hexdigest() if object_ is not None else None


def _explain_failure(execution: Execution) -> str:
    match execution.ended:
        case "cpu_limit":
            return "the compiler used up its CPU time"
        case "wall_limit":
            return "the compiler did not end in time"
        case "memory_limit":
            return "the compiler used up its memory"
        case "output_limit":
            return "the compiler printed more than is read"
    lines = [line.strip() for line in execution.stderr.decode(errors="replace").splitlines()]
    messages = [line for line in lines if line and not line.startswith("{")]
    return f"the compiler ended with {execution.exit_code}: {messages[0] if messages else 'no reason given'}"
