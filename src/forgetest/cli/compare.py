"""`forgetest compare`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from forgetest.cli.output import say
from forgetest.command_line import EXIT_GATE
from forgetest.comparison import DEFAULT_THRESHOLD, Gate, compare
from forgetest.comparison.changed_samples import find_changed_samples
from forgetest.errors import UserError
from forgetest.renderers.comparison import WRITERS
from forgetest.renderers.html import comparison as page
from forgetest.report.read import read_content

_ALIASES = {"md": "markdown"}


@click.command("compare", short_help="Compare two reports; fail on a regression.")
@click.option(
    "--baseline", type=click.Path(path_type=Path), required=True, help="The earlier report, or its run's folder."
)
@click.option("--current", type=click.Path(path_type=Path), required=True, help="The later one.")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    default=DEFAULT_THRESHOLD,
    show_default=True,
    help="A drop of more than this much of the score is a regression: 0.05 is five points.",
)
@click.option(
    "--gate",
    type=click.Choice(["threshold", "significant"]),
    default="threshold",
    show_default=True,
    help="What counts as a regression: a case that drops by more than the threshold, or a significant drop.",
)
@click.option("--fail-on-regression", is_flag=True, help="Exit 1 if there is a regression.")
@click.option("--fail-on-inconclusive", is_flag=True, help="Exit 1 if --gate significant is inconclusive.")
@click.option("--fail-on-missing", is_flag=True, help="Exit 1 if a case of the baseline is gone or was not judged.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(sorted([*WRITERS, *_ALIASES, "html"])),
    default="text",
    show_default=True,
    help="md is short for markdown.",
)
def command(
    baseline: Path,
    current: Path,
    threshold: float,
    gate: Gate,
    fail_on_regression: bool,
    fail_on_inconclusive: bool,
    fail_on_missing: bool,
    format_: str,
) -> int:
    """Compare two reports, case by case, by the mean score over judged attempts.

    With `--gate significant` a regression is a drop of a model's pass rate that noise explains at most 5 times in
    100. Without a regression, the result is clean if a drop of the threshold is ruled out, and inconclusive otherwise.

    \b
      forgetest compare --baseline main.json --current branch.json --fail-on-regression
      forgetest compare --baseline main.json --current branch.json --gate significant --fail-on-regression
      forgetest compare --baseline old.json --current new.json --gate significant --fail-on-inconclusive
      forgetest compare --baseline a.json --current b.json --format markdown >> "$GITHUB_STEP_SUMMARY"
      forgetest compare --baseline a.json --current b.json --format html > changes.html
    """
    if fail_on_inconclusive and gate != "significant":
        raise UserError("--fail-on-inconclusive: a threshold is never inconclusive; add --gate significant")
    old, new = read_content(baseline), read_content(current)
    comparison = compare(old, new, threshold, gate)
    if comparison.warning:
        say(f"warning: {comparison.warning}")
    format_ = _ALIASES.get(format_, format_)
    if format_ == "html":
        page.write(comparison, find_changed_samples(comparison, old, new), sys.stdout)
    else:
        WRITERS[format_](comparison, sys.stdout)
    failed = (
        (fail_on_regression and comparison.regressed)
        or (fail_on_inconclusive and comparison.ruling == "inconclusive")
        or (fail_on_missing and comparison.missing)
    )
    return EXIT_GATE if failed else 0
