"""Cache keys: a hash of everything that a verdict follows from."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from forgetest import checkers, toolchains
from forgetest.engine.judging import io_judging
from forgetest.evalset import Case
from forgetest.toolchains import Prepared, Toolchain
from forgetest.toolchains.programs import Programs, without_answers
from forgetest.verdict import VERDICT_FORMAT, Execution, Verdict
from forgetest.version import __version__

_RULES = 2
"""Version of the rules by which the engine reaches a verdict from a toolchain's; other versions' verdicts are not used.
2: some shared failures are confirmed, and no sample runs with its neighbours' code."""
_NEAR_LIMIT = 0.5
"""A test that took this share of its time may pass today and be stopped tomorrow."""
_WAITING_MS = 2000.0
"""A test may wait this much longer than it may compute. On a busy machine, a short one takes a while on the clock."""


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
        expectations=expectations,
        date=None,
        source=None,
        accepted_mutants=(),
    )
    # the first step for a sample without any code has the flags, the limits, the mounts and the environment in it
    first: object
    if case.io is not None and isinstance(toolchain, Programs):
        first = toolchain.build_program(prepared, without_answers(case), "", ())
    else:
        first = toolchain.next(prepared, case, "", ())
    rules = (VERDICT_FORMAT, __version__, _RULES, _shared_code(), _code_of(toolchain))
    parts = (*rules, prepared.version, sandbox_level, asked, first, *([_comparing_code()] if case.io else []))
    return hashlib.sha256(msgspec.msgpack.encode(parts, order="deterministic")).digest()


def verdict_key(case: bytes, code: str) -> bytes:
    """The key of one sample's verdict."""
    return hashlib.sha256(case + code.encode(errors="surrogatepass")).digest()


def is_lasting(verdict: Verdict, executions: Sequence[Execution], case: Case) -> bool:
    """Return whether the verdict would be the same at another time; a verdict near a time limit is not cached."""
    near_ms = case.timeout_secs * 1000 * _NEAR_LIMIT
    return all(execution.ended not in ("cpu_limit", "wall_limit") for execution in executions) and all(
        not test.timed_out and test.cpu_ms < near_ms and test.wall_ms < near_ms + _WAITING_MS * _NEAR_LIMIT
        for test in verdict.tests
    )


_digests: dict[str, str] = {}


def _code_of(toolchain: Toolchain) -> str:
    """Return a hash of the toolchain's own files: a changed toolchain must not get its earlier verdicts."""
    name = str(getattr(toolchain, "__name__", None) or type(toolchain).__module__)
    if name not in _digests:
        file = getattr(sys.modules.get(name), "__file__", None)
        _digests[name] = _digest(_source_files(Path(file))) if file else ""
    return _digests[name]


def _shared_code() -> str:
    """Return a hash of the files that all toolchains share: controls, time limits."""
    name = toolchains.__name__
    if name not in _digests:
        _digests[name] = _digest(sorted(Path(toolchains.__file__).parent.glob("*.py")))
    return _digests[name]


def _comparing_code() -> str:
    """Return a hash of the files that compare outputs."""
    name = checkers.__name__
    if name not in _digests:
        _digests[name] = _digest([*_source_files(Path(checkers.__file__)), Path(io_judging.__file__)])
    return _digests[name]


def _digest(files: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def _source_files(module: Path) -> list[Path]:
    if module.name != "__init__.py":
        return [module] if module.is_file() else []
    return sorted(path for path in module.parent.rglob("*") if path.is_file() and path.suffix != ".pyc")
