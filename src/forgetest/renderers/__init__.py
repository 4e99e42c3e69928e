"""Report formats: one module each, found by the entry point `forgetest.renderers`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, NamedTuple, Protocol, runtime_checkable

from forgetest import plugins
from forgetest.report import Report


class Renderer(Protocol):
    """A report format; a module can be one."""

    FILENAME: str
    """The name of the file in a run's folder."""

    def write(self, report: Report, stream: IO[str]) -> None:
        """Write the report. Results must be iterated, never held all at once."""


class Companion(NamedTuple):
    """A file beside a report that the report refers to."""

    path: str
    """Relative to the report's folder, with forward slashes."""
    text: str


@runtime_checkable
class Accompanied(Protocol):
    """A renderer whose report refers to further files."""

    def companions(self, report: Report) -> Iterator[Companion]:
        """Yield the files."""


def find(name: str) -> Renderer:
    """Import the renderer of a format by its name."""
    renderer: Renderer = plugins.find("renderers", name)
    return renderer
