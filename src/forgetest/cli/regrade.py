"""`forgetest regrade`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from forgetest import config, plugins
from forgetest.cli.options import format_option, read_numbers, sandbox_options, sharing_option
from forgetest.cli.progress import shown
from forgetest.cli.workplace import chosen_sandbox, judge_for, load_sets, say, show, slots, write_reports
from forgetest.engine import journal as journal_lines
from forgetest.engine import plan as planning
from forgetest.engine.asking.ask import Source
from forgetest.engine.journal import Journal
from forgetest.engine.merge import read_description
from forgetest.engine.run import RunFolder, run
from forgetest.files.printable import printable


@click.command("regrade", short_help="Judge a run's answers again, without asking a model.")
@click.argument("run_folder", metavar="RUN", type=click.Path(path_type=Path))
@click.option("--eval-set", "eval_sets", multiple=True, metavar="SET", help="Other sets than the run's own.")
@click.option(
    "--pass-k",
    default=None,
    callback=lambda c, p, v: v and read_numbers(c, p, v),
    metavar="K,…",
    help="The k of Pass@k. Without: those of the run.",
)
@click.option("--parallelism", type=click.IntRange(1), metavar="N", help="Samples judged at once.")
@format_option
@sandbox_options
@click.option("--no-cache", is_flag=True, help="Judge anew what was judged before, and keep no verdict.")
@sharing_option
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but warnings and errors.")
def command(
    run_folder: Path,
    eval_sets: Sequence[str],
    pass_k: tuple[int, ...] | None,
    parallelism: int | None,
    formats: Sequence[str],
    sandbox: str,
    unsafe_no_sandbox: bool,
    no_cache: bool,
    no_sharing: bool,
    quiet: bool,
) -> int:
    """Judge a run's answers again, without asking a model: with mended tests, or another compiler.

    RUN is a run's folder. The new verdicts go into a folder beside it; the old ones stay.

    \b
      forgetest regrade forgetest-results/latest
    """
    run_folder = run_folder.resolve()
    described = read_description(run_folder)
    names = eval_sets or [each.path for each in described.eval_sets]
    sets = load_sets(names)
    for old in described.eval_sets:
        if not eval_sets and old.hash not in {each.hash for each in sets}:
            say(f"note: {old.path} has changed since the run; it is judged by what it says now")
    answers = Journal(run_folder / journal_lines.FILENAME, append=False)
    known = {(eval_set.id, case.id) for eval_set in sets for case in eval_set.cases}
    attempts = [attempt for attempt in answers.attempts() if answers.has_answer(attempt)]
    gone = {attempt.case_id for attempt in attempts if (attempt.eval_set_id, attempt.case_id) not in known}
    if gone:
        say(f"note: no such case any more, left out: {', '.join(sorted(gone))}")
    plan = planning.for_recording(sets, sets, attempts, printable(run_folder), pass_k or described.pass_k)
    models = {attempt.model_name for attempt in plan.attempts}
    settings = config.load()
    cache_mb = 0 if no_cache else settings.cache_mb
    kind = chosen_sandbox(sandbox, unsafe=unsafe_no_sandbox)
    with judge_for(plan.eval_sets, sandbox=kind, quiet=quiet, cache_mb=cache_mb, sharing=not no_sharing) as (
        judge,
        tools,
    ):
        folder = RunFolder.open(run_folder.parent, f"{run_folder.name}-regraded", fresh=True)
        journal = folder.journal()
        sources = {model: Source(ask=answers.completion, concurrency=1, at_hand=True) for model in models}
        executor = plugins.find("executors", "local")(slots(parallelism, settings))
        with shown(plan.attempts, quiet=quiet) as observer:
            report = run(plan, folder, journal, judge, executor, sources, observer, tools)
        paths = write_reports(report, folder.path, formats)
        journal.close()
    answers.close()
    if not quiet:
        show(report, paths)
    return 0
