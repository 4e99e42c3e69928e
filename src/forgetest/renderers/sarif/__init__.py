"""SARIF 2.1.0 for GitHub's code scanning; it points into files beside it that hold the samples."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from itertools import chain, islice
from typing import IO, Any

import msgspec

from forgetest.renderers import Companion, sample_files
from forgetest.renderers.sarif.results import Result, SarifRule, plain_text, results_of
from forgetest.report import FORMAT_VERSION, Report
from forgetest.report.aggregate import CaseId

FILENAME = "report.sarif"

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_RESULTS_A_RUN = 25_000
"""GitHub's limit per run; the rest goes into further runs, each with its own category."""

_END = object()


def write(report: Report, stream: IO[str]) -> None:
    """Write the problems of each sample, one result at a time."""
    properties = _encode_json(
        {"format_version": FORMAT_VERSION, "report_id": report.id, "models_evaluated": list(report.models_evaluated)}
    )
    stream.write(
        f'{{"$schema": {_encode_json(_SCHEMA)},\n"version": "2.1.0",\n"properties": {properties},\n"runs": [\n'
    )
    found = _found(report)
    number = 1
    ahead: Any = next(found, _END)
    while True:
        start = [] if ahead is _END else [ahead]
        rules = _write_results(chain(start, islice(found, _RESULTS_A_RUN - len(start))), stream)
        ahead = next(found, _END)
        more = ahead is not _END
        stream.write(_after_results(rules, f"forgetest/part-{number}" if more or number > 1 else None))
        if not more:
            break
        stream.write("},\n")
        number += 1
    _write_invocation(report, stream)
    stream.write("}\n]}\n")


def companions(report: Report) -> Iterator[Companion]:
    """Yield the code of each judged sample; an empty file if there was none."""
    languages = sample_files.languages(report)
    for sample in report.results:
        if sample.outcome == "judged":
            case = CaseId(sample.attempt.eval_set_id, sample.attempt.case_id)
            yield Companion(sample_files.path_of(sample.attempt, languages.get(case, "")), sample.code or "")


def _found(report: Report) -> Iterator[Result]:
    languages = sample_files.languages(report)
    for sample in report.results:
        case = CaseId(sample.attempt.eval_set_id, sample.attempt.case_id)
        language = languages.get(case, "")
        yield from results_of(sample, sample_files.path_of(sample.attempt, language), language)


def _write_results(found: Iterator[Result], stream: IO[str]) -> dict[str, SarifRule]:
    """Write the results, and return the rules that they name, in the order of their index."""
    rules: dict[str, SarifRule] = {}
    index: dict[str, int] = {}
    stream.write('{"results": [')
    separator = "\n"
    for result in found:
        rule = rules.setdefault(result.rule.id, result.rule)
        number = index.setdefault(rule.id, len(index))
        stream.write(separator + _encode_json({"ruleId": rule.id, "ruleIndex": number, **result.body}))
        separator = ",\n"
    stream.write("]")
    return rules


def _after_results(rules: dict[str, SarifRule], category: str | None) -> str:
    driver = {
        "name": "forgetest",
        "informationUri": "https://pypi.org/project/forgetest/",
        "semanticVersion": version("forgetest"),
        "rules": [_rule(rule) for rule in rules.values()],
    }
    text = f',\n"columnKind": "unicodeCodePoints",\n"tool": {_encode_json({"driver": driver})}'
    if category:
        text += f',\n"automationDetails": {_encode_json({"id": category})}'
    return text


def _rule(rule: SarifRule) -> dict[str, Any]:
    described: dict[str, Any] = {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.description},
        "help": {"text": rule.description},
        "defaultConfiguration": {"level": rule.level},
        "properties": {"tags": ["forgetest", rule.tag], "precision": "very-high", "problem.severity": rule.level},
    }
    if rule.help_uri:
        described["helpUri"] = rule.help_uri
    return described


def _write_invocation(report: Report, stream: IO[str]) -> None:
    """Write unjudged samples as notifications of the tool: they are not a problem of the code."""
    stream.write(',\n"invocations": [{"executionSuccessful": true, "toolExecutionNotifications": [')
    separator = "\n"
    if any(figures.unjudged for figures in report.aggregate.per_model.values()):
        for sample in report.results:
            if sample.outcome == "unjudged":
                a = sample.attempt
                text = f"{a.eval_set_id}/{a.case_id}, {a.model_name}, attempt {a.attempt}: not judged: {sample.reason}"
                stream.write(separator + _encode_json({"level": "error", "message": {"text": plain_text(text)}}))
                separator = ",\n"
    stream.write("]}]")


def _encode_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
