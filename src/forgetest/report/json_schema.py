"""The JSON Schemas of the report and of the comparison.

`docs/schemas/` holds them as files. They allow further members: a reader ignores what it does not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from forgetest.verdict import Concern

Schema = dict[str, Any]

_STRING: Schema = {"type": "string"}
_BOOLEAN: Schema = {"type": "boolean"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
_CHANGE: Schema = {"type": "number", "minimum": -1, "maximum": 1}
_AMOUNT: Schema = {"type": "number", "minimum": 0}
_TIME: Schema = {"type": "string", "format": "date-time"}
_CLOCK: Schema = {"enum": ["cpu", "wall", None], "description": "the clock that ended it"}
_K = {"propertyNames": {"pattern": "^[1-9][0-9]*$"}}


def report() -> Schema:
    """Return the schema of `report.json`."""
    return {
        **_headed("forgetest report", "The results of a run: every sample, and aggregates by model, case and tag."),
        **_object(
            format_version={"const": 1},
            id=_STRING,
            created_at=_TIME,
            duration_ms=_AMOUNT,
            eval_sets=_list_schema(_eval_set_schema()),
            settings=_settings_schema(),
            models_evaluated=_list_schema(_described(_STRING, "provider/model")),
            results=_list_schema({"$ref": "#/$defs/result"}),
            aggregate=_aggregate(),
        ),
        "$defs": {
            "result": _result(),
            "diagnostic": _diagnostic(),
            "weights": _object(compilation=_SHARE, tests=_SHARE, clippy=_SHARE),
            "model": _of_model_schema(),
            "interval": _interval_schema(_AMOUNT),
        },
    }


def comparison() -> Schema:
    """Return the schema of `compare --format json`."""
    standing = _object(
        pass_at_k_cases=_known_schema(),
        pass_at_k=_by_k(_or_null(_SHARE)),
        mean_score=_SHARE,
        pass_rate=_SHARE,
        intervals=_object(
            pass_at_k=_by_k(_or_null(_interval_schema(_SHARE))),
            mean_score=_or_null(_interval_schema(_SHARE)),
            pass_rate=_or_null(_interval_schema(_SHARE)),
        ),
    )
    both = {"cases": _COUNT, "baseline": standing, "current": standing}
    source = _object(path=_STRING, id=_STRING, created_at=_STRING)
    change = {"$ref": "#/$defs/change"}
    return {
        **_headed("forgetest comparison", "What changed between two reports."),
        **_object(
            format_version={"const": 1},
            threshold=_SHARE,
            gate={"enum": ["threshold", "significant"]},
            regressed=_described(_BOOLEAN, "what the gate says"),
            ruling=_RULING,
            baseline=source,
            current=source,
            paired_models=_or_null(_object(baseline=_STRING, current=_STRING)),
            changed_conditions=_list_schema(
                _object(name=_STRING, baseline=_or_null(_STRING), current=_or_null(_STRING)),
            ),
            regressions=_list_schema(change),
            improvements=_list_schema(change),
            unchanged=_list_schema(change),
            not_comparable=_list_schema(
                _object(
                    eval_set_id=_STRING,
                    case_id=_STRING,
                    model=_STRING,
                    reason={"enum": ["new", "gone", "unjudged in baseline", "unjudged in current", "unjudged in both"]},
                )
            ),
            models=_list_schema(_object(model=_STRING, **both, evidence=_evidence_schema())),
            tags=_list_schema(_object(tag=_STRING, model=_STRING, **both)),
        ),
        "$defs": {"change": _change_schema()},
    }


_RULING: Schema = {"enum": ["regressed", "clean", "inconclusive"], "description": "what the data can bear"}


def _change_schema() -> Schema:
    return _object(
        eval_set_id=_STRING,
        case_id=_STRING,
        model=_STRING,
        baseline=_described(_SHARE, "mean score over judged attempts"),
        current=_SHARE,
        baseline_attempts=_COUNT,
        current_attempts=_COUNT,
        delta=_CHANGE,
        p_worse=_or_null(_SHARE),
        p_worse_adjusted=_described(_or_null(_SHARE), "corrected by Holm for all cases that are tested"),
    )


def _evidence_schema() -> Schema:
    estimate = {"change": _CHANGE, "interval": _or_null(_interval_schema(_CHANGE))}
    return _object(
        ruling=_RULING,
        test={"enum": ["mcnemar", "permutation"]},
        pass_rate=_object(**estimate),
        pass_rate_change_at_least=_described(_CHANGE, "it is no lower in 95 of 100 such comparisons"),
        p_worse=_described(_SHARE, "one-sided"),
        p_better=_SHARE,
        p_worse_adjusted=_described(_SHARE, "corrected by Holm for all models"),
        level=_described(_SHARE, "what p_worse_adjusted must not exceed for a regression"),
        mean_score=_object(**estimate, p_worse=_SHARE, p_better=_SHARE),
        power_at_threshold=_SHARE,
        minimum_detectable_effect=_described(_or_null(_SHARE), "the drop that is found in 80 of 100 such comparisons"),
        cases_to_settle=_described(_or_null(_COUNT), "where it is inconclusive"),
        attempts_to_settle=_or_null(_COUNT),
    )


def _eval_set_schema() -> Schema:
    return _object(
        id=_STRING,
        name=_STRING,
        case_count=_COUNT,
        hash=_STRING,
        weights={"$ref": "#/$defs/weights"},
        cases=_list_schema(
            _object(
                id=_STRING,
                name=_STRING,
                language=_STRING,
                tags=_list_schema(_STRING),
                prompt=_STRING,
                asks_for_tests=_BOOLEAN,
            )
        ),
    )


def _settings_schema() -> Schema:
    return {
        **_object(
            pass_k={"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 1},
            samples=_COUNT,
            temperature=_or_null(_AMOUNT),
            max_tokens=_or_null(_COUNT),
            seed=_or_null(_COUNT),
            weights=_described(_or_null({"$ref": "#/$defs/weights"}), "null where the eval sets' own differ"),
            prompt_template_hash=_or_null(_STRING),
        ),
        "description": "null where it is not known, as for samples made elsewhere; further settings stand beside",
        "additionalProperties": True,
    }


def _result() -> Schema:
    hashes = dict.fromkeys(("source", "tests", "dependencies", "toolchain", "flags", "binary"), _or_null(_STRING))
    result = _object(
        eval_set_id=_STRING,
        case_id=_STRING,
        provider=_STRING,
        model=_STRING,
        attempt={"type": "integer", "minimum": 1},
        run_id=_STRING,
        generated_code=_or_null(_STRING),
        outcome={"enum": ["judged", "unjudged"]},
        reason=_described(_or_null(_STRING), "why it was not judged, why there is no code, or what made it incorrect"),
        compilation=_or_null(
            _object(success=_BOOLEAN, errors=_diagnostics(), warnings=_diagnostics(), duration_ms=_AMOUNT)
        ),
        test_execution=_or_null(_test_execution_schema()),
        clippy=_or_null(_object(warning_count=_COUNT, warnings=_diagnostics())),
        score=_or_null(_object(compilation=_SHARE, tests=_SHARE, clippy=_SHARE, overall=_SHARE)),
        correct=_or_null(_BOOLEAN),
        recheck=_described(
            _or_null(_object(times=_COUNT, disagreeing=_COUNT, changes=_list_schema(_STRING))),
            "how often it was judged again, and how many of these verdicts differ",
        ),
        verified=_described(_or_null(_BOOLEAN), "whether the tests' outcome is proved against a sample that cheats"),
        conditions=_list_schema(_object(name=_STRING, holds=_BOOLEAN, detail=_STRING)),
        integrity=_list_schema(_finding()),
        provenance=_object(**hashes, sandbox=_or_null(_STRING)),
        timing=_object(
            llm_request_ms=_or_null(_AMOUNT),
            compilation_ms=_or_null(_AMOUNT),
            test_execution_ms=_or_null(_AMOUNT),
            total_ms=_AMOUNT,
        ),
        token_usage=_object(
            prompt_tokens=_or_null(_COUNT),
            completion_tokens=_or_null(_COUNT),
            total_tokens=_or_null(_COUNT),
            estimated_cost_usd=_or_null(_AMOUNT),
        ),
    )
    controls = _object(asked=_COUNT, passed=_COUNT, without=_COUNT)
    controls["properties"]["guessable"] = _described(
        _BOOLEAN, "whether it decides itself which expected values it equals"
    )
    about = "runs with an expectation made wrong, which a sample fails that earned its passes; absent without any"
    result["properties"]["controls"] = _described(controls, about)
    return result


def _test_execution_schema() -> Schema:
    failure = _object(name=_STRING, message=_STRING, stdout=_STRING, timed_out=_CLOCK)
    about = "whether the model has seen the test; only for tests by input and output"
    failure["properties"]["visible"] = _described(_BOOLEAN, about)
    execution = _object(
        passed=_COUNT, failed=_COUNT, ignored=_COUNT, duration_ms=_AMOUNT, failures=_list_schema(failure)
    )
    about = "of these, the tests that the model has seen; only for tests by input and output"
    execution["properties"]["visible"] = _described(_object(passed=_COUNT, failed=_COUNT), about)
    return execution


def _visible_gap_schema() -> Schema:
    about = "visible against hidden tests, over the judged samples whose case has both; absent without any"
    gap = _object(
        samples=_COUNT,
        pass_visible=_described(_COUNT, "samples that pass all visible tests"),
        pass_all=_described(_COUNT, "samples that pass the hidden tests as well"),
        gap=_described(_SHARE, "share of samples that pass all visible tests and fail a hidden one"),
        visible_test_rate=_described(_SHARE, "mean share of visible tests that a sample passes"),
        hidden_test_rate=_SHARE,
    )
    return _described(gap, about)


def _finding() -> Schema:
    finding = _object(kind=_STRING, detail=_STRING, forbids=_BOOLEAN)
    concern = _described({"enum": list(get_args(Concern))}, "what it is about; absent where the kind implies it")
    finding["properties"]["concern"] = concern
    return finding


def _diagnostics() -> Schema:
    return _list_schema({"$ref": "#/$defs/diagnostic"})


def _diagnostic() -> Schema:
    place = {"type": "integer", "minimum": 0}
    span = _object(line_start=place, line_end=place, column_start=place, column_end=place)
    spans = _described(_list_schema(span), "lines count in the sample's own code")
    return _object(level=_STRING, code=_or_null(_STRING), message=_STRING, spans=spans)


def _aggregate() -> Schema:
    of_case = _object(
        samples=_samples_schema(),
        correct=_COUNT,
        pass_at_k=_by_k(_or_null(_SHARE)),
        mean_score=_or_null(_SHARE),
        intervals=_object(
            pass_at_k=_by_k(_or_null(_interval_schema(_SHARE))),
            mean_score=_or_null(_interval_schema(_SHARE)),
        ),
    )
    models = {"type": "object", "additionalProperties": {"$ref": "#/$defs/model"}}
    cases = {"type": "object", "additionalProperties": _object(per_model=_map(of_case))}
    return _object(
        per_model=_described(models, "by provider/model"),
        per_case=_described(_map(cases), "by eval set, by case"),
        per_tag=_map(models),
        flaky=_list_schema(
            _object(eval_set_id=_STRING, case_id=_STRING, provider=_STRING, model=_STRING, attempt=_COUNT)
        ),
    )


def _of_model_schema() -> Schema:
    rates = ("compilation_rate", "mean_test_pass_rate", "mean_score")
    model = _object(
        samples=_samples_schema(),
        total_cost_usd=_or_null(_AMOUNT),
        prompt_tokens=_or_null(_COUNT),
        completion_tokens=_or_null(_COUNT),
        samples_known=_object(cost=_COUNT, prompt_tokens=_COUNT, completion_tokens=_COUNT),
        pass_at_k_cases=_known_schema(),
        pass_at_k=_described(_by_k(_or_null(_SHARE)), "null where no case has k judged samples"),
        **dict.fromkeys(rates, _or_null(_SHARE)),
        mean_latency_ms=_or_null(_AMOUNT),
        intervals=_object(
            pass_at_k=_by_k(_or_null(_interval_schema(_SHARE))),
            **dict.fromkeys(rates, _or_null(_interval_schema(_SHARE))),
            mean_latency_ms=_or_null({"$ref": "#/$defs/interval"}),
        ),
    )
    model["properties"]["visible_gap"] = _visible_gap_schema()
    return model


def _samples_schema() -> Schema:
    return _object(asked=_COUNT, judged=_COUNT, unjudged=_COUNT)


def _known_schema() -> Schema:
    return _described(_by_k(_object(known=_COUNT, total=_COUNT)), "for how many cases it is known")


def _headed(title: str, description: str) -> Schema:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, "description": description}


def _object(**properties: Schema) -> Schema:
    return {"type": "object", "required": list(properties), "properties": properties}


def _map(values: Schema) -> Schema:
    return {"type": "object", "additionalProperties": values}


def _by_k(values: Schema) -> Schema:
    return {**_map(values), **_K}


def _list_schema(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _interval_schema(end: Schema) -> Schema:
    return {"type": "array", "items": end, "minItems": 2, "maxItems": 2}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _described(schema: Mapping[str, Any], description: str) -> Schema:
    return {**schema, "description": description}
