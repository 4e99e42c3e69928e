"""One run: ask models, judge their answers, record the results in the journal, report."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from forgetest import language, report
from forgetest.engine.asking.ask import Source, ask_models
from forgetest.engine.journal import Journal, Session
from forgetest.engine.judging.grouping import TaskGroups
from forgetest.engine.judging.prepared_cases import PreparedCases, prepare_ahead
from forgetest.engine.judging.recorder import Observer, Recorder
from forgetest.engine.judging.submissions import CachedVerdicts
from forgetest.engine.plan import Plan
from forgetest.engine.results import Results
from forgetest.engine.run_folder import RunFolder
from forgetest.engine.tool_versions import ToolVersions
from forgetest.evalset import Case
from forgetest.executors import Executor, WorkerSpec
from forgetest.report import Report, RunSettings
from forgetest.sample import DEFAULT_MAX_SAMPLE_SIZE, Attempt
from forgetest.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """Where and how samples are judged."""

    executor: Executor
    worker: WorkerSpec
    verdicts: CachedVerdicts | None
    """None where every sample is judged, known or not."""
    cases: PreparedCases
    """Where cases are prepared while models are still being asked."""
    tools: ToolVersions
    max_sample_size: int = DEFAULT_MAX_SAMPLE_SIZE
    """Longest answer that is judged, in bytes."""


def unfinished(plan: Plan, journal: Journal, recheck: int = 0) -> list[Attempt]:
    """Return the attempts of a plan that are left to judge, or to recheck."""
    return [attempt for attempt in plan.attempts if not journal.is_done(attempt, recheck)]


def run(
    plan: Plan,
    folder: RunFolder,
    journal: Journal,
    judging: Judging,
    sources: Mapping[str, Source],
    observer: Observer,
    *,
    left: Sequence[Attempt],
    recheck: int = 0,
) -> Report:
    """Do what is left of a plan, and report on all of it. `recheck`: how many more times each sample is judged."""
    if left or not journal.sessions:
        journal.begin(_new_session(journal))
    folder.describe(plan, journal, judging.tools)
    observer.started(len(plan.attempts), len(plan.attempts) - len(left))
    results = Results(plan, journal)
    recorder = Recorder(results, judging.verdicts, sources, observer, recheck, judging.max_sample_size)
    executor = judging.executor
    try:
        with (
            ask_models(left, sources, journal) as ready,
            TaskGroups(
                ready, len(left), executor.slots, recorder.admit, _largest_group(plan), lambda: recorder.has_room
            ) as groups,
            prepare_ahead(judging.cases, _cases_in_order(plan, left), executor.slots),
        ):
            for judged in executor.map(judging.worker, groups):
                recorder.record(judged)
    finally:
        recorder.end()
    return report_of(results, judging.tools)


def _cases_in_order(plan: Plan, left: Sequence[Attempt]) -> list[Case]:
    cases = {(eval_set.id, case.id): case for eval_set, case in plan.cases()}
    return [cases[place] for place in dict.fromkeys((attempt.eval_set_id, attempt.case_id) for attempt in left)]


def _largest_group(plan: Plan) -> int:
    return language.most_together({case.language for _, case in plan.cases()})


def report_of(results: Results, tools: ToolVersions) -> Report:
    """Return the report on what a journal holds of a plan."""
    plan, journal = results.plan, results.journal
    first = journal.sessions[0]
    generation = plan.generation
    return report.summarise(
        results,
        plan.eval_sets,
        RunSettings(
            pass_k=plan.pass_k,
            samples=plan.samples,
            temperature=generation.temperature if generation else None,
            max_tokens=generation.max_tokens if generation else None,
            seed=generation.settings.seed if generation else None,
            prompt_template_hash=generation.prompt_template_hash if generation else None,
            further={
                **(generation.non_default() if generation else {}),
                **tools.as_settings(),
                **({"left_out": [asdict(each) for each in plan.left_out]} if plan.left_out else {}),
            },
        ),
        report_id=first.run_id,
        created_at=datetime.fromisoformat(first.started_at),
        duration_ms=journal.duration_ms,
    )


def _new_session(journal: Journal) -> Session:
    return Session(
        run_id=journal.sessions[0].run_id if journal.sessions else secrets.token_hex(8),
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
        forgetest=__version__,
    )
