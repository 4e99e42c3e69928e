"""Report formats: one module each, found by the entry point `forgetest.renderers`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, NamedTuple, Protocol, runtime_checkable

from forgetest.report import Report


class Renderer(Protocol):
    """What every format answers; a module can be one."""

    FILENAME: str
    """What the file is called in a run's folder."""

    def write(self, report: Report, stream: IO[str]) -> None:
        """Write the report. Results are iterated, never held all at once."""


class Companion(NamedTuple):
    """A file that stands beside a report, because the report refers to it."""

    path: str
    """Relative to the report's folder, with forward slashes."""
    text: str


@runtime_checkable
class Accompanied(Protocol):
    """A renderer whose report refers to further files."""

    def companions(self, report: Report) -> Iterator[Companion]:
        """The files, one after the other."""
