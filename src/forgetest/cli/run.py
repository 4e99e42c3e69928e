"""`forgetest run`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from forgetest import config, plugins, pricing
from forgetest.cli import dry_run as dry_run_
from forgetest.cli.options import MOST_SAMPLES, format_option, read_list, read_numbers, sandbox_options, sharing_option
from forgetest.cli.progress import shown
from forgetest.cli.workplace import chosen_sandbox, judge_for, load_sets, say, show, slots, write_plots, write_reports
from forgetest.command_line import EXIT_GATE, number
from forgetest.datasets import recorded
from forgetest.engine import plan as planning
from forgetest.engine.asking.ask import Source
from forgetest.engine.asking.budget import Budget
from forgetest.engine.asking.response_cache import ResponseCache
from forgetest.engine.asking.sources import Models, SourceOptions
from forgetest.engine.journal import Tools
from forgetest.engine.plan import DEFAULT_MAX_TOKENS
from forgetest.engine.run import RunFolder, run
from forgetest.errors import UserError
from forgetest.evalset import built_in
from forgetest.evalset.generation import GenerationSettings
from forgetest.files.printable import printable
from forgetest.pricing import Price
from forgetest.renderers.model_table import counted
from forgetest.report import Report
from forgetest.report.encode import encode_aggregate, rounded


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
    help="The models to ask, as provider/model. Without: the configured default, or else the embedded model.",
)
@click.option(
    "--samples-from", metavar="FILE", help="Judge what was written elsewhere: JSON lines, also .gz, or - for stdin."
)
@click.option("--pass-k", default="1", show_default=True, callback=read_numbers, metavar="K,…", help="The k of Pass@k.")
@click.option(
    "--samples", type=click.IntRange(1, MOST_SAMPLES), metavar="N", help="Samples a case. Without: the largest k."
)
@click.option("--temperature", type=number(0, 2), metavar="T", help="0 unless configured otherwise.")
@click.option(
    "--max-tokens",
    type=click.IntRange(1),
    metavar="N",
    help=f"Longest answer; {DEFAULT_MAX_TOKENS} unless a case says otherwise.",
)
@click.option("--seed", type=click.IntRange(0), metavar="N", help="Makes sampling repeatable, where a model can.")
@click.option("--top-p", type=number(0, 1, above_least=True), metavar="P", help="Nucleus sampling.")
@click.option("--stop", multiple=True, metavar="TEXT", help="Where an answer ends. May be given more than once.")
@click.option(
    "--reasoning-effort", metavar="E", help="How much to think, in the words of the model's API: low, high, …"
)
@click.option(
    "--max-cost",
    type=number(0),
    metavar="USD",
    help="Ask nothing that might take the run's cost beyond this; what there is by then is judged and reported.",
)
@click.option(
    "--reuse-answers/--ask-anew",
    default=None,
    help="Whether to take answers that earlier runs got to the same request. Without: only at temperature 0.",
)
@click.option(
    "--batch",
    is_flag=True,
    help="Hand requests in as a batch, for half the price, and wait until the service is done: up to a day. "
    "Stop it if you like; the same command collects the answers.",
)
@click.option("--parallelism", type=click.IntRange(1), metavar="N", help="Samples judged at once. Without: one a core.")
@click.option("--filter", "tags", callback=read_list, metavar="TAG,…", help="Only cases with any of these tags.")
@click.option("--case", "case_ids", callback=read_list, metavar="ID,…", help="Only these cases.")
@format_option
@click.option("--plots", is_flag=True, help="Draw Pass@k over k, cost against score and score by case, as SVG.")
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("forgetest-results"),
    show_default=True,
    help="Where runs are kept, a folder each; `latest` in it leads to this one.",
)
@click.option("--fresh", is_flag=True, help="Start over; what an earlier run of this kind left is put aside.")
@sandbox_options
@click.option("--no-cache", is_flag=True, help="Judge anew what was judged before, and keep no verdict.")
@sharing_option
@click.option(
    "--recheck",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Judge every sample N times more, and mark those whose verdict changes as flaky.",
)
@click.option("--fail-under", type=number(0, 1), metavar="S", help="Exit 1 if a model's mean score is below.")
@click.option("--fail-on-unjudged", is_flag=True, help="Exit 1 if a sample could not be judged.")
@click.option("--dry-run", is_flag=True, help="Say what would be asked and judged, and do nothing.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but warnings and errors.")
@click.option("--json", "as_json", is_flag=True, help="Print the aggregates and paths as JSON.")
def command(
    eval_sets: Sequence[str],
    models: Sequence[str],
    samples_from: str | None,
    pass_k: tuple[int, ...],
    samples: int | None,
    temperature: float | None,
    max_tokens: int | None,
    seed: int | None,
    top_p: float | None,
    stop: tuple[str, ...],
    reasoning_effort: str | None,
    max_cost: float | None,
    reuse_answers: bool | None,
    batch: bool,
    parallelism: int | None,
    tags: Sequence[str],
    case_ids: Sequence[str],
    formats: Sequence[str],
    plots: bool,
    output: Path,
    fresh: bool,
    sandbox: str,
    unsafe_no_sandbox: bool,
    no_cache: bool,
    no_sharing: bool,
    recheck: int,
    fail_under: float | None,
    fail_on_unjudged: bool,
    dry_run: bool,
    quiet: bool,
    as_json: bool,
) -> int:
    """Ask models for code, judge it, and report.

    Each answer is compiled, tested and linted in a sandbox and scored 0 to 1. Every finished sample is in the
    run's journal before it counts: interrupt it, or kill it, and the same command goes on where it was.

    \b
      forgetest run --eval-set quickstart --pass-k 1,3 --temperature 0.8
      forgetest run --eval-set rust-basics --models anthropic/claude-sonnet-4-5,openai/gpt-5
      forgetest run --eval-set my.toml --samples-from samples.jsonl --fail-under 0.8
    """
    settings = config.load()
    whole_sets = load_sets(eval_sets)
    sets = planning.chosen(whole_sets, tags, case_ids)
    budget = None if max_cost is None else Budget(max_cost)
    prices: Mapping[str, Price | None] = {}
    response_cache: ResponseCache | None = None
    if samples_from is not None:
        given = {"--models": models, "--samples": samples, "--temperature": temperature}
        given |= {"--max-tokens": max_tokens, "--seed": seed, "--top-p": top_p, "--stop": stop}
        given |= {"--reasoning-effort": reasoning_effort, "--max-cost": max_cost, "--reuse-answers": reuse_answers}
        given |= {"--batch": batch or None}
        for option, value in given.items():
            if value not in (None, ()):
                raise UserError(f"--samples-from excludes {option}: the samples are there already")
        recording = recorded.read(samples_from, whole_sets)
        plan = planning.for_recording(sets, whole_sets, recording.attempts, recording.hash, pass_k)
        sources: Mapping[str, Source] = {
            model: Source(ask=recording.completion, concurrency=1, at_hand=True)
            for model in {attempt.model_name for attempt in plan.attempts}
        }
    else:
        from_command_line = GenerationSettings(
            max_tokens=max_tokens, top_p=top_p, stop=stop or None, seed=seed, reasoning_effort=reasoning_effort
        )
        providers = Models(settings)
        named = providers.resolve(models)
        generation = providers.generation(temperature, from_command_line, named, whole_sets)
        count = samples or pass_k[-1]
        if count < pass_k[-1]:
            raise UserError(f"--samples {count}: Pass@{pass_k[-1]} needs at least {pass_k[-1]} samples a case")
        if pass_k[-1] > 1 and generation.temperature == 0:
            say("warning: k > 1 at temperature 0: the samples of a case will be alike; give --temperature 0.8 or so")
        plan = planning.for_models(sets, whole_sets, named, pass_k, count, generation)
        prices = providers.prices(plan)
        if not dry_run:
            response_cache = _response_cache(settings, generation.temperature, reuse_answers, fresh=fresh)
            options = SourceOptions(budget=budget, cache=response_cache, batch=batch, announce=say)
            sources = providers.sources(plan, prices, options)
        elif batch:
            prices = {model: pricing.in_a_batch(price) for model, price in prices.items()}
    if dry_run:
        dry_run_.tell(plan, samples_from, output / plan.name, prices, fresh=fresh)
        return 0

    cache_mb = 0 if no_cache else settings.cache_mb
    kind = chosen_sandbox(sandbox, unsafe=unsafe_no_sandbox)
    with judge_for(plan.eval_sets, sandbox=kind, quiet=quiet, cache_mb=cache_mb, sharing=not no_sharing) as (
        judge,
        tools,
    ):
        folder = RunFolder.open(output, plan.name, fresh=fresh)
        versions = tools["toolchains"]
        assert isinstance(versions, dict)
        journal = folder.journal(Tools(toolchains=frozenset(versions.values()), sandbox=str(tools["sandbox"])))
        if journal.judged_by_others and not quiet:
            outdated = counted(len(journal.judged_by_others), "sample")
            say(f"note: judged again, as another compiler or sandbox was used before: {outdated}")
        if budget is not None:
            budget.spent = journal.spent_usd()
        left = [attempt for attempt in plan.attempts if not journal.is_done(attempt, recheck)]
        executor = plugins.find("executors", "local")(slots(parallelism, settings))
        with shown(left, quiet=quiet or as_json) as observer:
            report = run(plan, folder, journal, judge, executor, sources, observer, tools, recheck)
        paths = write_reports(report, folder.path, formats)
        if plots:
            paths += write_plots(report, folder.path)
        _print(report, paths, quiet=quiet, as_json=as_json)
        if response_cache is not None:
            response_cache.close()
            if response_cache.hits and not quiet:
                say(
                    f"{counted(response_cache.hits, 'answer')} of earlier runs used again; --ask-anew asks for new ones"
                )
        verdict = _gate(report, fail_under, fail_on_unjudged)
        journal.close()
    return verdict


def _response_cache(
    settings: config.Settings, temperature: float, reuse: bool | None, *, fresh: bool
) -> ResponseCache | None:
    """Open the cache of models' answers, or return None where it is not to be used."""
    if not settings.answers_mb and reuse:
        raise UserError("--reuse-answers: answers_mb is 0, so none are kept; set it to more than 0")
    if not settings.answers_mb or not (reuse or temperature == 0):
        return None
    return ResponseCache(config.answers_folder(), settings.answers_mb * 1_000_000, refresh=fresh or reuse is False)


