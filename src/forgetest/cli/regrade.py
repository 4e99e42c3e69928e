"""`forgetest regrade`."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from forgetest import config
from forgetest.cli.judging import open_grader
from forgetest.cli.options import (
    config_option,
    executor_option,
    format_option,
    max_sample_size_option,
    read_numbers,
    sandbox_options,
    sharing_option,
)
from forgetest.cli.output import frozen_heap, say, say_if_warning, show, write_reports
from forgetest.cli.progress import show_progress
from forgetest.engine import journal as journal_lines
from forgetest.engine import plan as planning
from forgetest.engine.asking.ask import Source
from forgetest.engine.journal import Journal
from forgetest.engine.merge import Described, read_description
from forgetest.engine.plan import Plan
from forgetest.engine.run import run
from forgetest.engine.run_folder import RunFolder
from forgetest.evalset import EvalSet
from forgetest.evaluation import model_names
from forgetest.files.printable import printable
from forgetest.loading import load_eval_sets
from forgetest.renderers.model_table import counted


@click.command("regrade", short_help="Judge a run's answers again, without asking a model.")
@click.argument("run_folder", metavar="RUN", type=click.Path(path_type=Path))
@click.option(
    "--eval-set", "eval_sets", multiple=True, metavar="SET", help="Eval sets to use instead of the run's own."
)
@click.option(
    "--pass-k",
    default=None,
    callback=lambda c, p, v: v and read_numbers(c, p, v),
    metavar="K,…",
    help="The k of Pass@k. Default: those of the run.",
)
@click.option("--parallelism", type=click.IntRange(1), metavar="N", help="Samples judged at once.")
@format_option
@sandbox_options
@click.option("--no-cache", is_flag=True, help="Judge every sample, and neither read nor write the verdict cache.")
@sharing_option
@max_sample_size_option
@executor_option
@config_option
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but warnings and errors.")
def command(**given: Any) -> int:
    """Judge a run's answers again, without asking a model: with corrected tests, or another compiler.

    RUN is the folder of a run. The new verdicts go into a folder beside it; the old ones stay.

    \b
      forgetest regrade forgetest-results/latest
    """
    old_folder = given["run_folder"].resolve()
    described = read_description(old_folder)
    eval_sets = _load_sets(described, given["eval_sets"])
    quiet, settings = given["quiet"], config.load(file=given["config"])
    grader = open_grader(given, say_if_warning if quiet else say, settings)
    with contextlib.closing(Journal(old_folder / journal_lines.FILENAME, append=False)) as answers, grader:
        plan = _plan(old_folder, answers, eval_sets, given["pass_k"] or described.pass_k)
        judging = grader.prepare(plan.eval_sets)
        folder = RunFolder.open(old_folder.parent, f"{old_folder.name}-regraded", fresh=True)
        source = Source(ask=answers.completion, concurrency=1, immediate=True)
        sources = dict.fromkeys(model_names(plan.attempts), source)
        with contextlib.closing(folder.journal()) as journal, frozen_heap():
            with show_progress(plan.attempts, quiet=quiet) as observer:
                report = run(plan, folder, journal, judging, sources, observer, left=plan.attempts)
            paths = write_reports(report, folder.path, given["formats"])
        if not quiet:
            show(report, paths)
            if grader.cache_hits:
                say(f"{counted(grader.cache_hits, 'verdict')} taken from the cache")
    return 0


def _load_sets(described: Described, names: Sequence[str]) -> list[EvalSet]:
    """Read the given eval sets, or else those of the run."""
    sets = load_eval_sets(names or [old.path for old in described.eval_sets], say)
    for old in described.eval_sets:
        if not names and old.hash not in {eval_set.hash for eval_set in sets}:
            say(f"note: {old.path} has changed since the run; it is judged by what it says now")
    return sets


def _plan(run_folder: Path, answers: Journal, eval_sets: Sequence[EvalSet], pass_k: Sequence[int]) -> Plan:
    """Plan to judge every answer of a run whose case still exists."""
    known = {(eval_set.id, case.id) for eval_set in eval_sets for case in eval_set.cases}
    attempts = [attempt for attempt in answers.attempts() if answers.has_answer(attempt)]
    gone = {attempt.case_id for attempt in attempts if (attempt.eval_set_id, attempt.case_id) not in known}
    if gone:
        say(f"note: no such case any more, left out: {', '.join(sorted(gone))}")
    return planning.for_recording(eval_sets, eval_sets, attempts, printable(run_folder), pass_k)
