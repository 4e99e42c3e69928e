"""pytest's `caplog` fixture. What the sample logs is kept in its own process, and read from there as plain data."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator
from typing import Any

_FORMAT = "%(levelname)-8s %(name)s:%(filename)s:%(lineno)d %(message)s"
"""As in pytest."""
_FIELDS: dict[str, type] = {
    "name": str,
    "levelno": int,
    "levelname": str,
    "msg": str,
    "pathname": str,
    "lineno": int,
    "funcName": str,
    "exc_text": str,
    "created": float,
}
"""What crosses of a record, with its exact type."""
_MOST_RECORDS = 10_000


class _NoRecordError(BaseException):
    """The sample sent something else than records; no `except` of the tests may handle that."""


class RecordKeeper(logging.Handler):
    """Keeps what is logged in this process."""

    def __init__(self) -> None:
        super().__init__(0)
        self.records: list[logging.LogRecord] = []
        self.setFormatter(logging.Formatter(_FORMAT))

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        if len(self.records) < _MOST_RECORDS:
            self.records.append(record)


def serve(keeper: RecordKeeper, action: str, *arguments: Any) -> Any:
    """Do in the sample's process what the fixture asks for."""
    if action == "keep":
        keeper.records.clear()
        if keeper not in logging.getLogger().handlers:
            logging.getLogger().addHandler(keeper)
    elif action == "level":
        name, level = arguments
        logging.getLogger(name).setLevel(level)
    elif action == "take":
        records, keeper.records = keeper.records, []
        return [_describe(record) for record in records]
    return None


def _describe(record: logging.LogRecord) -> tuple[Any, ...]:
    """Return a record as plain data, with its message complete."""
    text = record.getMessage()
    error = record.exc_text or (logging.Formatter().formatException(record.exc_info) if record.exc_info else "")
    fields = vars(record) | {"msg": text, "exc_text": error, "funcName": record.funcName or ""}
    return tuple(kind(fields[name]) for name, kind in _FIELDS.items())


class CapturedLogs:
    """pytest's `caplog`, with the records of the tests and those of the sample in the order of their times."""

    ask_sample: Callable[..., Any] = staticmethod(lambda *_: [])
    """Has something done in the sample's process; nothing where the tests run in it themselves."""
    refuse: Callable[[str], Any] = staticmethod(lambda _: None)
    """Ends the test, because the sample sent what is no record. Does not return."""

    def __init__(self) -> None:
        self.handler = RecordKeeper()
        self._levels: dict[str | None, int] = {}
        logging.getLogger().addHandler(self.handler)
        self.ask_sample("keep")

    @property
    def records(self) -> list[logging.LogRecord]:
        """All records so far."""
        try:
            found = [_record(each) for each in self.ask_sample("take")]
        except _NoRecordError as error:
            self.refuse(str(error))
            raise
        if found:
            self.handler.records += found
            self.handler.records.sort(key=lambda record: record.created)
        return self.handler.records

    @property
    def text(self) -> str:
        """All records as pytest formats them."""
        return "".join(f"{self.handler.format(record)}\n" for record in self.records)

    @property
    def messages(self) -> list[str]:
        """The messages of all records."""
        return [record.getMessage() for record in self.records]

    @property
    def record_tuples(self) -> list[tuple[str, int, str]]:
        """Logger, level and message of all records."""
        return [(record.name, record.levelno, record.getMessage()) for record in self.records]

    def clear(self) -> None:
        """Forget all records so far."""
        self.ask_sample("take")
        self.handler.records.clear()

    def set_level(self, level: int | str, logger: str | None = None) -> None:
        """Set the level of a logger, here and in the sample's process, until the test is over."""
        before = logging.getLogger(logger).level
        self._levels.setdefault(logger, before)
        logging.getLogger(logger).setLevel(level)
        self.ask_sample("level", logger, level)

    @contextlib.contextmanager
    def at_level(self, level: int | str, logger: str | None = None) -> Iterator[None]:
        """Set the level of a logger in a `with` block."""
        before = logging.getLogger(logger).level
        self.set_level(level, logger)
        try:
            yield
        finally:
            self.set_level(before, logger)

    def close(self) -> None:
        """Stop capturing, and set the levels back."""
        for logger, level in self._levels.items():
            self.set_level(level, logger)
        logging.getLogger().removeHandler(self.handler)


def _record(fields: Any) -> logging.LogRecord:
    """Return a record of the sample."""
    if type(fields) is not tuple or tuple(map(type, fields)) != tuple(_FIELDS.values()):
        raise _NoRecordError("the sample's log has something else than records in it")
    named = dict(zip(_FIELDS, fields, strict=True))
    return logging.makeLogRecord(named | {"filename": named["pathname"].rpartition("/")[2]})
