"""Fingerprints of Rust programs: optimized MIR and, where it is all there is, the optimized object.

Generic functions have no machine code before somebody uses them, so objects tell nothing about programs that have any;
their MIR does.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Generator, Sequence
from typing import Protocol, cast

from forgetest import mutation
from forgetest.evalset import Case
from forgetest.toolchains import Prepared
from forgetest.toolchains.rust.audit.operators import GRAMMAR
from forgetest.toolchains.rust.compile import build
from forgetest.toolchains.rust.compile.case_build import CaseBuild
from forgetest.toolchains.rust.language import edition
from forgetest.toolchains.scripts import Scripts
from forgetest.verdict import Execution, Limits, Step

_FLAGS = (
    "--sysroot=/tc",
    "--crate-type=rlib",
    "--crate-name=sample",
    "--cap-lints=allow",
    "-Copt-level=3",
    # tests run with these checks, so their absence would be another behaviour
    "-Coverflow-checks=on",
    "-Cdebug-assertions=on",
    "-Cdebuginfo=0",
    "-Ccodegen-units=1",
    "-Clink-dead-code",  # machine code for every function that is not generic, also for small ones
    "-Zlocation-detail=none",  # no line numbers in panics
    "--emit=mir=/w/sample.mir,obj=/w/sample.o",
)
_OUTPUTS = ("sample.mir", "sample.o")
_LIMITS = Limits(cpu_s=20, wall_s=120)
_MIR_NOISE = re.compile(r"^\s*(//.*|debug .*;)$|\{closure@[^}]*\}|\(inlined [^)]*\)", re.MULTILINE)
"""Comments, names of variables, and positions in the names of closures."""


class _PreparedRust(Protocol):
    @property
    def case_build(self) -> CaseBuild: ...


def fingerprints(prepared: Prepared, case: Case, code: str, executions: Sequence[Execution]) -> Step | Collection[str]:
    """Compile the program once, optimized; nothing for one that does not compile."""
    case_build = cast("_PreparedRust", prepared).case_build
    return _scripts.answer((prepared, case, code), lambda: _compile(case_build, case, code), executions)


def _compile(case_build: CaseBuild, case: Case, code: str) -> Generator[Step, Execution, Collection[str]]:
    execution = yield Step(
        name="optimized build",
        argv=(
            "/tc/bin/rustc",
            *_FLAGS,
            f"--edition={edition(case)}",
            *case_build.crates.arguments(case_build.secret_name("")),
            "-",
        ),
        stdin=code.encode(errors="replace"),
        outputs=_OUTPUTS,
        env={**build.ENVIRONMENT, "RUSTC_BOOTSTRAP": "1"},  # for -Zlocation-detail
        mounts=build.mounts(case_build),
        limits=_LIMITS,
    )
    if not execution.succeeded:
        return ()
    mir = _MIR_NOISE.sub("", execution.outputs.get("sample.mir", b"").decode(errors="replace"))
    found = [f"mir:{_sha256(mir.encode())}"] if mir.strip() else []
    object_ = execution.outputs.get("sample.o")
    if object_ and not _has_generics(code):
        found.append(f"object:{_sha256(object_)}")
    return tuple(found)


def _has_generics(code: str) -> bool:
    """Return whether some code of a program may have no machine code yet: generics, trait methods, macros."""
    for node in mutation.walk(mutation.parse(GRAMMAR, code)):
        if node.type in ("trait_item", "abstract_type", "macro_definition", "ERROR"):
            return True
        if node.type == "type_parameters" and any(child.type != "lifetime_parameter" for child in node.named_children):
            return True
    return False


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


_scripts = Scripts()
