"""Times in any form that logs use, converted to milliseconds from the start of the run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(slots=True)
class Clock:
    """The start of a run, known from its first absolute time."""

    start_ms: int | None = None

    def since_start(self, *, t: object = None, timestamp: object = None) -> int | None:
        """Return milliseconds since the start: `t` is relative, `timestamp` is milliseconds since 1970 or ISO 8601."""
        relative = _as_number(t)
        if relative is not None:
            return relative
        absolute = absolute_ms(timestamp)
        if absolute is None:
            return None
        if self.start_ms is None:
            self.start_ms = absolute
        return absolute - self.start_ms

    def known(self, timestamp: object) -> int | None:
        """Return milliseconds since the start without setting the start; for side files."""
        absolute = absolute_ms(timestamp)
        return None if absolute is None or self.start_ms is None else absolute - self.start_ms


def absolute_ms(timestamp: object) -> int | None:
    """Return milliseconds since 1970, or None if it is not a time."""
    number = _as_number(timestamp)
    if number is not None:
        return number
    if not isinstance(timestamp, str):
        return None
    try:
        moment = datetime.fromisoformat(timestamp.strip())
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return round(moment.timestamp() * 1000)
    except (ValueError, OverflowError):
        return None


def _as_number(value: object) -> int | None:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return round(value)
