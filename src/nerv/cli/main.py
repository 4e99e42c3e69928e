"""The front door of `nerv`."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from forgetest import command_line
from forgetest.command_line import Commands
from forgetest.version import __version__

_COMMANDS = {
    "score": "Score a run: what it was worth, point by point.",
    "history": "Show the runs that were scored.",
    "compare": "Set two runs side by side.",
    "rubric": "Print the rubric: criteria, guides, numbers and their reasons.",
}


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with `nerv benchmark score DIR --explain`.",
)
@click.version_option(__version__, prog_name="nerv")
def cli() -> None:
    """Grade what a coding agent's run was worth.

    Exit codes: 0 done, or the run passed; 1 it did not; 2 the input is wrong; 3 a bug of ours; 130 interrupted.
    """


@cli.group(cls=Commands, package="nerv.cli", summaries=_COMMANDS)
def benchmark() -> None:
    """Score runs, look back at them, and compare them."""


def main() -> NoReturn:
    """Run the command line; the console script."""
    sys.exit(run())


def run(arguments: list[str] | None = None, program: str = "nerv") -> int:
    """Run the command line; its exit code."""
    return command_line.run(cli, arguments, program=program, interrupted="interrupted; nothing was written")
