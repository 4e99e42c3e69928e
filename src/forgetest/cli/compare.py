"""`forgetest compare`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from forgetest.cli.main import EXIT_GATE
from forgetest.comparison import compare
from forgetest.renderers.comparison import WRITERS
from forgetest.report_file import read_report


@click.command("compare", short_help="Compare two reports; fail on a regression.")
@click.option(
    "--baseline", type=click.Path(path_type=Path), required=True, help="The earlier report, or its run's folder."
)
@click.option("--current", type=click.Path(path_type=Path), required=True, help="The later one.")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    default=0.05,
    show_default=True,
    help="A drop of more than this much of the score is a regression: 0.05 is five points.",
)
@click.option("--fail-on-regression", is_flag=True, help="Exit 1 if there is a regression.")
@click.option("--fail-on-missing", is_flag=True, help="Exit 1 if a case of the baseline is gone or was not judged.")
@click.option("--format", "format_", type=click.Choice(sorted(WRITERS)), default="text", show_default=True)
def command(
    baseline: Path, current: Path, threshold: float, fail_on_regression: bool, fail_on_missing: bool, format_: str
) -> int:
    """Compare two reports, case by case, by the mean score over judged attempts.

    \b
      forgetest compare --baseline main.json --current branch.json --fail-on-regression
      forgetest compare --baseline a.json --current b.json --format markdown >> "$GITHUB_STEP_SUMMARY"
    """
    comparison = compare(read_report(baseline), read_report(current), threshold)
    WRITERS[format_](comparison, sys.stdout)
    failed = (fail_on_regression and comparison.regressions) or (fail_on_missing and comparison.missing)
    return EXIT_GATE if failed else 0
