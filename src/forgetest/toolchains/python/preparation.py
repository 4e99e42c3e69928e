"""Prepares a case: the tools, the runtime that goes into the sandbox, and the tests."""

from __future__ import annotations

import hashlib
from collections.abc import Generator
from dataclasses import dataclass
from importlib import resources

from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.toolchains.host_tools import preparation_error
from forgetest.toolchains.python import discovery, tools
from forgetest.toolchains.python.discovery import TestFile
from forgetest.toolchains.python.language import LANGUAGE
from forgetest.toolchains.python.tools import Tools
from forgetest.verdict import Execution, Limits, Step

_COMPILE = (
    "import compileall, py_compile, sys; mode = py_compile.PycInvalidationMode.UNCHECKED_HASH; "
    "sys.exit(not compileall.compile_dir('judge', quiet=1, invalidation_mode=mode))"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedCase:
    """A prepared case."""

    tools: Tools
    runtime: str
    """The kept folder with the runtime, for a mount."""
    module: str
    test_file: TestFile
    expected: tuple[str, ...]
    """Names that a sample must define."""
    is_linted: bool = True


def prepare(case: Case) -> Generator[Step, Execution, PreparedCase]:
    """Do everything that must happen before the first sample of a case."""
    test_file = discovery.read(case)
    found = yield from tools.locate(case)
    return PreparedCase(
        tools=found,
        runtime=(yield from _keep_runtime(found)),
        module=str(LANGUAGE.option(case.options, "module")),
        test_file=test_file,
        expected=tuple(discovery.expected_names(case)),
        is_linted=bool(LANGUAGE.option(case.options, "lint")),
    )


def _keep_runtime(found: Tools) -> Generator[Step, Execution, str]:
    """Copy the runtime into a folder of its own, compiled, and return the name under which it is kept."""
    source = resources.files(__package__) / "runtime"
    files = {f"judge/{entry.name}": entry.read_bytes() for entry in source.iterdir() if entry.name.endswith(".py")}
    if "judge/launcher.py" not in files:
        raise MachineryError("forgetest is not installed completely: the runtime for Python is missing")
    content = [f"{name}\0".encode() + files[name] for name in sorted(files)]
    key = hashlib.sha256(b"\0".join([*content, _COMPILE.encode(), found.version.encode()])).hexdigest()[:16]
    execution = yield Step(
        name="compile the runtime for Python",
        argv=(*found.interpreter, "-c", _COMPILE),
        files=files,
        keep=f"python-runtime-{key}",
        mounts=found.mounts,
        env={"LD_LIBRARY_PATH": "/lib"},
        limits=Limits(wall_s=120),
    )
    if not execution.succeeded:
        raise preparation_error("the runtime for Python could not be compiled", execution)
    return f"kept:python-runtime-{key}"
