"""What happens in a run, and in which order: ask, judge, journal; in the end, a report."""

from __future__ import annotations

import itertools
import os
import platform
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from forgetest import report
from forgetest.engine import journal as journal_lines
from forgetest.engine.asking.ask import Source, ask_models
from forgetest.engine.journal import Journal, Session, Tools
from forgetest.engine.judging.grouping import in_groups
from forgetest.engine.judging.judge import Judge
from forgetest.engine.judging.recorder import Finishing, Observer
from forgetest.engine.plan import Plan
from forgetest.engine.results import Results
from forgetest.errors import UserError
from forgetest.executors import Executor
from forgetest.files import atomic
from forgetest.files.printable import printable
from forgetest.report import Report, RunSettings
from forgetest.version import __version__

RUN_FILENAME = "run.json"
RUN_FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFolder:
    """Where a run keeps its journal and its reports."""

    path: Path

    @classmethod
    def open(cls, output: Path, name: str, *, fresh: bool) -> RunFolder:
        """The run's folder below `output`; with `fresh`, what is there is put aside, never deleted."""
        folder = output / name
        try:
            if fresh and folder.exists():
                with journal_lines.locked(folder / journal_lines.FILENAME):
                    folder.rename(_unused(folder))
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"{folder}: {error.strerror}; choose another --output") from error
        _point_latest(output, name)
        return cls(path=folder)

    def journal(self, tools: Tools | None = None) -> Journal:
        """The run's journal, for going on; with `tools`, what others judged is judged again."""
        return Journal(self.path / journal_lines.FILENAME, tools=tools)


def _unused(folder: Path) -> Path:
    """A name for what is put aside."""
    numbered = (folder.with_name(f"{folder.name}.{number}") for number in itertools.count(1))
    return next(path for path in numbered if not path.exists())


def _point_latest(output: Path, name: str) -> None:
    """`latest` leads to the run that was last worked on; where links cannot be made, there is none."""
    link, new = output / "latest", output / f".latest-{os.getpid()}"
    if link.exists() and not link.is_symlink():
        return
    try:
        new.symlink_to(name)
        new.replace(link)
    except OSError:
        new.unlink(missing_ok=True)


def run(
    plan: Plan,
    folder: RunFolder,
    journal: Journal,
    judge: Judge,
    executor: Executor,
    sources: Mapping[str, Source],
    observer: Observer,
    settings: Mapping[str, object],
    recheck: int = 0,
) -> Report:
    """Do what is left of a plan, and report on all of it.

    `settings`: what else the report should say; `recheck`: how often each sample is judged again.
    """
    session = Session(
        run_id=journal.sessions[0].run_id if journal.sessions else secrets.token_hex(8),
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
        forgetest=__version__,
    )
    left = [attempt for attempt in plan.attempts if not journal.is_done(attempt, recheck)]
    if left or not journal.sessions:
        journal.begin(session)
    describe(plan, folder, journal, settings)
    observer.started(len(plan.attempts), len(plan.attempts) - len(left))
    results = Results(plan, journal)
    finishing = Finishing(results, judge, sources, observer, recheck)
    try:
        with ask_models(left, sources, journal) as incoming:
            for _ in executor.map(finishing.judge, in_groups(incoming, len(left), executor.slots, finishing.sift)):
                pass
    finally:
        finishing.end()
    return report_of(results, settings)


def report_of(results: Results, settings: Mapping[str, object]) -> Report:
    """The report on what a journal holds of a plan."""
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
            further={**(generation.non_default() if generation else {}), **settings},
        ),
        report_id=first.run_id,
        created_at=datetime.fromisoformat(first.started_at),
        duration_ms=journal.duration_ms,
    )


def describe(plan: Plan, folder: RunFolder, journal: Journal, settings: Mapping[str, object]) -> None:
    """What is needed to repeat the run, for people and for `regrade`."""
    description = {
        "format_version": RUN_FORMAT_VERSION,
        "run_id": journal.sessions[0].run_id,
        "forgetest": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "eval_sets": [{"id": s.id, "path": printable(Path(s.path).absolute()), "hash": s.hash} for s in plan.eval_sets],
        "models": sorted({attempt.model_name for attempt in plan.attempts}),
        "pass_k": plan.pass_k,
        "samples": plan.samples,
        "generation": plan.generation.to_record() if plan.generation else None,
        **settings,
    }
    content = msgspec.json.format(msgspec.json.encode(description), indent=2) + b"\n"
    atomic.write_bytes(folder.path / RUN_FILENAME, content)
