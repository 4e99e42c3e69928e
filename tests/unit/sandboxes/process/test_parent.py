from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from forgetest.errors import MachineryError
from forgetest.sandboxes.process.parent import Parent

USER = 61000

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root starts processes as another user")


@pytest.fixture
def parent(tmp_path: Path) -> Iterator[Parent]:
    made = Parent(user=USER, cache_folder=tmp_path)
    yield made
    made.close()


def status_of(parent: Parent) -> dict[str, str]:
    """The kernel's status of a process that is started."""
    argv = ["cat", "/proc/self/status"]
    process = parent.spawn(lambda: subprocess.Popen(argv, stdout=subprocess.PIPE, text=True))
    lines = process.communicate(timeout=60)[0].splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def test_a_process_has_the_ids_and_rights_of_the_user(parent: Parent) -> None:
    status = status_of(parent)

    assert status["Uid"].split() == [str(USER)] * 4
    assert status["Gid"].split() == [str(USER)] * 4
    assert status["Groups"] == ""
    assert {int(status[name], 16) for name in ("CapPrm", "CapEff", "CapAmb")} == {0}


def test_other_threads_stay_root(parent: Parent) -> None:
    seen: list[tuple[int, int]] = []
    groups = os.getgroups()
    for _ in range(3):
        status_of(parent)
    thread = threading.Thread(target=lambda: seen.append((os.geteuid(), os.getegid())))
    thread.start()
    thread.join()

    assert seen == [(0, 0)]
    assert (os.getresuid(), os.getresgid(), os.getgroups()) == ((0, 0, 0), (0, 0, 0), groups)


def test_a_missing_program_does_not_break_the_parent(parent: Parent) -> None:
    with pytest.raises(MachineryError, match="no-such-program: No such file"):
        parent.spawn(lambda: subprocess.Popen(["/no-such-program"]))

    assert status_of(parent)["Uid"].split() == [str(USER)] * 4
