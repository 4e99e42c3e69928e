"""Work that fills the cores ends with what it is for."""

from __future__ import annotations

import os
from pathlib import Path

from forgetest.auditing.load import busy_cores


def children() -> set[str]:
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())


def test_there_is_a_process_for_each_core_until_the_end():
    before = children()
    with busy_cores():
        assert len(children() - before) == len(os.sched_getaffinity(0))
    assert children() == before
