"""Reports of several shards → one Report. Shards differ in cases, models or attempts, and in nothing else."""

from __future__ import annotations

import graphlib
import hashlib
import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from forgetest.errors import UserError
from forgetest.report import EvalSetSummary, Report, RunSettings, asked_cases
from forgetest.report.aggregate import aggregate
from forgetest.sample import Attempt, Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """One of the reports, with the name that messages use."""

    name: str
    report: Report


Conditions = Mapping[str, object]
"""Properties that all shards must have in common, by name."""


def merge(shards: Sequence[Shard]) -> Report:
    """Merge the results of all shards; the order of the shards does not matter."""
    shards = sorted(shards, key=lambda shard: (shard.report.created_at, shard.report.id, shard.name))
    for shard in shards:
        if not all(eval_set.hash for eval_set in shard.report.eval_sets):
            raise UserError(f"{shard.name}: only reports of forgetest itself can be merged; this one has no hashes")
    same_conditions([(shard.name, _report_conditions(shard.report)) for shard in shards])
    reports = [shard.report for shard in shards]
    results = _MergedResults(shards)
    eval_sets = _eval_sets(reports)
    pass_k = tuple(sorted({k for report in reports for k in report.settings.pass_k}))
    summed_up = aggregate(results, asked_cases(eval_sets), pass_k)
    return Report(
        id=merged_id(report.id for report in reports),
        created_at=reports[0].created_at,
        duration_ms=sum(report.duration_ms for report in reports),
        eval_sets=eval_sets,
        settings=_merge_settings(reports, pass_k),
        models_evaluated=tuple(summed_up.per_model),
        results=results,
        aggregate=summed_up,
    )


def merged_id(ids: Iterable[str]) -> str:
    """Return the id of the merged report."""
    return hashlib.sha256("\n".join(sorted(ids)).encode()).hexdigest()[:16]


def same_conditions(shards: Sequence[tuple[str, Conditions]]) -> None:
    """Raise UserError with all differences if shards were not run under the same conditions."""
    problems = []
    (first, expected), *others = shards
    known = {name: (first, value) for name, value in expected.items()}
    for shard, conditions in others:
        for name, value in conditions.items():
            where, before = known.setdefault(name, (shard, value))
            if value != before:
                problems.append(f"{name}: {_value_text(before)} in {where}, {_value_text(value)} in {shard}")
    if problems:
        raise UserError("these are not shards of one run:\n" + "\n".join(f"  {problem}" for problem in problems))


def overlap(attempt: Attempt, first: str, second: str) -> UserError:
    """Return the error for two shards with different results of one attempt."""
    name = f"{attempt.eval_set_id}/{attempt.case_id} {attempt.model_name}, attempt {attempt.attempt},"
    return UserError(f"{name} is in {first} and in {second}, with different results: leave one of them out")


def _value_text(value: object) -> str:
    return "not recorded" if value is None else str(value)


def _report_conditions(report: Report) -> dict[str, object]:
    settings = report.settings
    found: dict[str, object] = {}
    for eval_set in report.eval_sets:
        found[f"hash of eval set {eval_set.id}"] = eval_set.hash
        found[f"weights of eval set {eval_set.id}"] = eval_set.weights
    found |= {
        "temperature": settings.temperature,
        "max_tokens": settings.max_tokens,
        "seed": settings.seed,
        "prompt template": settings.prompt_template_hash,
    }
    return found | {name: value for name, value in settings.further.items() if name != "sandbox_version"}


def _eval_sets(reports: Sequence[Report]) -> tuple[EvalSetSummary, ...]:
    found: dict[str, list[EvalSetSummary]] = {}
    for report in reports:
        for eval_set in report.eval_sets:
            found.setdefault(eval_set.id, []).append(eval_set)
    return tuple(_one_set(found[name]) for name in sorted(found))


def _one_set(parts: Sequence[EvalSetSummary]) -> EvalSetSummary:
    """Return the set with the cases of all its parts, in an order that agrees with that of every part."""
    known = {case.id: case for part in reversed(parts) for case in part.cases}
    try:
        order = list(_merge_orders([[case.id for case in part.cases] for part in parts]))
    except graphlib.CycleError as error:
        raise UserError(f"not shards of one run: the cases of {parts[0].id} are in different orders") from error
    return replace(parts[0], cases=tuple(known[name] for name in order), case_count=len(order))


def _merge_orders(parts: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield each name once, in an order that agrees with every part; where the parts leave it open, by name."""
    sorter: graphlib.TopologicalSorter[str] = graphlib.TopologicalSorter()
    for part in parts:
        for place, name in enumerate(part):
            sorter.add(name, *part[max(place - 1, 0) : place])
    sorter.prepare()
    ready = list(sorter.get_ready())
    heapq.heapify(ready)
    while ready:
        name = heapq.heappop(ready)
        yield name
        sorter.done(name)
        for successor in sorter.get_ready():
            heapq.heappush(ready, successor)


def _merge_settings(reports: Sequence[Report], pass_k: tuple[int, ...]) -> RunSettings:
    first = reports[0].settings
    further = {name: value for report in reversed(reports) for name, value in report.settings.further.items()}
    ordered = {name: further[name] for report in reports for name in report.settings.further}
    samples = max(report.settings.samples for report in reports)
    return replace(first, pass_k=pass_k, samples=samples, further=ordered)


class _MergedResults:
    """The results of all shards, sorted, each once."""

    def __init__(self, shards: Sequence[Shard]) -> None:
        self._shards = shards

    def __iter__(self) -> Iterator[Sample]:
        streams = [_with_name(shard) for shard in self._shards]
        in_order = heapq.merge(*streams, key=lambda found: found[0].attempt)
        for _, group in groupby(in_order, key=lambda found: found[0].attempt):
            yield _choose(list(group))


def _with_name(shard: Shard) -> Iterator[tuple[Sample, str]]:
    return ((sample, shard.name) for sample in shard.report.results)


def _choose(found: Sequence[tuple[Sample, str]]) -> Sample:
    """Return the result that counts where shards overlap: a judged one, if they agree."""
    judged = [(sample, name) for sample, name in found if sample.outcome == "judged"]
    if not judged:
        return found[0][0]
    (first, where), *others = judged
    for other, elsewhere in others:
        if _comparable_sample(other) != _comparable_sample(first):
            raise overlap(first.attempt, where, elsewhere)
    return first


def _comparable_sample(sample: Sample) -> object:
    """Return the part in which two results of one attempt must agree."""
    return sample.code, sample.score, sample.correct
