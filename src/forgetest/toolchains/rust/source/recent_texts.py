"""Cache of what was computed of the latest texts.

A sample's text is read several times while it is judged, and the other samples of its group and of other slots come in
between. The cache is bounded by the length of its texts rather than by their number: hundreds of ordinary samples are
kept, or one of a megabyte.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def cached_for_recent_texts(most_chars: int) -> Callable[[Callable[[str], Result]], Callable[[str], Result]]:
    """Return a decorator that keeps the results for the latest texts, of this length together; at least for one."""

    def decorate(compute: Callable[[str], Result]) -> Callable[[str], Result]:
        kept: dict[str, Result] = {}
        lock = threading.Lock()
        chars = 0

        @functools.wraps(compute)
        def cached(text: str) -> Result:
            nonlocal chars
            with lock:
                if text in kept:
                    result = kept[text] = kept.pop(text)  # now the latest
                    return result
            result = compute(text)
            with lock:
                if text not in kept:
                    kept[text] = result
                    chars += len(text)
                while chars > most_chars and len(kept) > 1:
                    oldest = next(iter(kept))
                    del kept[oldest]
                    chars -= len(oldest)
            return result

        return cached

    return decorate
