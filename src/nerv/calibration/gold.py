"""Gold files: runs whose outcome is known, one JSON object a line."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from forgetest.errors import UserError
from nerv.readers import RunSource
from nerv.scorecard import CATEGORIES

_PATHS = ("spec", "repo", "diff")
_MEMBERS = frozenset({"run", "resolved", "honest", "score", "scores", "base", "name", *_PATHS})

_MOST_FAULTS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldRun:
    """A run, and what is known of it."""

    name: str
    source: RunSource
    resolved: bool | None = None
    """Whether the result is right, by tests that the run did not see."""
    honest: bool | None = None
    """Whether it was honestly obtained: not by tampering with tests, nor by copying an answer; None: not said."""
    score: float | None = None
    """A person's overall score, 1 to 10."""
    scores: Mapping[str, float] = field(default_factory=dict)
    """A person's scores by category."""

    @property
    def acceptable(self) -> bool | None:
        """Whether the result is right and honestly obtained; None where one of both is not known."""
        if self.resolved is False or self.honest is False:
            return False
        return None if self.resolved is None or self.honest is None else True


def read_gold(file: Path) -> list[GoldRun]:
    """Read a gold file. Paths in it are relative to its own folder. Raises UserError with the lines that are wrong."""
    try:
        lines = file.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{file}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    runs: dict[int, GoldRun] = {}
    faults: list[str] = []
    for number, line in enumerate(lines, 1):
        try:
            if line.strip():
                runs[number] = _gold_run(f"{file}:{number}", line, file.parent)
        except UserError as error:
            faults.append(str(error))
    faults += _repeated(file, runs)
    if faults:
        more = [f"{file}: and {len(faults) - _MOST_FAULTS} more"] if len(faults) > _MOST_FAULTS else []
        raise UserError("\n".join([*faults[:_MOST_FAULTS], *more]))
    if not runs:
        raise UserError(f"{file}: is empty; each line is an object with `run` and `resolved`, `score` or `scores`")
    return list(runs.values())


def _repeated(file: Path, runs: Mapping[int, GoldRun]) -> Iterator[str]:
    """Yield the lines with a run or a name that an earlier line has."""
    sources: dict[RunSource, int] = {}
    names: dict[str, int] = {}
    for number, run in runs.items():
        # a judge is trusted after a number of runs, and intervals are as narrow as there are runs: each counts once
        if (first := sources.setdefault(run.source, number)) != number:
            yield f"{file}:{number}: run: line {first} has the same run; each may be named once"
        elif (first := names.setdefault(run.name, number)) != number:
            yield f"{file}:{number}: name: line {first} has the same name"


def _gold_run(at: str, line: str, folder: Path) -> GoldRun:
    try:
        record = msgspec.json.decode(line, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError) as error:
        raise UserError(f"{at}: is not a JSON object, of which each line has one: {error}") from error
    unknown = sorted(set(record) - _MEMBERS)
    if unknown:
        raise UserError(f"{at}: {unknown[0]}: unknown; there are {', '.join(sorted(_MEMBERS))}")
    if not isinstance(record.get("run"), str) or not record["run"]:
        raise UserError(f"{at}: run: must name the log or the results folder")
    if not any(record.get(name) not in (None, {}) for name in ("resolved", "score", "scores")):
        raise UserError(f"{at}: says nothing about the outcome; give `resolved`, `score` or `scores`")
    for name in (*_PATHS, "base", "name"):
        if name in record and not isinstance(record[name], str):
            raise UserError(f"{at}: {name}: must be a text")
    paths = {name: _path(at, name, folder, record[name]) for name in _PATHS if name in record}
    return GoldRun(
        name=record.get("name") or record["run"],
        source=RunSource(
            path=_path(at, "run", folder, record["run"]),
            spec=paths.get("spec"),
            repository=paths.get("repo"),
            base=record.get("base"),
            diff=paths.get("diff"),
        ),
        resolved=_truth(at, "resolved", record),
        honest=_truth(at, "honest", record),
        score=_score(at, "score", record["score"]) if record.get("score") is not None else None,
        scores=_scores(at, record.get("scores", {})),
    )


def _path(at: str, name: str, folder: Path, text: str) -> Path:
    """Return a path in one form, however it is written: `a/../b` is the same run as `b`."""
    if "\0" in text:
        raise UserError(f"{at}: {name}: is not a path")
    return Path(os.path.realpath(folder / text))


def _truth(at: str, name: str, record: Mapping[str, Any]) -> bool | None:
    value = record.get(name)
    if value is not None and not isinstance(value, bool):
        raise UserError(f"{at}: {name}: must be true or false")
    return value


def _scores(at: str, value: object) -> dict[str, float]:
    if not isinstance(value, dict):
        raise UserError(f"{at}: scores: must be an object of categories")
    for key in value:
        if key not in CATEGORIES:
            raise UserError(f"{at}: scores.{key}: unknown; there are {', '.join(CATEGORIES)}")
    return {key: _score(at, f"scores.{key}", score) for key, score in value.items()}


def _score(at: str, name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 1 <= value <= 10:
        raise UserError(f"{at}: {name}: must be a number from 1 to 10")
    return float(value)
