from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

import pytest

from forgetest.engine.judging.exclusive_lock import ExclusiveLock

DEADLINE_S = 60
SETTLED_S = 0.2
"""Long enough for a thread that may enter to enter; a thread that must not enter never does."""

Hold = Callable[[ExclusiveLock], contextlib.AbstractContextManager[None]]
SHARED: Hold = ExclusiveLock.shared
EXCLUSIVE: Hold = ExclusiveLock.exclusive


class Holder:
    """A thread that holds the lock until it is asked to release it."""

    def __init__(self, lock: ExclusiveLock, hold: Hold) -> None:
        self._running, self._inside, self._release = threading.Event(), threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, args=(lock, hold), daemon=True)
        self._thread.start()
        assert self._running.wait(DEADLINE_S)

    def _run(self, lock: ExclusiveLock, hold: Hold) -> None:
        self._running.set()
        with hold(lock):
            self._inside.set()
            self._release.wait(DEADLINE_S)

    def enters(self) -> bool:
        return self._inside.wait(DEADLINE_S)

    def stays_outside(self) -> bool:
        return not self._inside.wait(SETTLED_S)

    def release(self) -> None:
        self._release.set()
        self._thread.join(DEADLINE_S)
        assert not self._thread.is_alive()


def test_many_threads_share_the_lock() -> None:
    lock = ExclusiveLock()
    holders = [Holder(lock, SHARED) for _ in range(3)]
    assert all(holder.enters() for holder in holders)
    for holder in holders:
        holder.release()


def test_an_exclusive_holder_waits_for_the_others_and_goes_before_those_that_come_later() -> None:
    lock = ExclusiveLock()
    early = Holder(lock, SHARED)
    assert early.enters()
    alone = Holder(lock, EXCLUSIVE)
    assert alone.stays_outside()
    late = Holder(lock, SHARED)
    assert late.stays_outside()
    early.release()
    assert alone.enters()
    assert late.stays_outside()
    alone.release()
    assert late.enters()
    late.release()


def test_two_exclusive_holders_are_never_inside_together() -> None:
    lock = ExclusiveLock()
    first = Holder(lock, EXCLUSIVE)
    assert first.enters()
    second = Holder(lock, EXCLUSIVE)
    assert second.stays_outside()
    first.release()
    assert second.enters()
    second.release()


@pytest.mark.parametrize("hold", [SHARED, EXCLUSIVE])
def test_an_error_inside_releases_the_lock(hold: Hold) -> None:
    lock = ExclusiveLock()
    with pytest.raises(ZeroDivisionError), hold(lock):
        raise ZeroDivisionError

    after = Holder(lock, EXCLUSIVE)
    assert after.enters()
    after.release()
