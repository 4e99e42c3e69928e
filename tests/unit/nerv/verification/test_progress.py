"""Signs of life from what takes minutes."""

from __future__ import annotations

import time

from nerv.verification.progress import told_each_minute


def test_each_minute_is_told_until_it_is_done() -> None:
    said: list[str] = []
    with told_each_minute(said.append, "running", minute_s=0.02):
        while len(said) < 3:
            time.sleep(0.001)
    assert said[:3] == ["running: 1 min so far", "running: 2 min so far", "running: 3 min so far"]
    count = len(said)
    time.sleep(0.05)
    assert len(said) == count


def test_what_is_done_sooner_says_nothing() -> None:
    said: list[str] = []
    with told_each_minute(said.append, "running"):
        pass
    assert said == []
