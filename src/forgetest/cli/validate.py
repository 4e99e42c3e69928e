"""`forgetest validate`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import click

from forgetest import config, plugins, scoring
from forgetest.cli.options import sandbox_options
from forgetest.cli.workplace import check_cases, chosen_sandbox, judge_for, load_sets, say, slots
from forgetest.command_line import EXIT_GATE
from forgetest.engine.judging.judge import Judge
from forgetest.errors import UserError
from forgetest.evalset import Case, EvalSet
from forgetest.evalset.keys import json_schema
from forgetest.renderers.model_table import counted
from forgetest.sample import Completion


@click.command("validate", short_help="Check eval sets, and their reference solutions.")
@click.option("--eval-set", "eval_sets", multiple=True, metavar="SET", help="A file, a folder, or a built-in set.")
@click.option("--solve", is_flag=True, help="Judge every reference solution; each must score 1.0.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of eval sets, for editors.")
@click.option("--parallelism", type=click.IntRange(1), metavar="N", help="Solutions judged at once.")
@sandbox_options
def command(
    eval_sets: Sequence[str],
    solve: bool,
    schema: bool,
    parallelism: int | None,
    sandbox: str,
    unsafe_no_sandbox: bool,
) -> int:
    """Check eval sets: every mistake is shown, with its file, line and key.

    \b
      forgetest validate --eval-set eval-sets/
      forgetest validate --eval-set my.toml --solve
    """
    if schema:
        click.echo(json.dumps(json_schema(), indent=2))
        return 0
    if not eval_sets:
        raise UserError("nothing to validate: give --eval-set")
    found = load_sets(eval_sets)
    check_cases(found)
    for eval_set in found:
        click.echo(f"{eval_set.path}: {eval_set.id}: {counted(len(eval_set.cases), 'case')}, no mistake")
    if not solve:
        return 0
    return _solve(found, parallelism, chosen_sandbox(sandbox, unsafe=unsafe_no_sandbox))


def _solve(eval_sets: Sequence[EvalSet], parallelism: int | None, sandbox: str) -> int:
    settings = config.load()
    unsolved = [(eval_set, case) for eval_set, case in _cases(eval_sets) if case.reference_solution is None]
    for eval_set, case in unsolved:
        say(f"warning: {eval_set.id}/{case.id}: no reference_solution")
    solved = [(eval_set, case) for eval_set, case in _cases(eval_sets) if case.reference_solution is not None]
    wrong = 0
    with judge_for(eval_sets, sandbox=sandbox, cache_mb=settings.cache_mb) as (judge, _):
        executor = plugins.find("executors", "local")(slots(parallelism, settings))
        for name, shortcomings in executor.map(lambda pair: _judge(judge, *pair), solved):
            wrong += bool(shortcomings)
            click.echo(f"{'ok  ' if not shortcomings else 'FAIL'}  {name}")
            for shortcoming in shortcomings:
                click.echo(f"      {shortcoming}")
    click.echo(f"{len(solved) - wrong} of {len(solved)} reference solutions score 1.0")
    return EXIT_GATE if wrong else 0


def _judge(judge: Judge, eval_set: EvalSet, case: Case) -> tuple[str, list[str]]:
    """A case's name, and what is wrong with its reference solution."""
    name = f"{eval_set.id}/{case.id}"
    judgement = judge.judge(eval_set, case, Completion(text=case.reference_solution or "", verbatim=True))
    if judgement.verdict is None:
        return name, [judgement.reason or "not judged"]
    verdict = judgement.verdict
    found = scoring.shortcomings(verdict, case.expectations)
    found += [f"{test.name}: {test.message}" for test in verdict.tests if test.status == "failed"]
    found += [f"{lint.code}: {lint.message}" for lint in verdict.lints]
    overall = scoring.score(verdict, case.expectations, eval_set.weights).overall
    return name, [f"scores {overall:g}", *found] if overall != 1.0 or found else []


def _cases(eval_sets: Sequence[EvalSet]) -> Iterator[tuple[EvalSet, Case]]:
    for eval_set in eval_sets:
        for case in eval_set.cases:
            yield eval_set, case
