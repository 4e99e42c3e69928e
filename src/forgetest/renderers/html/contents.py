"""The data of a page: values for its scripts, as small as possible."""

from __future__ import annotations

from typing import Any

from forgetest.renderers import model_table
from forgetest.report import CaseSummary, Report
from forgetest.report.encode import encode_aggregate, encode_header, encode_sample
from forgetest.sample import Sample

Json = Any

_CODE_CHARACTERS = 100_000
_OUTPUT_CHARACTERS = 20_000
_REASON_CHARACTERS = 300

KINDS = ("correct", "tests failed", "not compiled", "integrity", "condition", "no code", "cut off", "unjudged")
"""The outcomes of a sample; a row names one by its index."""


def overview(report: Report) -> Json:
    """Return everything but the samples; cases as rows of numbers, since there may be very many."""
    header = encode_header(report)
    eval_sets = [{key: value for key, value in each.items() if key != "cases"} for each in header["eval_sets"]]
    summed_up = encode_aggregate(report.aggregate)
    models = {model: number for number, model in enumerate(report.models_evaluated)}
    tags = {(each.id, case.id): list(case.tags) for each in report.eval_sets for case in each.cases}
    return {
        **header,
        "eval_sets": eval_sets,
        "kinds": KINDS,
        "flaky": list(model_table.flaky(report)),
        **({"visible_gap": gaps} if (gaps := list(model_table.visible_gap(report))) else {}),
        "per_model": summed_up["per_model"],
        "per_tag": summed_up["per_tag"],
        "cases": [
            [
                case.eval_set_id,
                case.case_id,
                tags.get((case.eval_set_id, case.case_id), []),
                [
                    [
                        models[model],
                        each.asked,
                        each.judged,
                        each.correct,
                        round(each.mean_score.value, 4) if each.mean_score else None,
                    ]
                    for model, each in of_models.items()
                ],
            ]
            for case, of_models in report.aggregate.per_case.items()
        ],
    }


def question(case: CaseSummary) -> Json:
    """Return the question of a case."""
    return {"name": case.name, "language": case.language, "prompt": case.prompt}


def row(sample: Sample, case: int, model: int) -> Json:
    """Return a sample's row in the list: what it is filtered, sorted and searched by."""
    verdict = sample.verdict
    codes = {each.code for each in (*verdict.errors, *verdict.lints) if each.code} if verdict else set()
    failed = [test.name for test in verdict.tests if test.status == "failed"] if verdict else []
    return [
        case,
        model,
        sample.attempt.attempt,
        KINDS.index(kind(sample)),
        round(sample.score.overall, 4) if sample.score else None,
        sum(test.status == "passed" for test in verdict.tests) if verdict else 0,
        len(failed),
        len(verdict.lints) if verdict and verdict.compiled else None,
        len(verdict.integrity) if verdict else 0,
        round((sample.latency_ms or 0.0) + sample.total_ms),
        bool(sample.recheck and sample.recheck.flaky),
        (sample.reason or "")[:_REASON_CHARACTERS],
        " ".join([*sorted(codes), *failed[:20]]),
    ]


def kind(sample: Sample) -> str:
    """Return the outcome of a sample: the first problem that it has."""
    verdict = sample.verdict
    if sample.outcome == "unjudged":
        return "unjudged"
    if sample.correct:
        return "correct"
    if verdict is None:
        return "cut off" if sample.code else "no code"
    if any(finding.forbids for finding in verdict.integrity):
        return "integrity"
    if not verdict.compiled:
        return "not compiled"
    return "tests failed" if any(test.status == "failed" for test in verdict.tests) else "condition"


def detail(sample: Sample) -> Json:
    """Return everything about a sample. Very long texts are cut, and say so."""
    return cut(encode_sample(sample))


def cut(encoded: dict[str, Any]) -> Json:
    """Return a result with its longest texts cut."""
    encoded["generated_code"] = _cut_to(encoded.get("generated_code"), _CODE_CHARACTERS)
    for failure in (encoded.get("test_execution") or {}).get("failures") or ():
        failure["message"] = _cut_to(failure.get("message"), _OUTPUT_CHARACTERS)
        failure["stdout"] = _cut_to(failure.get("stdout"), _OUTPUT_CHARACTERS)
    return encoded


def _cut_to(text: str | None, most: int) -> str | None:
    if text is None or len(text) <= most:
        return text
    return f"{text[:most]}\n… cut here: {len(text) - most} more characters"
