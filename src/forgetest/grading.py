"""Grader: a proved sandbox, the toolchains and the verdict cache, ready to grade answers.

Prints nothing, installs no signal handler, and may be used from many threads at once. See docs/python-api.md.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from types import TracebackType
from typing import TypeVar

from forgetest import config, language, plugins
from forgetest.engine.judging.answer_code import code_of
from forgetest.engine.judging.fingerprints import fingerprints
from forgetest.engine.judging.grouping import split_into_groups
from forgetest.engine.judging.prepared_cases import PreparedCases, shared_memory
from forgetest.engine.judging.program_runs import ProgramOutcome, ProgramRunner
from forgetest.engine.judging.screening import repeat, screen
from forgetest.engine.judging.single_flight import SingleFlight
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.engine.judging.stream import JudgeStream, StreamSample
from forgetest.engine.judging.submissions import CachedVerdicts, Submission, Submissions
from forgetest.engine.judging.verdict_cache import VerdictCache
from forgetest.engine.judging.worker import JudgeSpec
from forgetest.engine.results import assess
from forgetest.engine.run import Judging
from forgetest.engine.tool_versions import ToolVersions
from forgetest.errors import UserError
from forgetest.evalset import Case, EvalSet, Weights
from forgetest.executors import Executor, Judged
from forgetest.grade import Grade, Progress
from forgetest.loading import Announce, announce_nothing, check_cases
from forgetest.mutation import Mutation
from forgetest.sample import Completion, Outcome
from forgetest.sandboxes.factory import open_proved_sandbox
from forgetest.toolchains.auditing import ScreenedMutants
from forgetest.toolchains.programs import ProgramRun

DEFAULT_SANDBOX = "bubblewrap"

_Owner = TypeVar("_Owner")


class Grader:
    """Grades answers. Opens when it is first used, or by `with`; closes once. Thread-safe."""

    def __init__(
        self,
        *,
        sandbox: str = DEFAULT_SANDBOX,
        cache_mb: int | None = None,
        sharing: bool = True,
        confirm_failures: bool = False,
        max_sample_size: int | None = None,
        parallelism: int | None = None,
        executor: str | config.ExecutorSettings | None = None,
        settings: config.Settings | None = None,
        announce: Announce | None = None,
    ) -> None:
        """Remember the options; nothing runs yet.

        `sandbox`: its kind; `none` runs samples with all your rights. `cache_mb`: size limit of the verdict cache, 0
        for no cache. `sharing`: let samples share compiler calls where their language allows it.
        `confirm_failures`: judge a sample that failed in a shared call again alone. `max_sample_size`: longest answer
        that is judged, in bytes. `parallelism`: how many samples are judged at once. `executor`: where they are
        judged. `settings`: by default, those of the nearest forgetest.toml, which decide what is left out here.
        """
        self._sandbox = sandbox
        self._cache_mb = cache_mb
        self._sharing = sharing
        self._confirm_failures = confirm_failures
        self._max_sample_size = max_sample_size
        self._parallelism = parallelism
        self._executor = executor
        self._settings = settings
        self._announce = announce or announce_nothing
        self._lock = threading.Lock()
        self._single_flight: SingleFlight[Judged] = SingleFlight()
        self._parts: _Parts | None = None
        self._is_closed = False

    def __enter__(self) -> Grader:
        self._opened()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End what is still running and release the sandbox. The Grader cannot be used afterwards."""
        with self._lock:
            self._is_closed = True
            parts, self._parts = self._parts, None
        if parts is not None:
            parts.close()

    def grade(self, answer: str, case: Case, *, as_code: bool = False, weights: Weights | None = None) -> Grade:
        """Grade one answer to a case.

        The code is extracted from the answer; with `as_code`, the answer is the code. `weights` of the score's
        components default to those of the scoring rules.
        """
        parts = self._opened()
        code, reason = code_of(Completion(text=answer, verbatim=as_code), case.language, parts.max_sample_size)
        if code is None or reason is not None:
            return _grade(None, code, reason, case, weights)
        key = parts.verdicts.key(case, code) if parts.verdicts is not None else None

        def judge() -> Judged:
            [(_, judged)] = parts.judge([Submission(None, case, code)])
            return judged

        # threads that grade the same code at the same time share one judgement
        judged = judge() if key is None else self._single_flight.do(key, judge)
        return _grade(judged, code, None, case, weights)

    def grade_many(
        self,
        answers: Iterable[tuple[str, Case]],
        *,
        as_code: bool = False,
        weights: Weights | None = None,
        recheck: int = 0,
        progress: Progress | None = None,
        on_grade: Callable[[int, Grade], None] | None = None,
    ) -> list[Grade]:
        """Grade answers, which share compiler calls where they can. Grades come in the order of the answers.

        `recheck`: judge each that many more times, to find verdicts that change. `on_grade` is called with the index
        and the grade of each answer as soon as it is known, in no particular order.
        """
        parts = self._opened()
        pairs = list(answers)
        grades: dict[int, Grade] = {}
        samples: list[Submission[tuple[int, str]]] = []

        def add(index: int, grade: Grade) -> None:
            grades[index] = grade
            if on_grade is not None:
                on_grade(index, grade)
            if progress is not None:
                progress(len(grades), len(pairs))

        for index, (answer, case) in enumerate(pairs):
            code, reason = code_of(Completion(text=answer, verbatim=as_code), case.language, parts.max_sample_size)
            if code is None or reason is not None:
                add(index, _grade(None, code, reason, case, weights))
            else:
                samples.append(Submission((index, code), case, code, recheck=recheck))
        for (index, code), judged in parts.judge(samples):
            add(index, _grade(judged, code, None, pairs[index][1], weights))
        return [grades[index] for index in range(len(pairs))]

    def submit(
        self, answers: Iterable[tuple[str, Case]], *, as_code: bool = False, weights: Weights | None = None
    ) -> list[Future[Grade]]:
        """Start to grade answers and return a future for each, in their order.

        Answers that are submitted while others are being judged share compiler calls, whoever submitted them. A future
        that is cancelled before its sample is judged costs nothing. It raises UserError where the case is wrong.
        """
        parts = self._opened()
        futures: list[Future[Grade]] = []
        samples: list[StreamSample[Grade]] = []
        for answer, case in answers:
            code, reason = code_of(Completion(text=answer, verbatim=as_code), case.language, parts.max_sample_size)
            if code is None or reason is not None:
                finished: Future[Grade] = Future()
                finished.set_result(_grade(None, code, reason, case, weights))
                futures.append(finished)
            else:
                samples.append(StreamSample(case, code, _convert_to_grade(code, case, weights)))
                futures.append(samples[-1].future)
        parts.stream().submit(samples)
        return futures

    def missing_tools(self, eval_sets: Sequence[EvalSet]) -> dict[str, str]:
        """Return languages that cannot be judged here, with the reason; only those of sets in several languages."""
        mixed = [names for each in eval_sets if len(names := {case.language for case in each.cases}) > 1]
        missing = {}
        for name in sorted(set().union(*mixed)):
            try:
                self.prepare_case(Case(id="tools", name="tools", prompt="-", language=name))
            except UserError as error:
                missing[name] = str(error)
        return missing

    def run_program(self, code: str, language: str, run: ProgramRun) -> ProgramOutcome:
        """Run a program in the sandbox with an input, and judge nothing. One that was built lately is not built again.

        Raises UserError where no toolchain runs programs of that language.
        """
        return self._opened().programs.run(code, language, run)

    def fingerprints(self, samples: Sequence[tuple[str, Case]]) -> list[frozenset[str]]:
        """Return the fingerprints of programs: two that have one in common behave the same."""
        parts = self._opened()
        return list(fingerprints(parts.cases, parts.runner.run, samples, parts.executor.slots))

    def screen(self, asked: Sequence[tuple[Case, Sequence[Mutation]]]) -> Iterator[tuple[int, ScreenedMutants]]:
        """Yield the index of each case and what is certain about mutants of its reference solution, in any order.

        None is for a mutant that has to be graded.
        """
        parts = self._opened()
        parts.cases.prepare_many([case for case, _ in asked], parts.executor.slots)
        return screen(parts.cases, parts.runner.run, asked, parts.executor.slots)

    def repeat_references(self, cases: Sequence[Case], times: int) -> list[Sequence[tuple[str, ...]]]:
        """Return, of each case, the tests that its reference solution failed in each of that many runs.

        It is built once. Nothing for a case whose language cannot do that.
        """
        parts = self._opened()
        return repeat(parts.cases, parts.runner.run, cases, times, parts.executor.slots)

    def prepare(self, eval_sets: Sequence[EvalSet]) -> Judging:
        """Check and prepare the cases of eval sets; return what a run needs to judge them."""
        parts = self._opened()
        check_cases(eval_sets)
        versions: dict[str, str] = {}
        prepared = set()
        for case in (case for eval_set in eval_sets for case in eval_set.cases):
            if (case.language, case.dependencies) not in prepared:
                prepared.add((case.language, case.dependencies))
                versions[case.language] = parts.cases.prepare(case).version
        tools = ToolVersions(
            toolchains=versions, sandbox=parts.worker.sandbox_level, sandbox_version=parts.sandbox_version
        )
        return Judging(
            executor=parts.executor,
            worker=parts.worker,
            verdicts=parts.verdicts,
            cases=parts.cases,
            tools=tools,
            max_sample_size=parts.max_sample_size,
        )

    def prepare_case(self, case: Case) -> None:
        """Prepare a case before it is needed; otherwise its first sample waits for that."""
        self._opened().cases.prepare(case)

    @property
    def cache_hits(self) -> int:
        """How many verdicts came from the cache so far."""
        parts = self._parts
        return 0 if parts is None or parts.cache is None else parts.cache.hits

    def _opened(self) -> _Parts:
        with self._lock:
            if self._is_closed:
                raise UserError("this Grader is closed; create another one")
            if self._parts is None:
                self._parts = self._open(self._settings or config.load())
            return self._parts

    def _open(self, settings: config.Settings) -> _Parts:
        folder, environment = config.cache_folder(), config.host_environment()
        host_variables = tuple(sorted(environment.items()))
        cache_mb = settings.cache_mb if self._cache_mb is None else self._cache_mb
        with contextlib.ExitStack() as resources:
            sandbox, isolation = open_proved_sandbox(self._sandbox, folder)
            resources.callback(sandbox.close)
            runner = StepRunner(
                sandbox, folder, environment, announce=lambda step: self._announce(f"preparing: {step} …")
            )
            cases = PreparedCases(runner, memory=shared_memory(folder, host_variables))
            cache = None
            if cache_mb:
                cache = VerdictCache(folder, cache_mb * 1_000_000, announce=self._announce)
                resources.callback(cache.close)
            executor = open_executor(self._executor, self._parallelism or settings.parallelism, settings)
            resources.callback(executor.close)
            return _Parts(
                runner=runner,
                cases=cases,
                programs=ProgramRunner(cases, runner.run),
                cache=cache,
                verdicts=None
                if cache is None
                else CachedVerdicts(
                    cache,
                    cases,
                    isolation.level,
                    sharing=self._sharing,
                    confirm_failures=self._confirm_failures,
                    slots=executor.slots,
                ),
                executor=executor,
                worker=JudgeSpec(
                    sandbox=self._sandbox,
                    sandbox_level=isolation.level,
                    folder=folder,
                    host_environment=host_variables,
                    sharing=self._sharing,
                    confirm_failures=self._confirm_failures,
                ),
                sandbox_version=isolation.version,
                max_sample_size=self._max_sample_size or settings.max_sample_size,
                resources=resources.pop_all(),
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """Parts of an open Grader."""

    runner: StepRunner
    cases: PreparedCases
    """Prepared in this process; workers prepare their own, and find on disk what was built here."""
    programs: ProgramRunner
    cache: VerdictCache | None
    verdicts: CachedVerdicts | None
    executor: Executor
    worker: JudgeSpec
    sandbox_version: str
    max_sample_size: int
    resources: contextlib.ExitStack
    streams: list[JudgeStream[Grade]] = field(default_factory=list)
    """One, from the first call of `submit` on."""
    streams_lock: threading.Lock = field(default_factory=threading.Lock)

    def close(self) -> None:
        for stream in self.streams:
            stream.close()
        self.resources.close()

    def stream(self) -> JudgeStream[Grade]:
        with self.streams_lock:
            if not self.streams:
                self.streams.append(JudgeStream(self.executor, self.worker, self.verdicts, self.cases))
            return self.streams[0]

    def judge(self, samples: Sequence[Submission[_Owner]]) -> Iterator[tuple[_Owner, Judged]]:
        """Yield the results of samples with their owners, as they finish."""
        submissions: Submissions[_Owner] = Submissions(self.verdicts)
        known, tasks = submissions.submit(samples)
        yield from known
        slots = self.executor.slots
        self.cases.prepare_many([task.case for task in tasks], slots)  # here, where it is announced
        most = language.most_together({task.case.language for task in tasks})
        for judged in self.executor.map(self.worker, split_into_groups(tasks, slots, most)):
            yield from submissions.settle(judged)


def open_executor(
    chosen: str | config.ExecutorSettings | None, slots: int | None, settings: config.Settings
) -> Executor:
    """Create the chosen executor, or else the configured one; one that is chosen by name has its configured options."""
    configured = settings.executor
    if isinstance(chosen, str):
        chosen = configured if chosen == configured.type else config.ExecutorSettings(type=chosen)
    chosen = chosen or configured
    executor: Executor = plugins.find("executors", chosen.type)(slots, chosen.options)
    return executor


def _convert_to_grade(code: str, case: Case, weights: Weights | None) -> Callable[[Judged], Grade]:
    return lambda judged: _grade(judged, code, None, case, weights)


def _grade(judged: Judged | None, code: str | None, reason: str | None, case: Case, weights: Weights | None) -> Grade:
    """Return the grade of a judged sample, or of an answer that has no code to judge."""
    outcome: Outcome = "judged" if judged is None or judged.verdict is not None else "unjudged"
    verdict, reason = (None, reason) if judged is None else (judged.verdict, judged.reason)
    assessed = assess(outcome, verdict, reason, case, weights or Weights())
    return Grade(
        outcome=outcome,
        correct=assessed.correct is True,
        score=assessed.score,
        reason=assessed.reason,
        code=code,
        verdict=assessed.verdict,
        total_ms=0.0 if judged is None else judged.wall_ms,
        recheck=None if judged is None else judged.recheck,
    )
