"""The shipped contract of executors, held against this plugin."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from forgetest import plugins
from forgetest.executors import Executor
from forgetest.testing.executors import *  # noqa: F403
from forgetest.testing.executors import SLOTS


@pytest.fixture
def executor() -> Iterator[Executor]:
    """An executor, closed after each test."""
    created: Executor = plugins.find("executors", "processes")(SLOTS, {})
    yield created
    created.close()
