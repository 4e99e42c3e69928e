"""Limits of a step as the kernel's."""

from __future__ import annotations

import resource

from forgetest.sandboxes.process import rlimits
from forgetest.verdict import Limits


def test_the_address_space_is_the_memory_unless_a_step_may_reserve_more():
    assert rlimits.from_limits(Limits(memory_bytes=100))[resource.RLIMIT_AS] == (100, 100)
    reserving = Limits(memory_bytes=100, address_space_bytes=5000)
    assert rlimits.from_limits(reserving)[resource.RLIMIT_AS] == (5000, 5000)
