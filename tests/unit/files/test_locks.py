"""File locks: one exclusive holder at a time, and a dead holder blocks nobody."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

from forgetest.files import locks


def test_an_exclusive_lock_has_one_holder_at_a_time(tmp_path):
    path, inside, most = tmp_path / "lock", 0, 0

    def hold() -> None:
        nonlocal inside, most
        for _ in range(50):
            with locks.exclusive(path):
                inside += 1
                most = max(most, inside)
                inside -= 1

    threads = [threading.Thread(target=hold) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_a_held_lock_is_refused_and_is_available_after_its_release(tmp_path):
    path = tmp_path / "lock"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
    with locks.exclusive(path):
        assert not locks.try_lock(descriptor)
    assert locks.try_lock(descriptor)
    os.close(descriptor)


def test_shared_holders_do_not_exclude_each_other(tmp_path):
    first, second, third = (os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY) for _ in range(3))
    locks.share(first)
    locks.share(second)
    assert not locks.try_lock(third)
    os.close(first)
    os.close(second)
    assert locks.try_lock(third)
    os.close(third)


def test_a_holder_that_dies_releases_its_lock(tmp_path):
    program = (
        "import os, sys; from pathlib import Path; from forgetest.files import locks\n"
        "with locks.exclusive(Path(sys.argv[1])): os._exit(7)"
    )
    holder = subprocess.run([sys.executable, "-c", program, tmp_path / "lock"], check=False)
    descriptor = os.open(tmp_path / "lock", os.O_RDWR)

    assert holder.returncode == 7  # it died inside
    assert locks.try_lock(descriptor)
    os.close(descriptor)
