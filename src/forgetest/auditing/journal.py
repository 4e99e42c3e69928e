"""Journal of an audit: results that the verdict cache does not keep, so that a second audit does not wait for them.

These are mutants that were screened together, samples that ran out of time, and repeated verdicts on reference
solutions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from forgetest.errors import UserError
from forgetest.evalset import Case
from forgetest.files import json_lines
from forgetest.grade import Grade
from forgetest.mutation import Mutation
from forgetest.toolchains.auditing import ScreenedMutants
from forgetest.verdict import Verdict
from forgetest.version import __version__

FILENAME = "journal.jsonl"

Kind = TypeVar("Kind")
Judge = Callable[[list[tuple[str, Case]], Callable[[int, Grade], None]], list[Grade]]
"""Judges samples, and calls back with the index and the grade of each as soon as it is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeated:
    """Further verdicts on a reference solution, compared with the first."""

    times: int
    disagreeing: int
    changes: tuple[str, ...]
    slowest_ms: float | None
    """CPU time of the slowest test; None where no test ran."""


class Journal:
    """One line for each result, written as soon as it is known; without a path, nothing is kept."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._known: dict[str, Any] = {}
        if path is not None and path.is_file():
            for line in path.read_bytes().splitlines():
                try:
                    entry = json_lines.decode(line)
                    self._known[str(entry["key"])] = entry["result"]
                except (ValueError, KeyError):
                    continue  # torn by a kill, or not ours: that result is judged again

    def repeated(self, case: Case, repeat: int) -> Repeated | None:
        """Return the earlier verdicts on a case's reference solution, judged as often."""
        return _converted(self._known.get(_key(case, f"repeat {repeat}")), Repeated)

    def add_repeated(self, case: Case, repeat: int, result: Repeated) -> None:
        """Keep them."""
        self._add(_key(case, f"repeat {repeat}"), result)

    def screened(self, case: Case, mutants: Sequence[Mutation]) -> ScreenedMutants | None:
        """Return what an earlier audit found out about the mutants of a case together."""
        return _converted(self._known.get(_screening_key(case, mutants)), ScreenedMutants)

    def add_screened(self, case: Case, mutants: Sequence[Mutation], found: ScreenedMutants) -> None:
        """Keep it."""
        self._add(_screening_key(case, mutants), found)

    def grade(self, samples: Sequence[tuple[str, Case]], judge: Judge) -> list[Grade]:
        """Return the grades of samples; those that ran out of time before are not judged again."""
        keys = [_key(case, code) for code, case in samples]
        known = [_converted(self._known.get(key), Verdict) for key in keys]
        unknown = [index for index, verdict in enumerate(known) if verdict is None]

        def keep(number: int, grade: Grade) -> None:
            if grade.verdict is not None and any(test.timed_out for test in grade.verdict.tests):
                self._add(keys[unknown[number]], grade.verdict)

        judged = iter(judge([samples[index] for index in unknown], keep) if unknown else [])
        return [
            next(judged) if verdict is None else _timed_out(code, verdict)
            for (code, _), verdict in zip(samples, known, strict=True)
        ]

    def _add(self, key: str, result: object) -> None:
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab") as file:
                file.write(msgspec.json.encode({"key": key, "result": result}) + b"\n")
        except OSError as error:
            raise UserError(f"{self._path}: {error.strerror}") from error


def _screening_key(case: Case, mutants: Sequence[Mutation]) -> str:
    return _key(case, "screening\0" + "\0".join(mutant.code for mutant in mutants))


def _converted(found: Any, kind: type[Kind]) -> Kind | None:
    try:
        return None if found is None else msgspec.convert(found, kind)
    except msgspec.ValidationError:
        return None  # of another version


def _key(case: Case, code: str) -> str:
    parts = (__version__, case, code)
    return hashlib.sha256(msgspec.msgpack.encode(parts, order="deterministic")).hexdigest()


def _timed_out(code: str, verdict: Verdict) -> Grade:
    return Grade(
        outcome="judged",
        correct=False,
        score=None,
        reason="it ran out of time in an earlier audit",
        code=code,
        verdict=verdict,
        total_ms=0.0,
    )
