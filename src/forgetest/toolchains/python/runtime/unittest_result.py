"""Runs a method of a `unittest.TestCase`, and keeps the exception that it ended with."""

from __future__ import annotations

import unittest
from typing import Any


class Result(unittest.TestResult):
    """The result of one test."""

    error: BaseException | None = None
    """The first error or failure, of the test, of a part of it, or of its fixtures."""

    def run(self, test: unittest.TestCase) -> None:
        """Run a test with the fixtures of its class and module."""
        unittest.TestSuite([test]).run(self)

    def addError(self, test: Any, err: Any) -> None:  # noqa: N802  (unittest's name)
        """Keep the error."""
        super().addError(test, err)
        self._keep(err)

    def addFailure(self, test: Any, err: Any) -> None:  # noqa: N802
        """Keep the failure."""
        super().addFailure(test, err)
        self._keep(err)

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:  # noqa: N802
        """Keep the failure of a part of the test."""
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._keep(err)

    def _keep(self, err: Any) -> None:
        if self.error is None:
            self.error = err[1]
