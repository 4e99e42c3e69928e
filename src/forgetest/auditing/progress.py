"""Progress of an audit, for whoever wants to show it."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Called with what is judged now, the number of finished samples, and their total."""


def show_nothing(_what: str, _done: int, _total: int) -> None:
    """Drop it."""
