"""`forgetest validate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from forgetest.cli.judging import open_grader
from forgetest.cli.options import executor_option, sandbox_options
from forgetest.cli.output import echo, say
from forgetest.cli.schema import print_schema
from forgetest.command_line import EXIT_GATE
from forgetest.errors import UserError
from forgetest.evalset import EvalSet
from forgetest.grade import Grade
from forgetest.grading import Grader
from forgetest.loading import check_cases, load_eval_sets
from forgetest.renderers.model_table import counted


@click.command("validate", short_help="Check eval sets, and their reference solutions.")
@click.option("--eval-set", "eval_sets", multiple=True, metavar="SET", help="A file, a folder, or a built-in set.")
@click.option("--solve", is_flag=True, help="Judge every reference solution; each must score 1.0.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of eval sets, for editors.")
@click.option("--parallelism", type=click.IntRange(1), metavar="N", help="Solutions judged at once.")
@sandbox_options
@executor_option
def command(eval_sets: Sequence[str], solve: bool, schema: bool, **judging: Any) -> int:
    """Check eval sets: every mistake is shown, with its file, line and key.

    \b
      forgetest validate --eval-set eval-sets/
      forgetest validate --eval-set my.toml --solve
    """
    if schema:
        print_schema("eval-set")
        return 0
    if not eval_sets:
        raise UserError("nothing to validate: give --eval-set")
    found = load_eval_sets(eval_sets, say)
    check_cases(found)
    for eval_set in found:
        echo(f"{eval_set.path}: {eval_set.id}: {counted(len(eval_set.cases), 'case')}, no mistake")
    if not solve:
        return 0
    with open_grader(judging, say) as grader:
        return _solve(found, grader)


def _solve(eval_sets: Sequence[EvalSet], grader: Grader) -> int:
    """Grade every reference solution, and return the exit code."""
    solved = wrong = 0
    grader.prepare(eval_sets)
    for eval_set in eval_sets:
        for case in eval_set.cases:
            if case.reference_solution is None:
                say(f"warning: {eval_set.id}/{case.id}: no reference_solution")
        pairs = [(case.reference_solution, case) for case in eval_set.cases if case.reference_solution is not None]
        grades = grader.grade_many(pairs, as_code=True, weights=eval_set.weights)
        for (_, case), grade in zip(pairs, grades, strict=True):
            problems = _problems(grade)
            solved += not problems
            wrong += bool(problems)
            echo(f"{'ok  ' if not problems else 'FAIL'}  {eval_set.id}/{case.id}")
            for problem in problems:
                echo(f"      {problem}")
    echo(f"{solved} of {solved + wrong} reference solutions score 1.0")
    return EXIT_GATE if wrong else 0


def _problems(grade: Grade) -> list[str]:
    """Return what is wrong with a reference solution."""
    if grade.verdict is None or grade.score is None:
        return [grade.reason or "not judged"]
    found = [grade.reason] if grade.reason else []
    found += [f"{test.name}: {test.message}" for test in grade.verdict.tests if test.status == "failed"]
    if grade.score.overall == 1.0 and not found:
        return []
    found += [f"{lint.code}: {lint.message}" for lint in grade.verdict.lints]  # one costs nothing if it has no weight
    return [f"scores {grade.score.overall:g}", *found]
