"""The `nerv` command."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from forgetest import command_line
from forgetest.command_line import Commands
from forgetest.version import __version__
from nerv.cli.options import JSON_BEFORE_COMMAND

_COMMANDS = {
    "score": "Score a run, criterion by criterion.",
    "history": "Show the scored runs.",
    "compare": "Compare two runs.",
    "calibrate": "Measure how well scores agree with known outcomes.",
    "rubric": "Print the rubric: criteria, scoring guides, and the reason for each number.",
}


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with `nerv benchmark score DIR --explain`.",
)
@click.version_option(__version__, prog_name="nerv")
def cli() -> None:
    """Grade the runs of coding agents.

    Exit codes: 0 success, or the run passed; 1 the run did not pass; 2 wrong input; 3 internal error; 130 interrupted.
    """


@cli.group(cls=Commands, package="nerv.cli", summaries=_COMMANDS)
@click.option("--json", "as_json", is_flag=True, help="Print JSON; the same as --json after the command.")
@click.pass_context
def benchmark(context: click.Context, as_json: bool) -> None:
    """Score runs, list them, and compare them."""
    context.meta[JSON_BEFORE_COMMAND] = as_json


def main() -> NoReturn:
    """Run the command line; the console script."""
    sys.exit(run())


def run(arguments: list[str] | None = None, program: str = "nerv") -> int:
    """Run the command line; its exit code."""
    return command_line.run(cli, arguments, program=program, interrupted="interrupted; nothing was written")


def run_score(arguments: list[str], program: str) -> int:
    """Run `benchmark score` as a program of its own; its exit code."""
    from nerv.cli.score import command

    return command_line.run(command, arguments, program=program, interrupted="interrupted; nothing was written")
