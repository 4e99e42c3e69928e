"""Cache keys: a hash of everything that a verdict follows from."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from forgetest.evalset import Case
from forgetest.toolchains import Prepared, Toolchain
from forgetest.verdict import VERDICT_FORMAT, Execution, Verdict
from forgetest.version import __version__

_NEAR_LIMIT = 0.5
"""A test that took this share of its time may pass today and be stopped tomorrow."""


def case_key(toolchain: Toolchain, prepared: Prepared, case: Case, sandbox_level: str) -> bytes:
    """All but the sample: tests, signatures, dependencies, compiler, flags, limits, sandbox, and our own code."""
    expectations = replace(case.expectations, max_lint_warnings=None, custom_check=None, unsafe_code="checked")
    asked = replace(
        case,
        id="",
        name="",
        prompt="",
        description="",
        tags=(),
        max_tokens=None,
        context=(),
        reference_solution=None,
        expectations=expectations,
    )
    # the first step for a sample without any code has the flags, the limits, the mounts and the environment in it
    first = toolchain.next(prepared, case, "", ())
    parts = (VERDICT_FORMAT, __version__, _code_of(toolchain), prepared.version, sandbox_level, asked, first)
    return hashlib.sha256(msgspec.msgpack.encode(parts, order="deterministic")).digest()


def verdict_key(case: bytes, code: str) -> bytes:
    """The key of one sample's verdict."""
    return hashlib.sha256(case + code.encode(errors="surrogatepass")).digest()


def is_lasting(verdict: Verdict, executions: Sequence[Execution], case: Case) -> bool:
    """Return whether the verdict would be the same at another time; a verdict near a time limit is not cached."""
    near_ms = case.timeout_secs * 1000 * _NEAR_LIMIT
    return all(execution.ended not in ("cpu_limit", "wall_limit") for execution in executions) and all(
        not test.timed_out and max(test.cpu_ms, test.wall_ms) < near_ms for test in verdict.tests
    )


_digests: dict[str, str] = {}


def _code_of(toolchain: Toolchain) -> str:
    """Return a hash of the toolchain's own files: a changed toolchain must not get its earlier verdicts."""
    name = getattr(toolchain, "__name__", None) or type(toolchain).__module__
    if name not in _digests:
        file = getattr(sys.modules.get(str(name)), "__file__", None)
        digest = hashlib.sha256()
        for path in _source_files(Path(file)) if file else ():
            digest.update(path.name.encode() + path.read_bytes())
        _digests[name] = digest.hexdigest()
    return _digests[name]


def _source_files(module: Path) -> list[Path]:
    if module.name != "__init__.py":
        return [module] if module.is_file() else []
    return sorted(path for path in module.parent.rglob("*") if path.is_file() and path.suffix != ".pyc")
