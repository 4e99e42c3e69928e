"""history.jsonl: one line per scored run."""

from __future__ import annotations

from dataclasses import dataclass
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
    format_version: int = FORMAT_VERSION


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
