"""What several commands share."""

from __future__ import annotations

import os

import pytest

from forgetest.cli.workplace import slots
from forgetest.config import Settings


@pytest.mark.parametrize(("said", "configured", "used"), [(3, 5, 3), (None, 5, 5), (3, None, 3)])
def test_the_command_line_comes_before_the_configuration(said: int | None, configured: int | None, used: int) -> None:
    assert slots(said, Settings(parallelism=configured)) == used


def test_where_nobody_says_anything_every_core_has_a_slot() -> None:
    assert slots(None, Settings()) == len(os.sched_getaffinity(0))
