"""Report formats: one module each, found by the entry point `forgetest.renderers`."""

from __future__ import annotations

from typing import IO, Protocol

from forgetest.report import Report


class Renderer(Protocol):
    """What every format answers; a module can be one."""

    FILENAME: str
    """What the file is called in a run's folder."""

    def write(self, report: Report, stream: IO[str]) -> None:
        """Write the report. Results are iterated, never held all at once."""
