"""The shipped contract of executors, held against this plugin."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from forgetest import plugins
from forgetest.executors import Executor
from forgetest.testing.executors import SLOTS, ExecutorContract


class TestProcesses(ExecutorContract):
    """An executor of processes."""

    @pytest.fixture
    def executor(self) -> Iterator[Executor]:
        """An executor, closed after each test."""
        created: Executor = plugins.find("executors", "processes")(SLOTS, {})
        yield created
        created.close()
