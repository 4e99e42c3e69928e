"""The samples behind a comparison's changes, read from both reports: what a reader wants to see side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from forgetest.comparison import Change, Comparison
from forgetest.comparison.recorded import CaseKey
from forgetest.report.stream import decode, file_of, read_header, read_results

MOST_CHANGES = 1_000
MOST_ATTEMPTS = 5
"""Of a case on each side; further ones are in the reports."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """The samples of one case and model, in both reports, as these hold them."""

    baseline: tuple[Mapping[str, Any], ...]
    current: tuple[Mapping[str, Any], ...]
    language: str | None
    """Of the case; None where the report does not tell."""


def read_changed(comparison: Comparison, baseline: Path, current: Path) -> Iterator[tuple[Change, Sides]]:
    """The changes, worst first and then best first, each with its samples."""
    changes = [*comparison.regressions, *comparison.improvements][:MOST_CHANGES]
    paired = comparison.paired
    old_name, new_name = (paired.baseline, paired.current) if paired else (None, None)
    header = _header(current)
    languages = {(each.id, case.id): case.language for each in header.eval_sets for case in each.cases}
    before = _samples(baseline, {_key(change, old_name) for change in changes})
    after = _samples(current, {_key(change, new_name) for change in changes})
    for change in changes:
        sides = Sides(
            baseline=tuple(before[_key(change, old_name)]),
            current=tuple(after[_key(change, new_name)]),
            language=languages.get((change.eval_set_id, change.case_id)),
        )
        yield change, sides


def _key(change: Change, model: str | None) -> CaseKey:
    return CaseKey(change.eval_set_id, change.case_id, model or change.model)


class _Case(Struct):
    id: str
    language: str | None = None


class _EvalSet(Struct):
    id: str
    cases: tuple[_Case, ...] = ()


class _Header(Struct):
    eval_sets: tuple[_EvalSet, ...] = ()
    eval_set: _EvalSet | None = None
    """Of the Rust tool's reports, whose results do not name it."""


def _header(path: Path) -> _Header:
    file = file_of(path)
    return decode(read_header(file), _Header, file)


class _Named(Struct):
    case_id: str
    provider: str
    model: str
    eval_set_id: str | None = None


def _samples(path: Path, keys: Iterable[CaseKey]) -> dict[CaseKey, list[Mapping[str, Any]]]:
    found: dict[CaseKey, list[Mapping[str, Any]]] = {key: [] for key in keys}
    file = file_of(path)
    only = _header(path).eval_set
    for raw in read_results(file, msgspec.json.Decoder(msgspec.Raw)):
        named = msgspec.json.decode(raw, type=_Named)
        eval_set_id = named.eval_set_id or (only.id if only else "")
        kept = found.get(CaseKey(eval_set_id, named.case_id, f"{named.provider}/{named.model}"))
        if kept is not None and len(kept) < MOST_ATTEMPTS:
            kept.append(msgspec.json.decode(raw))
    return found
