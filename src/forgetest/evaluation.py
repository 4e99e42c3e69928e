"""A run from its options to its report: for `forgetest.run(...)` and for the command line."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypedDict, Unpack

from forgetest import config, pricing
from forgetest.datasets import recorded
from forgetest.engine import plan as planning
from forgetest.engine import run as engine_run
from forgetest.engine.asking.ask import Source
from forgetest.engine.asking.budget import Budget
from forgetest.engine.asking.response_cache import ResponseCache
from forgetest.engine.asking.sources import Models, SourceOptions
from forgetest.engine.journal import Journal
from forgetest.engine.judging.recorder import Observer
from forgetest.engine.plan import Plan
from forgetest.engine.run import Judging
from forgetest.engine.run_folder import RunFolder
from forgetest.errors import UserError
from forgetest.evalset import EvalSet
from forgetest.evalset.generation import GenerationSettings
from forgetest.grading import DEFAULT_SANDBOX, Announce, Grader, Progress, announce_nothing, load_eval_sets
from forgetest.pricing import Price
from forgetest.report import Report
from forgetest.sample import Attempt, Sample

DEFAULT_OUTPUT = Path("forgetest-results")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """Options of a run. Where one is None, the configuration decides, or else the default."""

    eval_sets: Sequence[str | Path]
    models: Sequence[str] = ()
    samples_from: str | None = None
    pass_k: Sequence[int] = (1,)
    samples: int | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    top_p: float | None = None
    stop: Sequence[str] = ()
    reasoning_effort: str | None = None
    max_cost: float | None = None
    reuse_answers: bool | None = None
    batch: bool = False
    tags: Sequence[str] = ()
    case_ids: Sequence[str] = ()
    recheck: int = 0
    output: str | Path = DEFAULT_OUTPUT
    fresh: bool = False
    config: Path | None = None
    sandbox: str = DEFAULT_SANDBOX
    cache: bool = True
    sharing: bool = True
    parallelism: int | None = None
    executor: str | None = None


class RunKeywords(TypedDict, total=False):
    """Keyword arguments of `forgetest.run`: the fields of RunOptions."""

    models: Sequence[str]
    samples_from: str | None
    pass_k: Sequence[int]
    samples: int | None
    temperature: float | None
    max_tokens: int | None
    seed: int | None
    top_p: float | None
    stop: Sequence[str]
    reasoning_effort: str | None
    max_cost: float | None
    reuse_answers: bool | None
    batch: bool
    tags: Sequence[str]
    case_ids: Sequence[str]
    recheck: int
    output: str | Path
    fresh: bool
    config: Path | None
    sandbox: str
    cache: bool
    sharing: bool
    parallelism: int | None
    executor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRun:
    """A run that has been planned: nothing is asked or judged yet."""

    options: RunOptions
    settings: config.Settings
    plan: Plan
    models: Models | None
    """None for recorded samples."""
    recording: recorded.Recording | None
    prices: Mapping[str, Price | None]

    @property
    def folder(self) -> Path:
        """The folder of the run."""
        return Path(self.options.output) / self.plan.name


class Run:
    """A run whose folder is open."""

    def __init__(
        self, planned: PlannedRun, folder: RunFolder, journal: Journal, judging: Judging, answers: _Answers
    ) -> None:
        self.folder = folder
        self.judged_by_others = len(journal.judged_by_others)
        """How many samples of earlier sessions are judged again, because other tools judged them."""
        self.left = engine_run.unfinished(planned.plan, journal, planned.options.recheck)
        self._planned = planned
        self._journal = journal
        self._judging = judging
        self._answers = answers

    @property
    def reused_answers(self) -> int:
        """How many answers of earlier runs were used again."""
        return self._answers.cache.hits if self._answers.cache is not None else 0

    def execute(self, observer: Observer) -> Report:
        """Ask and judge what is left, and return the report on all of it."""
        return engine_run.run(
            self._planned.plan,
            self.folder,
            self._journal,
            self._judging,
            self._answers.sources,
            observer,
            left=self.left,
            recheck=self._planned.options.recheck,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answers:
    """Sources of the answers of a run, and the cache that they use."""

    sources: Mapping[str, Source]
    cache: ResponseCache | None = None


def plan_run(options: RunOptions, *, announce: Announce = announce_nothing) -> PlannedRun:
    """Read the configuration and the eval sets, and plan all attempts."""
    settings = config.load(file=options.config)
    whole_sets = load_eval_sets(options.eval_sets, announce)
    sets = planning.chosen(whole_sets, options.tags, options.case_ids)
    if options.samples_from is not None:
        return _plan_recorded(options, settings, options.samples_from, sets, whole_sets)
    return _plan_models(options, settings, sets, whole_sets, announce)


def open_grader(options: RunOptions, settings: config.Settings, announce: Announce | None = None) -> Grader:
    """Return the Grader that the options of a run ask for."""
    return Grader(
        sandbox=options.sandbox,
        cache_mb=None if options.cache else 0,
        sharing=options.sharing,
        parallelism=options.parallelism,
        executor=options.executor,
        settings=settings,
        announce=announce,
    )


@contextlib.contextmanager
def open_run(planned: PlannedRun, grader: Grader, *, announce: Announce = announce_nothing) -> Iterator[Run]:
    """Open the sources of answers, the folder and the journal of a planned run."""
    options = planned.options
    budget = None if options.max_cost is None else Budget(options.max_cost)
    with contextlib.ExitStack() as resources:
        answers = _open_answers(planned, budget, announce)
        if answers.cache is not None:
            resources.callback(answers.cache.close)
        judging = grader.prepare(planned.plan.eval_sets)
        folder = RunFolder.open(Path(options.output), planned.plan.name, fresh=options.fresh)
        journal = folder.journal(judging.tools)
        resources.callback(journal.end_writing)
        if budget is not None:
            budget.spent = journal.spent_usd()
        yield Run(planned, folder, journal, judging, answers)


def run(
    eval_sets: Sequence[str | Path],
    *,
    announce: Announce | None = None,
    progress: Progress | None = None,
    **options: Unpack[RunKeywords],
) -> Report:
    """Run eval sets and return the report. Options are the fields of RunOptions.

    The run's folder below `output` keeps the journal: the same call goes on where one was stopped.
    """
    say = announce or announce_nothing
    planned = plan_run(RunOptions(eval_sets=eval_sets, **options), announce=say)
    grader = open_grader(planned.options, planned.settings, say)
    with grader, open_run(planned, grader, announce=say) as opened:
        return opened.execute(_ProgressObserver(progress))


class _ProgressObserver:
    """Calls a progress callback."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._done = self._total = 0

    def started(self, total: int, done: int) -> None:
        self._total, self._done = total, done

    def finished(self, _sample: Sample) -> None:
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self._total)


