"""Run all tests that unittest finds, and write their outcomes: `run_unittest.py REPORT CONTROL`."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class _Outcomes(unittest.TestResult):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, dict[str, str]] = {}

    def _note(self, test: Any, outcome: str, text: str = "") -> None:
        case = getattr(test, "test_case", test)  # a subtest counts for its test
        name, module = case.id(), sys.modules.get(type(case).__module__)
        known = self.found.get(name, {}).get("outcome")
        if known != "failed":
            file = str(getattr(module, "__file__", "") or "")
            self.found[name] = {"outcome": outcome, "file": file, "text": text[-2000:]}

    def addSuccess(self, test: Any) -> None:  # noqa: N802
        self._note(test, "passed")

    def addFailure(self, test: Any, err: Any) -> None:  # noqa: N802
        self._note(test, "failed", self._exc_info_to_string(err, test))  # type: ignore[attr-defined]

    def addError(self, test: Any, err: Any) -> None:  # noqa: N802
        self._note(test, "failed", self._exc_info_to_string(err, test))  # type: ignore[attr-defined]

    def addSkip(self, test: Any, reason: str) -> None:  # noqa: N802
        self._note(test, "skipped", reason)

    def addExpectedFailure(self, test: Any, err: Any) -> None:  # noqa: N802
        self._note(test, "passed")

    def addUnexpectedSuccess(self, test: Any) -> None:  # noqa: N802
        self._note(test, "failed", "passed, though expected to fail")

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:  # noqa: N802
        if err is not None:
            self._note(test, "failed", self._exc_info_to_string(err, test))  # type: ignore[attr-defined]


def _main(report: str, control: str) -> None:
    outcomes = _Outcomes()
    suite = unittest.TestSuite()
    for folder in _start_folders():
        suite.addTests(
            unittest.defaultTestLoader.discover(str(folder), pattern="*test*.py", top_level_dir=_top(folder))
        )
    if not suite.countTestCases():
        suite.addTests(unittest.defaultTestLoader.discover(".", pattern="*test*.py"))

    class Control(unittest.TestCase):
        def runTest(self) -> None:  # noqa: N802
            self.assertEqual(len(control), 0)

    Control.__qualname__ = control
    suite.addTest(Control())
    with _surroundings():
        for test in _flat(suite):
            test.run(outcomes)
    Path(report).write_text(json.dumps(outcomes.found))


def _surroundings() -> contextlib.AbstractContextManager[None]:
    if os.environ.pop("NERV_HIDE_RUNNER", None) is None:
        return contextlib.nullcontext()
    from hidden_runner import hidden  # type: ignore[import-not-found]

    return hidden()  # type: ignore[no-any-return]


def _start_folders() -> Iterator[Path]:
    for name in ("tests", "test"):
        if Path(name).is_dir():
            yield Path(name)


def _top(folder: Path) -> str | None:
    return "." if (folder / "__init__.py").exists() else None


def _flat(suite: Any) -> Iterator[Any]:
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from _flat(test)
        else:
            yield test


if __name__ == "__main__":
    sys.path.insert(0, "")
    _main(*sys.argv[1:3])
