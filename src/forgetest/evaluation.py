"""A run from its options to its report: for `forgetest.run(...)` and for the command line."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import ParamSpec

from forgetest import config, pricing
from forgetest.config import ExecutorSettings
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
from forgetest.grade import Progress
from forgetest.grading import DEFAULT_SANDBOX, Grader
from forgetest.loading import Announce, announce_nothing, load_eval_sets
from forgetest.pricing import Price
from forgetest.renderers.model_table import left_out_sentence
from forgetest.report import Report
from forgetest.sample import Attempt, Sample

DEFAULT_OUTPUT = Path("forgetest-results")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions(GenerationSettings):
    """Options of a run. Where one is None, the configuration decides, or else the default."""

    eval_sets: Sequence[str | Path] = field(kw_only=False)
    models: Sequence[str] = ()
    samples_from: str | None = None
    pass_k: Sequence[int] = (1,)
    samples: int | None = None
    temperature: float | None = None
    max_cost: float | None = None
    reuse_answers: bool | None = None
    batch: bool = False
    tags: Sequence[str] = ()
    case_ids: Sequence[str] = ()
    since: str | None = None
    """Only cases that were published on this day or later, as in 2024-05-31."""
    until: str | None = None
    recheck: int = 0
    output: str | Path = DEFAULT_OUTPUT
    fresh: bool = False
    config: Path | None = None
    sandbox: str = DEFAULT_SANDBOX
    cache: bool = True
    sharing: bool = True
    confirm_failures: bool = False
    max_sample_size: int | None = None
    parallelism: int | None = None
    executor: str | ExecutorSettings | None = None
    announce: Announce = field(default=announce_nothing, compare=False, repr=False)
    """Called with each message that the command line would print to standard error."""
    progress: Progress | None = field(default=None, compare=False, repr=False)
    """Called after each sample, with how many are done and how many there are."""

    @property
    def generation(self) -> GenerationSettings:
        """The generation settings alone."""
        given = {name: getattr(self, name) for name in _GENERATION}
        return GenerationSettings(**{**given, "stop": tuple(self.stop or ()) or None})


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


def plan_run(options: RunOptions) -> PlannedRun:
    """Read the configuration and the eval sets, and plan all attempts."""
    settings = config.load(file=options.config)
    whole_sets = load_eval_sets(options.eval_sets, options.announce)
    sets = planning.chosen(whole_sets, options.tags, options.case_ids)
    sets = planning.published(sets, options.since, options.until)
    if options.samples_from is not None:
        return _plan_recorded(options, settings, options.samples_from, sets, whole_sets)
    return _plan_models(options, settings, sets, whole_sets)


def open_grader(planned: PlannedRun) -> Grader:
    """Return the Grader that the options of a run ask for."""
    options = planned.options
    return Grader(
        sandbox=options.sandbox,
        cache_mb=None if options.cache else 0,
        sharing=options.sharing,
        confirm_failures=options.confirm_failures,
        max_sample_size=options.max_sample_size,
        parallelism=options.parallelism,
        executor=options.executor,
        settings=planned.settings,
        announce=options.announce,
    )


@contextlib.contextmanager
def open_run(planned: PlannedRun, grader: Grader) -> Iterator[Run]:
    """Open the sources of answers, the folder and the journal of a planned run."""
    options = planned.options
    planned = _without_missing_tools(planned, grader)
    budget = None if options.max_cost is None else Budget(options.max_cost)
    with contextlib.ExitStack() as resources:
        answers = _open_answers(planned, budget)
        if answers.cache is not None:
            resources.callback(answers.cache.close)
        judging = grader.prepare(planned.plan.eval_sets)
        folder = RunFolder.open(Path(options.output), planned.plan.name, fresh=options.fresh)
        journal = folder.journal(judging.tools)
        resources.callback(journal.end_writing)
        if budget is not None:
            budget.spent = journal.spent_usd()
        yield Run(planned, folder, journal, judging, answers)


def _without_missing_tools(planned: PlannedRun, grader: Grader) -> PlannedRun:
    """Leave out the cases in languages whose tools are missing, where their eval set has others that can be judged."""
    sets = planned.plan.eval_sets
    missing = grader.missing_tools(sets)
    for eval_set in sets:
        if all(case.language in missing for case in eval_set.cases):
            raise UserError(f"{eval_set.id}: {'; '.join(missing[name] for name in sorted(missing))}")
    plan = planning.without_languages(planned.plan, missing)
    if not plan.attempts:
        raise UserError("; ".join(each.reason for each in plan.left_out))
    for each in plan.left_out:
        planned.options.announce(f"warning: {left_out_sentence(each.language, each.cases, each.reason)}")
    return replace(planned, plan=plan)


_Given = ParamSpec("_Given")


def _taking_options(
    function: Callable[[RunOptions], Report], options: Callable[_Given, RunOptions]
) -> Callable[_Given, Report]:
    """Return the function as one that takes the fields of RunOptions as arguments, with their types."""

    def run(*args: _Given.args, **kwargs: _Given.kwargs) -> Report:
        return function(options(*args, **kwargs))

    run.__doc__ = function.__doc__
    signature = inspect.signature(options).replace(return_annotation=Report)
    run.__signature__ = signature  # type: ignore[attr-defined]  # for help()
    return run


def _run(options: RunOptions) -> Report:
    """Run eval sets and return the report. Options are the fields of RunOptions.

    The run's folder below `output` keeps the journal: the same call goes on where one was stopped.
    """
    planned = plan_run(options)
    grader = open_grader(planned)
    with grader, open_run(planned, grader) as opened:
        return opened.execute(_ProgressObserver(options.progress))


run = _taking_options(_run, RunOptions)


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


_GENERATION = tuple(setting.name for setting in fields(GenerationSettings))
_EXCLUDED_BY_SAMPLES = ("models", "samples", "temperature", *_GENERATION, "max_cost", "reuse_answers", "batch")


def _plan_recorded(
    options: RunOptions,
    settings: config.Settings,
    file: str,
    sets: Sequence[EvalSet],
    whole_sets: Sequence[EvalSet],
) -> PlannedRun:
    defaults = {option.name: option.default for option in fields(RunOptions)}
    for name in _EXCLUDED_BY_SAMPLES:
        if getattr(options, name) not in (defaults[name], [], ()):
            option = f"--{name.replace('_', '-')}"
            raise UserError(f"--samples-from excludes {option}: the samples are there already")
    recording = recorded.read(file, whole_sets)
    plan = planning.for_recording(sets, whole_sets, recording.attempts, recording.hash, options.pass_k)
    return PlannedRun(options=options, settings=settings, plan=plan, models=None, recording=recording, prices={})


def _plan_models(
    options: RunOptions,
    settings: config.Settings,
    sets: Sequence[EvalSet],
    whole_sets: Sequence[EvalSet],
) -> PlannedRun:
    models = Models(settings)
    names = models.resolve(options.models)
    generation = models.generation(options.temperature, options.generation, names, whole_sets)
    largest_k = max(options.pass_k)
    samples = options.samples or largest_k
    if samples < largest_k:
        raise UserError(f"--samples {samples}: Pass@{largest_k} needs at least {largest_k} samples a case")
    if largest_k > 1 and generation.temperature == 0:
        options.announce(
            "warning: k > 1 at temperature 0: the samples of a case will be alike; give --temperature 0.8 or so"
        )
    plan = planning.for_models(sets, whole_sets, names, sorted(options.pass_k), samples, generation)
    prices: Mapping[str, Price | None] = models.prices(plan)
    return PlannedRun(options=options, settings=settings, plan=plan, models=models, recording=None, prices=prices)


def expected_prices(planned: PlannedRun) -> Mapping[str, Price | None]:
    """Return the price that each model is asked at, in a batch or not."""
    if not planned.options.batch:
        return planned.prices
    return {model: pricing.in_a_batch(price) for model, price in planned.prices.items()}


def _open_answers(planned: PlannedRun, budget: Budget | None) -> _Answers:
    plan = planned.plan
    if planned.models is None:
        assert planned.recording is not None
        source = Source(ask=planned.recording.completion, concurrency=1, immediate=True)
        return _Answers(sources=dict.fromkeys(model_names(plan.attempts), source))
    assert plan.generation is not None
    options = planned.options
    cache = _response_cache(options, planned.settings, plan.generation.temperature)
    source_options = SourceOptions(budget=budget, cache=cache, batch=options.batch, announce=options.announce)
    return _Answers(sources=planned.models.sources(plan, planned.prices, source_options), cache=cache)


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
