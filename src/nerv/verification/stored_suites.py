"""Suites of bases on disk: how the tests of a base end depends on the repository alone, not on the run that is scored.

Many runs of one repository share their base. Only that suite is remembered, and only if tests passed in it, or it took
more CPU time than it may; everything about the result itself is run each time.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import shutil
import sys
from collections.abc import Iterator, MutableMapping
from pathlib import Path

import msgspec

from forgetest.files import atomic
from nerv.verification.suite_memory import KnownSuite

_PROGRAMS = (sys.executable, "python3", "node", "npm", "go", "cargo", "rustc", "java", "mvn", "gradle", "cmake", "make")
_MOST = 1_000
"""Suites that are kept; the oldest go first."""


class StoredSuites(MutableMapping[str, KnownSuite]):
    """Suites by key in a folder; other programs on this machine, or another version of nerv, have other keys."""

    def __init__(self, folder: Path, cpu_s: float) -> None:
        self._folder = folder
        self._machine = f"{_code()}\0{cpu_s}\0{_programs()}"

    def __getitem__(self, key: str) -> KnownSuite:
        try:
            return msgspec.json.decode(self._file(key).read_bytes(), type=KnownSuite)
        except (OSError, msgspec.MsgspecError):
            raise KeyError(key) from None

    def __setitem__(self, key: str, suite: KnownSuite) -> None:
        is_known = not suite.report.problem and "passed" in suite.report.outcomes.values()
        if not is_known and not suite.report.timed_out:
            return
        with contextlib.suppress(OSError):  # a full disk costs time, not the verification
            self._folder.mkdir(parents=True, exist_ok=True)
            atomic.write_bytes(self._file(key), msgspec.json.encode(suite))
            self._prune()

    def __delitem__(self, key: str) -> None:
        try:
            self._file(key).unlink()
        except OSError:
            raise KeyError(key) from None

    def __iter__(self) -> Iterator[str]:
        """Names of the files: keys cannot be told from them."""
        return (file.stem for file in self._folder.glob("*.json"))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _file(self, key: str) -> Path:
        digest = hashlib.sha256(f"{key}\0{self._machine}".encode())
        return self._folder / f"{digest.hexdigest()}.json"

    def _prune(self) -> None:
        files = list(self._folder.glob("*.json"))
        if len(files) > _MOST:
            for file in sorted(files, key=lambda each: each.stat().st_mtime)[: len(files) - _MOST]:
                file.unlink(missing_ok=True)


@functools.cache
def _code() -> str:
    """Return a digest of the code that runs suites and reads their reports."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.rglob("*")):
        if file.is_file() and file.suffix != ".pyc":
            digest.update(file.read_bytes())
    return digest.hexdigest()


@functools.cache
def _programs() -> str:
    """Return what tells one installation of the programs that run tests from another."""
    found = []
    for name in _PROGRAMS:
        path = shutil.which(name)
        if path is not None:
            program = Path(path).resolve()
            state = program.stat()
            found.append(f"{program}:{state.st_size}:{state.st_mtime_ns}")
    return "\n".join(found)
