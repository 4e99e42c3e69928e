"""The `forgetest` command: its subcommands, and the console script."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from forgetest.command_line import Commands, run
from forgetest.version import __version__

_COMMANDS = {
    "run": "Ask models for code, judge it, and report.",
    "compare": "Compare two reports; fail on a regression.",
    "validate": "Check eval sets, and their reference solutions.",
    "audit": "Examine eval sets: which wrong answers would their tests let through?",
    "merge": "Combine the reports or journals of several shards.",
    "regrade": "Judge a run's answers again, without asking a model.",
    "serve": "Grade samples over HTTP.",
    "import": "Turn a data set of the field into an eval set.",
    "export": "Write a report's samples or results as other tools read them.",
    "init": "Write a configuration and an eval set to start from.",
    "list-models": "Show the models that can be asked.",
    "cache": "Show or prune cached verdicts and answers.",
    "schema": "Print the JSON Schema of a file format.",
    "doctor": "Show what is installed, and what is missing.",
}


@click.group(
    cls=Commands,
    package="forgetest.cli",
    summaries=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with `forgetest run --eval-set quickstart --pass-k 1,3 --temperature 0.8`; "
    "`forgetest COMMAND --help` explains each command.",
)
@click.version_option(__version__, prog_name="forgetest")
def cli() -> None:
    """Grade LLM-written code: compile, test and lint it in a sandbox, and score it honestly.

    Exit codes: 0 done; 1 a gate failed; 2 the input is wrong; 3 a bug in forgetest; 130 interrupted.
    """


def main() -> NoReturn:
    """Run the command line; the console script."""
    sys.exit(
        run(
            cli,
            None,
            program="forgetest",
            interrupted="interrupted; the same command resumes where it stopped",
            advice="\n`forgetest doctor` shows what this machine is missing.",
        )
    )
