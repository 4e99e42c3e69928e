"""Structured logs: one JSON object per line, on standard error. Never a body, a header or a query."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime

Log = Callable[..., None]
"""Called with the name of an event, and its fields."""


def log_to_stderr(event: str, **fields: object) -> None:
    """Write one line."""
    time = datetime.now(UTC).isoformat(timespec="milliseconds")
    with contextlib.suppress(OSError, ValueError):  # a full disk or a closed terminal is no reason to stop
        print(json.dumps({"time": time, "event": event, **fields}), file=sys.stderr, flush=True)


def log_nothing(_event: str, **_fields: object) -> None:
    """Drop an event."""
