from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator

import pytest

from forgetest.errors import MachineryError
from forgetest.sandboxes.process.parent import Parent

USER = 61000

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root starts processes as another user")


@pytest.fixture
def parent() -> Iterator[Parent]:
    made = Parent(user=USER)
    yield made
    made.close()


def status_of(parent: Parent) -> dict[str, str]:
    """What the kernel says of a process that is started."""
    words = ["cat", "/proc/self/status"]
    process = parent.spawn(lambda: subprocess.Popen(words, stdout=subprocess.PIPE, text=True))
    lines = process.communicate(timeout=60)[0].splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def test_a_process_is_the_users_in_every_way(parent: Parent) -> None:
    status = status_of(parent)

    assert status["Uid"].split() == [str(USER)] * 4
    assert status["Gid"].split() == [str(USER)] * 4
    assert status["Groups"] == ""
    assert {int(status[name], 16) for name in ("CapPrm", "CapEff", "CapAmb")} == {0}


def test_everybody_else_stays_root(parent: Parent) -> None:
    seen: list[tuple[int, int]] = []
    groups = os.getgroups()
    for _ in range(3):
        status_of(parent)
    thread = threading.Thread(target=lambda: seen.append((os.geteuid(), os.getegid())))
    thread.start()
    thread.join()

    assert seen == [(0, 0)]
    assert (os.getresuid(), os.getresgid(), os.getgroups()) == ((0, 0, 0), (0, 0, 0), groups)


def test_a_program_that_is_not_there_leaves_the_parent_as_it_was(parent: Parent) -> None:
    with pytest.raises(MachineryError, match="no-such-program: No such file"):
        parent.spawn(lambda: subprocess.Popen(["/no-such-program"]))

    assert status_of(parent)["Uid"].split() == [str(USER)] * 4
