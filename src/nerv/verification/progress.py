"""Signs of life from what takes minutes."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def told_each_minute(say: Callable[[str], None], what: str, minute_s: float = 60.0) -> Iterator[None]:
    """Say each minute for how long something has been going on."""
    is_done = threading.Event()

    def tell() -> None:
        minutes = 0
        while not is_done.wait(minute_s):
            minutes += 1
            say(f"{what}: {minutes} min so far")

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        is_done.set()
        teller.join()