def _print(report: Report, paths: Sequence[Path], *, quiet: bool, as_json: bool) -> None:
    if as_json:
        document = {"reports": [printable(path) for path in paths], "aggregate": encode_aggregate(report.aggregate)}
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
    elif not quiet:
        show(report, paths)


def _gate(report: Report, fail_under: float | None, fail_on_unjudged: bool) -> int:
    verdict = 0
    for model, each in report.aggregate.per_model.items():
        score = rounded(each.mean_score.value) if each.mean_score else None  # as the report shows it
        if fail_under is not None and (score is None or score < fail_under):
            say(
                f"{model}: mean score {'n/a' if score is None else f'{score:.3f}'} is below --fail-under {fail_under:g}"
            )
            verdict = EXIT_GATE
        if each.unjudged:
            count = f"{each.unjudged} of {counted(each.asked, 'sample')} could not be judged"
            say(f"warning: {model}: {count}: {_usual_reason(report, model)}")
            verdict = EXIT_GATE if fail_on_unjudged else verdict
    return verdict


def _usual_reason(report: Report, model: str) -> str:
    """Why most of a model's samples are unjudged: one sentence, however many there are."""
    reasons = Counter(
        sample.reason or ""
        for sample in report.results
        if sample.outcome == "unjudged" and sample.attempt.model_name == model
    )
    reason, _ = reasons.most_common(1)[0]
    others = len(reasons) - 1
    return reason + (f" (and {counted(others, 'other reason')}, see the report)" if others else "")
