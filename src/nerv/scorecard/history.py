"""history.jsonl: one line per scored run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from forgetest.files import atomic, locks

FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryEntry:
    """One scored run."""

    timestamp: str
    benchmark_dir: str
    spec: str
    mode: str
    scores: dict[str, int | None]
    overall: float | None
    passed: bool
    cycles: int | None
    cost_usd: float | None
    duration_ms: int | None
    benchmarkDir: str  # noqa: N815  (this and the next, so that nerv's own command can read our lines)
    """The absolute path of the run."""
    weightedTotal: float | None  # noqa: N815
    """The same as `overall`."""
    format_version: int = FORMAT_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine:
    """One line of the history, whichever program wrote it; None for what it does not say."""

    timestamp: str
    overall: float | None
    passed: bool | None
    scores: tuple[float | None, float | None, float | None, float | None]
    """In the order of the categories."""
    mode: str
    cycles: int | None
    cost_usd: float | None
    spec: str
    run: str


_SCORE_KEYS = (
    ("implementation_quality", "implementationQuality", "implementation"),
    ("workflow_quality", "workflowQuality", "workflow"),
    ("efficiency",),
    ("user_experience", "userExperience", "ux"),
)
"""Our keys, then those of nerv's command and of its scoring script."""


def parse_line(entry: Mapping[str, Any]) -> HistoryLine:
    """Return what a line says, in our form or in either form of nerv's own programs."""
    nested = entry.get("scores")
    scores = nested if isinstance(nested, Mapping) else {}
    passed = entry.get("passed")
    first, second, third, fourth = (_number(*(scores.get(key) for key in keys)) for keys in _SCORE_KEYS)
    cycles = entry.get("cycles")
    return HistoryLine(
        timestamp=_time_text(entry.get("timestamp")),
        overall=_number(entry.get("overall"), entry.get("weightedTotal"), scores.get("overall")),
        passed=passed if isinstance(passed, bool) else None,
        scores=(first, second, third, fourth),
        mode=str(entry.get("mode", "")),
        cycles=cycles if isinstance(cycles, int) else None,
        cost_usd=_number(entry.get("cost_usd"), entry.get("cost")),
        spec=str(entry.get("spec") or ""),
        run=str(entry.get("benchmark_dir") or entry.get("benchmarkDir") or entry.get("benchmarkId") or ""),
    )


def _number(*values: object) -> float | None:
    """Return the first number among the values."""
    return next((each for each in values if isinstance(each, int | float) and not isinstance(each, bool)), None)


def _time_text(value: object) -> str:
    """Return a time as text; nerv's scoring script writes milliseconds since 1970."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return datetime.fromtimestamp(value / 1000, UTC).isoformat(timespec="seconds")
        except (OverflowError, ValueError, OSError):
            return ""
    return str(value or "")


def history_file(home: Path) -> Path:
    """Return the path of the history."""
    return home / "benchmarks" / "history.jsonl"


def append(file: Path, entry: HistoryEntry) -> None:
    """Append a line, even if other processes append at the same time."""
    append_line(file, msgspec.json.encode(entry))


def append_line(file: Path, line: bytes) -> None:
    """Append a line by replacing the file, so that no reader sees half a line."""
    file = file.resolve()  # the user's own history may be a link
    file.parent.mkdir(parents=True, exist_ok=True)
    with locks.exclusive(file.with_name(f"{file.name}.lock")):
        before = file.read_bytes() if file.exists() else b""
        if before and not before.endswith(b"\n"):
            before += b"\n"
        atomic.write_bytes(file, before + line.rstrip(b"\n") + b"\n", sync=True)


def read(file: Path, limit: int | None = None) -> tuple[list[dict[str, Any]], int]:
    """Return the last entries, oldest first, and the number of invalid lines."""
    entries: list[dict[str, Any]] = []
    bad = 0
    content = file.read_bytes() if file.exists() else b""
    for line in content.splitlines():
        if not line.strip():
            continue
        try:
            entry = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            entry = None
        if isinstance(entry, dict):
            entries.append(entry)
        else:
            bad += 1
    return (entries if limit is None else entries[max(0, len(entries) - limit) :]), bad
