"""`forgetest run --dry-run`: what would be asked and judged, and what that takes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from forgetest.engine.asking.estimate import Estimate, estimate
from forgetest.engine.journal import FILENAME, Journal
from forgetest.engine.plan import Plan
from forgetest.pricing import Price
from forgetest.renderers.model_table import counted


def tell(
    plan: Plan, samples_from: str | None, folder: Path, prices: Mapping[str, Price | None], *, fresh: bool
) -> None:
    """Print it, and do nothing."""
    unasked, judged = list(plan.attempts), len(plan.attempts)
    if (folder / FILENAME).exists() and not fresh:
        journal = Journal(folder / FILENAME, append=False)
        unasked = [attempt for attempt in plan.attempts if not journal.has_answer(attempt)]
        judged -= sum(journal.is_judged(attempt) for attempt in plan.attempts)
        journal.close()
    done = len(plan.attempts) - judged
    models = sorted({attempt.model_name for attempt in plan.attempts})
    cases = sum(len(eval_set.cases) for eval_set in plan.eval_sets)
    click.echo(f"eval sets   {', '.join(eval_set.id for eval_set in plan.eval_sets)} ({counted(cases, 'case')})")
    click.echo(f"models      {', '.join(models)}")
    click.echo(f"asked       {'nothing: the samples are in ' + samples_from if samples_from else len(unasked)}")
    if plan.generation is not None:
        estimates = estimate(plan, unasked, prices)
        for model, each in sorted(estimates.items()):
            which = f"{model}: " if len(estimates) > 1 else ""
            click.echo(f"tokens      {which}{_tokens(each)}")
            click.echo(f"cost        {which}{_cost(each)}")
    click.echo(f"judged      {counted(judged, 'sample')}" + (f"; {done} are in the journal already" if done else ""))
    click.echo(f"reported    Pass@{', Pass@'.join(str(k) for k in plan.pass_k)}, in {folder}")


def _tokens(each: Estimate) -> str:
    expected = "" if each.tokens_out is None else f"about {each.tokens_out:,} (as the reference solutions), "
    return f"about {each.tokens_in:,} in; {expected}at most {each.most_tokens_out:,} out"


def _cost(each: Estimate) -> str:
    if each.most_cost is None:
        return "n/a: the price is not known; docs/providers.md says how to set it"
    expected = "" if each.cost is None else f"about ${each.cost:.4f} without what the model may think, "
    return f"{expected}at most ${each.most_cost:.4f}"
