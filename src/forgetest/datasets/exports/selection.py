"""The samples of a report that are exported: of one model, as other tools' files hold them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from forgetest.errors import UserError
from forgetest.report import CaseSummary, EvalSetSummary, ReportContent
from forgetest.sample import Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The samples of one model in some eval sets of a report."""

    content: ReportContent
    model: str
    eval_sets: tuple[EvalSetSummary, ...]

    def samples(self) -> Iterator[tuple[Sample, CaseSummary]]:
        """Yield each sample with its case, in the order of the report; read from its file again each time."""
        cases = {(each.id, case.id): case for each in self.eval_sets for case in each.cases}
        for sample in self.content.results:
            attempt = sample.attempt
            case = cases.get((attempt.eval_set_id, attempt.case_id))
            if case is not None and attempt.model_name == self.model:
                yield sample, case

    def judged(self) -> Iterator[tuple[Sample, CaseSummary]]:
        """Yield the samples that were judged."""
        return ((sample, case) for sample, case in self.samples() if sample.outcome == "judged")


def select(content: ReportContent, model: str | None = None, eval_set: str | None = None) -> Selection:
    """Choose the model and the eval sets; without a choice, a report with several models is the user's error."""
    models = content.models_evaluated
    if model is None and len(models) != 1:
        raise UserError(f"{content.path}: has {len(models)} models; choose one with --model: {', '.join(models)}")
    if model is not None and model not in models:
        raise UserError(f"{content.path}: no model {model}; there are: {', '.join(models)}")
    ids = [each.id for each in content.eval_sets]
    if eval_set is not None and eval_set not in ids:
        raise UserError(f"{content.path}: no eval set {eval_set}; there are: {', '.join(ids)}")
    chosen = tuple(each for each in content.eval_sets if eval_set in (None, each.id))
    return Selection(content=content, model=model or models[0], eval_sets=chosen)


def require_distinct_cases(selection: Selection) -> None:
    """Raise UserError where two eval sets have a case of the same id: most forms have no place for a set's name."""
    seen: dict[str, str] = {}
    for each in selection.eval_sets:
        for case in each.cases:
            if (earlier := seen.setdefault(case.id, each.id)) != each.id:
                raise UserError(
                    f"{selection.content.path}: {earlier} and {each.id} both have a case {case.id}; "
                    "choose one with --eval-set"
                )


Status = Literal["passed", "timed out", "failed"]


def status(sample: Sample) -> Status:
    """Return how a judged sample ended."""
    if sample.correct:
        return "passed"
    tests = sample.verdict.tests if sample.verdict else ()
    failed = [test for test in tests if test.status == "failed"]
    return "timed out" if failed and all(test.timed_out for test in failed) else "failed"


def failure(sample: Sample) -> str:
    """Return the reason why a judged sample is not correct, on one line."""
    tests = sample.verdict.tests if sample.verdict else ()
    message = next((test.message for test in tests if test.status == "failed" and test.message), None)
    return " ".join((message or sample.reason or "not correct").split())
