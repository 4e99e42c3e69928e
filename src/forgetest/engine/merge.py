"""Journals of several shards → one journal and its report."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from forgetest.engine import journal as journal_lines
from forgetest.engine.journal import Finished, Journal, Session
from forgetest.engine.plan import Generation, Plan
from forgetest.engine.results import Results
from forgetest.engine.run import report_of
from forgetest.engine.run_folder import RUN_FILENAME, RunFolder
from forgetest.engine.tool_versions import ToolVersions
from forgetest.errors import UserError
from forgetest.evalset import EvalSet
from forgetest.report import Report, merge
from forgetest.sample import Attempt


class _DescribedEvalSet(msgspec.Struct):
    id: str
    path: str
    hash: str


class Described(msgspec.Struct):
    """A run as its folder describes it."""

    run_id: str
    eval_sets: list[_DescribedEvalSet]
    pass_k: tuple[int, ...]
    samples: int
    generation: dict[str, Any] | None
    toolchains: dict[str, str] = {}
    sandbox: str | None = None
    sandbox_version: str | None = None


def read_description(folder: Path) -> Described:
    """Read the description of a run from its folder."""
    file = folder / RUN_FILENAME
    try:
        if file.exists() and not file.is_file():  # a pipe or a device may never end
            raise UserError(f"{folder}: not the folder of a run: {RUN_FILENAME} is not a file")
        described = msgspec.json.decode(file.read_bytes(), type=Described)
        _generation(described)
    except OSError as error:
        raise UserError(f"{folder}: not the folder of a run: {RUN_FILENAME}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"{file}: {error}") from None
    return described


@contextlib.contextmanager
def merged_journals(
    folders: Sequence[Path], target: RunFolder, load: Callable[[Sequence[str]], Sequence[EvalSet]]
) -> Iterator[Report]:
    """Write the lines of all journals into one, and report on it. `load` reads eval sets by their paths."""
    runs = sorted(((folder, read_description(folder)) for folder in folders), key=lambda run: run[1].run_id)
    merge.same_conditions([(str(folder), _run_conditions(run)) for folder, run in runs])
    described = [run for _, run in runs]
    eval_sets = _load_eval_sets(described, load)
    with contextlib.ExitStack() as stack:
        journals = [
            stack.enter_context(contextlib.closing(Journal(folder / journal_lines.FILENAME, append=False)))
            for folder, _ in runs
        ]
        chosen = _choose_journals(journals)
        target.path.mkdir(parents=True, exist_ok=True)
        journal = stack.enter_context(contextlib.closing(target.journal()))
        _copy_lines(journals, chosen, journal, merge.merged_id(run.run_id for run in described))
        plan = _plan_merged(described, eval_sets, sorted(chosen))
        first = described[0]
        tools = ToolVersions(toolchains=first.toolchains, sandbox=first.sandbox, sandbox_version=first.sandbox_version)
        target.describe(plan, journal, tools)
        yield report_of(Results(plan, journal), tools)


def _generation(run: Described) -> Generation | None:
    return Generation.from_record(run.generation) if run.generation is not None else None


def _run_conditions(run: Described) -> merge.Conditions:
    return {
        **{f"hash of eval set {each.id}": each.hash for each in run.eval_sets},
        "how models are asked": _generation(run),
        **{f"toolchain for {language}": version for language, version in run.toolchains.items()},
        "sandbox": run.sandbox,
    }


def _load_eval_sets(runs: Sequence[Described], load: Callable[[Sequence[str]], Sequence[EvalSet]]) -> list[EvalSet]:
    paths = {each.id: each for run in reversed(runs) for each in run.eval_sets}
    found = {each.id: each for each in load([each.path for each in paths.values()])}
    for each in paths.values():
        if each.id not in found or found[each.id].hash != each.hash:
            raise UserError(f"{each.path} has changed since the run, so its verdicts cannot be scored; merge reports")
    return [found[name] for name in sorted(paths)]


def _choose_journals(journals: Sequence[Journal]) -> dict[Attempt, Journal]:
    """Choose the journal whose result counts, for each attempt."""
    chosen: dict[Attempt, Journal] = {}
    for journal in journals:
        for attempt in journal.attempts():
            if not journal.is_finished(attempt):
                continue
            before = chosen.setdefault(attempt, journal)
            if before is journal or not journal.is_judged(attempt):
                continue
            if not before.is_judged(attempt):
                chosen[attempt] = journal
            elif _comparable_line(before.read(attempt)) != _comparable_line(journal.read(attempt)):
                raise merge.overlap(attempt, str(before.path), str(journal.path))
    if not chosen:
        raise UserError("nothing to merge: no journal holds a finished sample")
    return chosen


def _comparable_line(line: Finished) -> object:
    """Return the part of a result in which two results of one attempt must agree."""
    verdict = line.verdict
    observed = (
        (verdict.compiled, len(verdict.lints), [(test.name, test.status) for test in verdict.tests], verdict.conditions)
        if verdict
        else None
    )
    return line.code, observed


def _plan_merged(runs: Sequence[Described], eval_sets: Sequence[EvalSet], attempts: Sequence[Attempt]) -> Plan:
    asked = {(attempt.eval_set_id, attempt.case_id) for attempt in attempts}
    kept = [
        replace(each, cases=tuple(case for case in each.cases if (each.id, case.id) in asked)) for each in eval_sets
    ]
    return Plan(
        name="merged",
        eval_sets=tuple(each for each in kept if each.cases),
        attempts=tuple(attempts),
        pass_k=tuple(sorted({k for run in runs for k in run.pass_k})),
        samples=max(run.samples for run in runs),
        generation=_generation(runs[0]),
    )


def _copy_lines(journals: Sequence[Journal], chosen: dict[Attempt, Journal], merged: Journal, run_id: str) -> None:
    for journal in sorted((each for each in journals if each.sessions), key=lambda each: _age(each.sessions[0])):
        first = journal.sessions[0]
        merged.begin(Session(run_id=run_id, started_at=first.started_at, forgetest=first.forgetest))
        for attempt in sorted(attempt for attempt, held in chosen.items() if held is journal):
            if journal.has_answer(attempt):
                merged.answered(attempt, journal.completion(attempt))
            merged.finished(journal.read(attempt))


def _age(session: Session) -> tuple[str, str]:
    return session.started_at, session.run_id
