"""The contract of executors, for each that is installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from forgetest import plugins
from forgetest.executors import Executor
from forgetest.testing.executors import SLOTS, ExecutorContract


class TestInstalledExecutors(ExecutorContract):
    @pytest.fixture(params=plugins.names("executors"))
    def executor(self, request: pytest.FixtureRequest) -> Iterator[Executor]:
        created: Executor = plugins.find("executors", request.param)(SLOTS, {})
        yield created
        created.close()
