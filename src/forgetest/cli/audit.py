"""`forgetest audit`."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from forgetest.auditing.results import Audit, AuditOptions
from forgetest.cli.options import executor_option, read_list, sandbox_options
from forgetest.cli.output import echo, say, say_if_warning
from forgetest.command_line import EXIT_GATE
from forgetest.errors import UserError
from forgetest.evalset import EvalSet

_DEFAULTS = AuditOptions()
_FORMATS = ("json", "html", "sarif")
_SAY_EVERY_S = 10.0


def _read_formats(ctx: click.Context, parameter: click.Parameter, value: str) -> tuple[str, ...]:
    names = _FORMATS if value == "all" else read_list(ctx, parameter, value)
    for name in names:
        if name not in _FORMATS:
            raise click.BadParameter(f"{name} is none of {', '.join(_FORMATS)}, all")
    return tuple(dict.fromkeys(names))


@click.command("audit", short_help="Examine eval sets: which wrong answers would their tests let through?")
@click.option("--eval-set", "eval_sets", multiple=True, metavar="SET", help="A file, a folder, or a built-in set.")
@click.option(
    "--case", "cases", multiple=True, metavar="ID", help="Examine only this case; may be given several times."
)
@click.option(
    "--mutants",
    type=click.IntRange(1),
    default=_DEFAULTS.mutants,
    show_default=True,
    metavar="N",
    help="Most mutants of a case; all where there are fewer.",
)
@click.option(
    "--seed",
    type=int,
    default=_DEFAULTS.seed,
    show_default=True,
    metavar="N",
    help="Decides which mutants are taken where there are more.",
)
@click.option(
    "--repeat",
    type=click.IntRange(1),
    default=_DEFAULTS.repeat,
    show_default=True,
    metavar="N",
    help="Judge each reference solution that many times, all but once while other work fills the cores, to find flaky "
    "ones.",
)
@click.option(
    "--samples-from",
    metavar="FILE",
    help="Judge recorded answers beside, as `run` does: which cases do they all pass, and where do those differ that "
    "pass every test?",
)
@click.option("--suggest", is_flag=True, help="Search inputs that tell survivors apart, and print the missing tests.")
@click.option(
    "--write", is_flag=True, help="Add the suggested tests to the eval set's file; read them before you trust them."
)
@click.option(
    "--inputs",
    type=click.IntRange(1),
    default=_DEFAULTS.inputs,
    show_default=True,
    metavar="N",
    help="Inputs of a case that --suggest and --samples-from try.",
)
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 1),
    metavar="RATE",
    help="Exit with code 1 if fewer mutants are killed, as in 0.95, or if there is any error.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Where to write the files of --format. Default: forgetest-audit.",
)
@click.option(
    "--format",
    "formats",
    default="json,html",
    show_default=True,
    callback=_read_formats,
    metavar="F,…",
    help="Files to write: json, html, sarif, or all.",
)
@click.option("--parallelism", type=click.IntRange(1), metavar="N", help="Samples judged at once.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
@sandbox_options
@executor_option
def command(
    eval_sets: Sequence[str],
    cases: Sequence[str],
    mutants: int,
    seed: int,
    repeat: int,
    samples_from: str | None,
    suggest: bool,
    write: bool,
    inputs: int,
    fail_under: float | None,
    output: Path | None,
    formats: Sequence[str],
    quiet: bool,
    **judging: Any,
) -> int:
    """Examine eval sets: is the exam any good?

    Judges mutants of each reference solution, answers that do no work, and forgeries; what passes shows what the tests
    do not notice. Interrupted audits resume. docs/audit.md explains the report card.

    \b
      forgetest audit --eval-set my.toml
      forgetest audit --eval-set my.toml --samples-from samples.jsonl
      forgetest audit --eval-set my.toml --fail-under 0.95 --format all
    """
    from forgetest.auditing import files, recorded, terminal
    from forgetest.auditing.examine import examine
    from forgetest.auditing.journal import FILENAME, Journal
    from forgetest.auditing.selection import only
    from forgetest.cli.judging import open_grader
    from forgetest.loading import check_cases, load_eval_sets

    if not eval_sets:
        raise UserError("nothing to examine: give --eval-set")
    announce = say_if_warning if quiet else say
    whole_sets = load_eval_sets(eval_sets, announce)
    found = only(whole_sets, cases)
    check_cases(found)
    answers = recorded.read(samples_from, whole_sets, found) if samples_from is not None else {}
    options = AuditOptions(mutants=mutants, seed=seed, repeat=repeat, suggest=suggest or write, inputs=inputs)
    folder = output or Path("forgetest-audit")
    with open_grader(judging, announce) as grader:
        audit = examine(found, grader, options, _Progress(quiet=quiet), answers, Journal(folder / FILENAME))
    echo(terminal.summary(audit))
    if write:
        _write_suggestions(found, audit)
    for path in files.write(audit, folder, formats):
        echo(str(path))
    if fail_under is not None and not audit.passes(fail_under):
        say(f"--fail-under {fail_under:g}: {terminal.rate_text(audit.kill_rate)} killed, {audit.errors} errors")
        return EXIT_GATE
    return 0


def _write_suggestions(eval_sets: Sequence[EvalSet], audit: Audit) -> None:
    from forgetest.auditing.source_lines import case_lines
    from forgetest.auditing.write_tests import write_tests

    for eval_set, audited in zip(eval_sets, audit.eval_sets, strict=True):
        lines = case_lines(eval_set)
        cases = {case.id: case for case in eval_set.cases}
        new = {
            each.id: (cases[each.id], lines[each.id], each.suggested_test_file)
            for each in audited.cases
            if each.suggested_test_file is not None
        }
        if not new:
            continue
        refused = write_tests(Path(eval_set.path), new)
        say(f"{eval_set.path}: tests added to {len(new) - len(refused)} cases")
        for case_id in refused:
            say(f"warning: {case_id}: its tests are not written line by line; paste the suggested ones yourself")


class _Progress:
    """A line that is overwritten on a terminal; elsewhere a line every few seconds."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._is_terminal = sys.stderr.isatty()
        self._said_at = time.monotonic()

    def __call__(self, what: str, done: int, total: int) -> None:
        if self._quiet:
            return
        if self._is_terminal:
            end = "\n" if done == total else ""
            sys.stderr.write(f"\r{what}: {done} of {total}\x1b[K{end}")  # our own words and numbers only
            sys.stderr.flush()
        elif time.monotonic() - self._said_at >= _SAY_EVERY_S or done == total:
            self._said_at = time.monotonic()
            say(f"{what}: {done} of {total}")
