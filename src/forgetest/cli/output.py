"""Output of the commands: messages on standard error, reports into files, results on standard output."""

from __future__ import annotations

import contextlib
import gc
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import click

from forgetest import plugins
from forgetest.errors import UserError
from forgetest.files import atomic, own_folders
from forgetest.files.printable import terminal_safe, terminal_safe_json, terminal_safe_line
from forgetest.renderers import Accompanied, terminal
from forgetest.report import Report


def say(message: str) -> None:
    """Print a message to standard error. A log without room for it is no reason to end a run."""
    try:
        print(terminal_safe(message), file=sys.stderr, flush=True)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise


def say_if_warning(message: str) -> None:
    """Print a message only if it is a warning, for `--quiet`."""
    if message.startswith("warning: "):
        say(message)


def echo(text: str = "") -> None:
    """Print a result to standard output, without anything that a terminal would obey."""
    click.echo(terminal_safe(text))


def echo_json(document: Any) -> None:
    """Print a result as JSON to standard output."""
    click.echo(terminal_safe_json(json.dumps(document, indent=2, ensure_ascii=False)))


def show(report: Report, paths: Sequence[Path]) -> None:
    """Print a summary, and the paths of the reports, one per line."""
    echo(terminal.summary(report))
    for number, path in enumerate(paths):
        echo(f"{'' if number else 'Report:':<7} {terminal_safe_line(path)}")


def write_reports(report: Report, folder: Path, formats: Sequence[str]) -> list[Path]:
    """Write each format into the run's folder; a reader never sees half a file."""
    written = []
    for name in formats:
        renderer = plugins.find("renderers", name)
        if isinstance(renderer, Accompanied):
            for companion in renderer.companions(report):
                with _open_written_report(folder, companion.path) as stream:
                    stream.write(companion.text)
        path = folder / renderer.FILENAME
        with _open_written_report(folder, renderer.FILENAME) as stream:
            renderer.write(report, stream)
        written.append(path)
    return written


def write_plots(report: Report, folder: Path) -> list[Path]:
    """Write each plot that the report has data for, as SVG."""
    from forgetest.renderers import plots

    written = []
    for name, draw in plots.PICTURES.items():
        picture = draw(report)
        if picture is not None:
            path = folder / "plots" / f"{name}.svg"
            with _open_written_report(folder, f"plots/{name}.svg") as stream:
                stream.write(plots.standalone(picture))
            written.append(path)
    return written


@contextlib.contextmanager
def frozen_heap() -> Iterator[None]:
    """Keep the garbage collector from looking again and again at what lives as long as the run."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextlib.contextmanager
def _open_written_report(folder: Path, name: str) -> Iterator[IO[str]]:
    path = folder / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        own_folders.make_below(folder, path.parent)
        with atomic.open_text(path) as stream:
            yield stream
    except OSError as error:
        advice = "nothing is lost: make room, and the same command writes it"
        raise UserError(f"{path}: {error.strerror}; {advice}") from error
