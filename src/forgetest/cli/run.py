"""`forgetest run`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import click

from forgetest import evaluation
from forgetest.cli import dry_run
from forgetest.cli.options import (
    MOST_SAMPLES,
    choose_executor,
    choose_sandbox,
    config_option,
    executor_option,
    format_option,
    max_sample_size_option,
    read_list,
    read_numbers,
    sandbox_options,
    sharing_option,
)
from forgetest.cli.output import echo_json, frozen_heap, say, say_if_warning, show, write_plots, write_reports
from forgetest.cli.progress import show_progress
from forgetest.command_line import EXIT_GATE, number
from forgetest.engine.plan import DEFAULT_MAX_TOKENS
from forgetest.evalset import built_in
from forgetest.evaluation import DEFAULT_OUTPUT, PlannedRun, RunOptions
from forgetest.files.printable import printable, terminal_safe_line
from forgetest.renderers.model_table import counted
from forgetest.report import Report
from forgetest.report.encode import encode_aggregate, rounded


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputOptions:
    """Options of the command line itself: reports, messages and gates."""

    formats: Sequence[str] = ("json",)
    plots: bool = False
    quiet: bool = False
    as_json: bool = False
    dry_run: bool = False
    fail_under: float | None = None
    fail_on_unjudged: bool = False


@click.command("run", short_help="Ask models for code, judge it, and report.")
@click.option(
    "--eval-set",
    "eval_sets",
    multiple=True,
    required=True,
    metavar="SET",
    help=f"A TOML file, a folder of them, or a built-in set: {', '.join(built_in())}. May be given more than once.",
)
@click.option(
    "--models",
    callback=read_list,
    metavar="P/M,…",
    help="Models to ask, as provider/model; a bare name is a model of the default provider. Default: the configured "
    "model, or else the embedded one.",
)
@click.option(
    "--samples-from",
    metavar="FILE",
    help="Judge existing samples instead of asking models: JSON lines, optionally .gz, or - for stdin.",
)
@click.option("--pass-k", default="1", show_default=True, callback=read_numbers, metavar="K,…", help="The k of Pass@k.")
@click.option(
    "--samples", type=click.IntRange(1, MOST_SAMPLES), metavar="N", help="Samples per case. Default: the largest k."
)
@click.option(
    "--temperature", type=number(0, 2), metavar="T", help="Sampling temperature; 0 unless configured otherwise."
)
@click.option(
    "--max-tokens",
    type=click.IntRange(1),
    metavar="N",
    help=f"Longest answer, in tokens; {DEFAULT_MAX_TOKENS} unless a case sets its own limit.",
)
@click.option("--seed", type=click.IntRange(0), metavar="N", help="Make sampling repeatable, if the model supports it.")
@click.option(
    "--top-p",
    type=number(0, 1, above_least=True),
    metavar="P",
    help="Nucleus sampling: the share of likeliest tokens to draw from.",
)
@click.option(
    "--stop", multiple=True, metavar="TEXT", help="Text at which an answer ends. May be given more than once."
)
@click.option(
    "--reasoning-effort", metavar="E", help="How much the model reasons, in the terms of its API: low, high, …"
)
@click.option(
    "--max-cost",
    type=number(0),
    metavar="USD",
    help="Stop asking before the run could cost more than this; the answers so far are judged and reported.",
)
@click.option(
    "--reuse-answers/--ask-anew",
    default=None,
    help="Reuse answers of earlier runs to the same request, or never. Default: reuse them at temperature 0.",
)
@click.option(
    "--batch",
    is_flag=True,
    help="Submit the requests as a batch, at half the price, and wait for the answers, up to a day. You may stop "
    "the command; the same command collects the answers later.",
)
@click.option(
    "--parallelism", type=click.IntRange(1), metavar="N", help="Samples judged at once. Default: one per core."
)
@click.option("--filter", "tags", callback=read_list, metavar="TAG,…", help="Only cases with any of these tags.")
@click.option("--case", "case_ids", callback=read_list, metavar="ID,…", help="Only these cases.")
@click.option("--since", metavar="DAY", help="Only cases published on this day or later, as in 2024-05-31.")
@click.option("--until", metavar="DAY", help="Only cases published on this day or earlier.")
@config_option
@format_option
@click.option("--plots", is_flag=True, help="Plot Pass@k by k, cost against score, and score by case, as SVG.")
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=DEFAULT_OUTPUT,
    show_default=True,
    help="Folder of all runs, with a folder for each; its link `latest` leads to this run.",
)
@click.option("--fresh", is_flag=True, help="Start over; the folder of an earlier run is renamed, not deleted.")
@sandbox_options
@click.option("--no-cache", is_flag=True, help="Judge every sample, and neither read nor write the verdict cache.")
@sharing_option
@max_sample_size_option
@executor_option
@click.option(
    "--recheck",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Judge every sample N more times, and mark those whose verdict changes as flaky.",
)
@click.option(
    "--fail-under", type=number(0, 1), metavar="S", help="Exit with 1 if the mean score of a model is below this."
)
@click.option("--fail-on-unjudged", is_flag=True, help="Exit with 1 if a sample could not be judged.")
@click.option(
    "--dry-run", is_flag=True, help="Show what would be asked and judged, with an estimate of the cost, and stop."
)
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but warnings and errors.")
@click.option("--json", "as_json", is_flag=True, help="Print the aggregates and paths as JSON.")
def command(**given: Any) -> int:
    """Ask models for code, judge it, and report.

    Each answer is compiled, tested and linted in a sandbox and scored from 0 to 1. Every finished sample is in
    the run's journal before it counts: interrupt or kill a run, and the same command resumes it.

    \b
      forgetest run --eval-set quickstart --pass-k 1,3 --temperature 0.8
      forgetest run --eval-set rust-basics --models anthropic/claude-sonnet-4-5,openai/gpt-5
      forgetest run --eval-set my.toml --samples-from samples.jsonl --fail-under 0.8
    """
    output = output_options(given)
    planned = evaluation.plan_run(run_options(given))
    if output.dry_run:
        dry_run.show_plan(planned)
        return 0
    return _run_planned(planned, output)


def run_options(given: Mapping[str, Any]) -> RunOptions:
    """Return the options of the run among the parsed parameters."""
    renamed = {
        "cache": not given["no_cache"],
        "sharing": not given["no_sharing"],
        "sandbox": choose_sandbox(given["sandbox"], unsafe=given["unsafe_no_sandbox"]),
        "executor": choose_executor(given["executor"], given["ray_address"]),
        "stop": given["stop"] or None,
        "announce": say_if_warning if given["quiet"] else say,
    }
    names = {field.name for field in fields(RunOptions)}
    return RunOptions(**{name: value for name, value in {**given, **renamed}.items() if name in names})


def output_options(given: Mapping[str, Any]) -> OutputOptions:
    """Return the options of the command line among the parsed parameters."""
    return OutputOptions(**{field.name: given[field.name] for field in fields(OutputOptions)})


def _run_planned(planned: PlannedRun, output: OutputOptions) -> int:
    grader = evaluation.open_grader(planned)
    with grader, evaluation.open_run(planned, grader) as run, frozen_heap():
        if run.judged_by_others and not output.quiet:
            outdated = counted(run.judged_by_others, "sample")
            say(f"note: judged again, as another compiler or sandbox was used before: {outdated}")
        with show_progress(run.left, quiet=output.quiet or output.as_json) as observer:
            report = run.execute(observer)
        paths = write_reports(report, run.folder.path, output.formats)
        if output.plots:
            paths += write_plots(report, run.folder.path)
        _print(report, paths, output)
        if run.reused_answers and not output.quiet:
            answers = counted(run.reused_answers, "answer")
            say(f"{answers} of earlier runs used again; --ask-anew asks for new ones")
        if grader.cache_hits and not output.quiet:
            say(f"{counted(grader.cache_hits, 'verdict')} taken from the cache")
        return check_gates(report, output)


def _print(report: Report, paths: Sequence[Path], output: OutputOptions) -> None:
    if output.as_json:
        document = {"reports": [printable(path) for path in paths], "aggregate": encode_aggregate(report.aggregate)}
        echo_json(document)
    elif not output.quiet:
        show(report, paths)


def check_gates(report: Report, output: OutputOptions) -> int:
    """Print what a gate stops, and return the exit code."""
    code = EXIT_GATE if output.fail_on_unjudged and report.settings.further.get("left_out") else 0
    for model, aggregate in report.aggregate.per_model.items():
        name = terminal_safe_line(model)
        score = rounded(aggregate.mean_score.value) if aggregate.mean_score else None  # as the report shows it
        if output.fail_under is not None and (score is None or score < output.fail_under):
            shown = "n/a" if score is None else f"{score:.3f}"
            say(f"{name}: mean score {shown} is below --fail-under {output.fail_under:g}")
            code = EXIT_GATE
        if aggregate.unjudged:
            count = f"{aggregate.unjudged} of {counted(aggregate.asked, 'sample')} could not be judged"
            say(f"warning: {name}: {count}: {_usual_reason(report, model)}")
            code = EXIT_GATE if output.fail_on_unjudged else code
    return code


def _usual_reason(report: Report, model: str) -> str:
    """Return the most frequent reason for which samples of a model are unjudged."""
    reasons = Counter(
        sample.reason or ""
        for sample in report.results
        if sample.outcome == "unjudged" and sample.attempt.model_name == model
    )
    reason, _ = reasons.most_common(1)[0]
    others = len(reasons) - 1
    return reason + (f" (and {counted(others, 'other reason')}, see the report)" if others else "")
