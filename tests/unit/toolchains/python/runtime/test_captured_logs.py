from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest

from forgetest.toolchains.python.runtime.captured_logs import CapturedLogs, RecordKeeper, serve


class RefusedError(BaseException):
    """The test was ended."""


def refuse(reason: str) -> None:
    raise RefusedError(reason)


def captured(monkeypatch: pytest.MonkeyPatch, ask: Callable[..., Any]) -> CapturedLogs:
    monkeypatch.setattr(CapturedLogs, "ask_sample", staticmethod(ask))
    monkeypatch.setattr(CapturedLogs, "refuse", staticmethod(refuse))
    return CapturedLogs()


@pytest.mark.parametrize("forged", ["text", (1, 2), ("n", 30, "WARNING", object(), "p", 1, "f", "", 0.0)])
def test_what_is_no_record_ends_the_test(monkeypatch: pytest.MonkeyPatch, forged: Any):
    logs = captured(monkeypatch, lambda action, *_: [forged] if action == "take" else None)
    with pytest.raises(RefusedError, match="something else than records"):
        _ = logs.text
    logs.close()


def test_records_of_tests_and_sample_are_in_the_order_of_their_times(monkeypatch: pytest.MonkeyPatch):
    sample = RecordKeeper()
    logs = captured(monkeypatch, lambda action, *values: [] if action == "keep" else serve(sample, action, *values))
    logger = logging.getLogger("tests")
    logger.warning("first")
    sample.emit(logging.makeLogRecord({"name": "shop", "levelno": 30, "levelname": "WARNING", "msg": "second"}))
    logger.warning("third")
    assert logs.messages == ["first", "second", "third"]
    logs.close()


def test_levels_are_set_here_and_there_and_back(monkeypatch: pytest.MonkeyPatch):
    asked: list[Any] = []
    logs = captured(monkeypatch, lambda *values: asked.append(values) or [])
    before = logging.getLogger("shop").level
    with logs.at_level(logging.DEBUG, "shop"):
        assert logging.getLogger("shop").level == logging.DEBUG
    logs.set_level("ERROR", "shop")
    logs.close()
    assert logging.getLogger("shop").level == before
    levels = [values[-1] for values in asked if values[0] == "level"]
    assert levels == [logging.DEBUG, before, "ERROR", before]
