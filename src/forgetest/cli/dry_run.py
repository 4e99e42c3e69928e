"""`forgetest run --dry-run`: requests, samples and cost of a run."""

from __future__ import annotations

import contextlib

from forgetest.cli.output import echo
from forgetest.engine.asking.estimate import CostEstimate, estimate
from forgetest.engine.journal import FILENAME, Journal
from forgetest.evaluation import PlannedRun, expected_prices, model_names
from forgetest.renderers.model_table import counted


def show_plan(planned: PlannedRun) -> None:
    """Print what a run would ask and judge; run nothing."""
    plan, options, folder = planned.plan, planned.options, planned.folder
    unasked, unjudged = list(plan.attempts), len(plan.attempts)
    if (folder / FILENAME).exists() and not options.fresh:
        with contextlib.closing(Journal(folder / FILENAME, append=False)) as journal:
            unasked = [attempt for attempt in plan.attempts if not journal.has_answer(attempt)]
            unjudged -= sum(journal.is_judged(attempt) for attempt in plan.attempts)
    done = len(plan.attempts) - unjudged
    cases = sum(len(eval_set.cases) for eval_set in plan.eval_sets)
    echo(f"eval sets   {', '.join(eval_set.id for eval_set in plan.eval_sets)} ({counted(cases, 'case')})")
    echo(f"models      {', '.join(model_names(plan.attempts))}")
    source = options.samples_from
    echo(f"asked       {'nothing: the samples are in ' + source if source else len(unasked)}")
    if plan.generation is not None:
        estimates = estimate(plan, unasked, expected_prices(planned))
        for model, of_model in sorted(estimates.items()):
            prefix = f"{model}: " if len(estimates) > 1 else ""
            echo(f"tokens      {prefix}{_token_estimate(of_model)}")
            echo(f"cost        {prefix}{_cost_estimate(of_model)}")
    in_journal = f"; {done} are in the journal already" if done else ""
    echo(f"judged      {counted(unjudged, 'sample')}{in_journal}")
    echo(f"reported    Pass@{', Pass@'.join(str(k) for k in plan.pass_k)}, in {folder}")


def _token_estimate(estimated: CostEstimate) -> str:
    expected = "" if estimated.tokens_out is None else f"about {estimated.tokens_out:,} (as the reference solutions), "
    return f"about {estimated.tokens_in:,} in; {expected}at most {estimated.most_tokens_out:,} out"


def _cost_estimate(estimated: CostEstimate) -> str:
    if estimated.most_cost is None:
        return "n/a: the price is not known; docs/providers.md says how to set it"
    expected = "" if estimated.cost is None else f"about ${estimated.cost:.4f} without what the model may think, "
    return f"{expected}at most ${estimated.most_cost:.4f}"