_EXCLUDED_BY_SAMPLES = {
    "models": "--models",
    "samples": "--samples",
    "temperature": "--temperature",
    "max_tokens": "--max-tokens",
    "seed": "--seed",
    "top_p": "--top-p",
    "stop": "--stop",
    "reasoning_effort": "--reasoning-effort",
    "max_cost": "--max-cost",
    "reuse_answers": "--reuse-answers",
    "batch": "--batch",
}


def _plan_recorded(
    options: RunOptions,
    settings: config.Settings,
    file: str,
    sets: Sequence[EvalSet],
    whole_sets: Sequence[EvalSet],
) -> PlannedRun:
    defaults = {field.name: field.default for field in fields(RunOptions)}
    for name, option in _EXCLUDED_BY_SAMPLES.items():
        if getattr(options, name) not in (defaults[name], []):
            raise UserError(f"--samples-from excludes {option}: the samples are there already")
    recording = recorded.read(file, whole_sets)
    plan = planning.for_recording(sets, whole_sets, recording.attempts, recording.hash, options.pass_k)
    return PlannedRun(options=options, settings=settings, plan=plan, models=None, recording=recording, prices={})


def _plan_models(
    options: RunOptions,
    settings: config.Settings,
    sets: Sequence[EvalSet],
    whole_sets: Sequence[EvalSet],
    announce: Announce,
) -> PlannedRun:
    models = Models(settings)
    overrides = GenerationSettings(
        max_tokens=options.max_tokens,
        top_p=options.top_p,
        stop=tuple(options.stop) or None,
        seed=options.seed,
        reasoning_effort=options.reasoning_effort,
    )
    names = models.resolve(options.models)
    generation = models.generation(options.temperature, overrides, names, whole_sets)
    largest_k = max(options.pass_k)
    samples = options.samples or largest_k
    if samples < largest_k:
        raise UserError(f"--samples {samples}: Pass@{largest_k} needs at least {largest_k} samples a case")
    if largest_k > 1 and generation.temperature == 0:
        announce("warning: k > 1 at temperature 0: the samples of a case will be alike; give --temperature 0.8 or so")
    plan = planning.for_models(sets, whole_sets, names, sorted(options.pass_k), samples, generation)
    prices: Mapping[str, Price | None] = models.prices(plan)
    return PlannedRun(options=options, settings=settings, plan=plan, models=models, recording=None, prices=prices)


def expected_prices(planned: PlannedRun) -> Mapping[str, Price | None]:
    """Return the price that each model is asked at, in a batch or not."""
    if not planned.options.batch:
        return planned.prices
    return {model: pricing.in_a_batch(price) for model, price in planned.prices.items()}


def _open_answers(planned: PlannedRun, budget: Budget | None, announce: Announce) -> _Answers:
    plan = planned.plan
    if planned.models is None:
        assert planned.recording is not None
        source = Source(ask=planned.recording.completion, concurrency=1, at_hand=True)
        return _Answers(sources=dict.fromkeys(model_names(plan.attempts), source))
    assert plan.generation is not None
    cache = _response_cache(planned.options, planned.settings, plan.generation.temperature)
    options = SourceOptions(budget=budget, cache=cache, batch=planned.options.batch, announce=announce)
    return _Answers(sources=planned.models.sources(plan, planned.prices, options), cache=cache)


def model_names(attempts: Sequence[Attempt]) -> list[str]:
    """Return the models of attempts, as reports name them."""
    return sorted({attempt.model_name for attempt in attempts})


def _response_cache(options: RunOptions, settings: config.Settings, temperature: float) -> ResponseCache | None:
    """Open the cache of models' answers, or return None where it is not to be used."""
    reuse = options.reuse_answers
    if not settings.answers_mb and reuse:
        raise UserError("--reuse-answers: answers_mb is 0, so none are kept; set it to more than 0")
    if not settings.answers_mb or not (reuse or temperature == 0):
        return None
    refresh = options.fresh or reuse is False
    return ResponseCache(config.answers_folder(), settings.answers_mb * 1_000_000, refresh=refresh)
