"""The JSON Schema of `audit.json`."""

from __future__ import annotations

from typing import Any, get_args

from forgetest.auditing.results import FORMAT_VERSION, ImpostorStatus, Letter, Level, MutantStatus
from forgetest.auditing.rules import RULES
from forgetest.toolchains.auditing import ImpostorKind

Json = dict[str, Any]


def schema() -> Json:
    """Return the JSON Schema of `audit.json`. It allows further members."""
    text: Json = {"type": "string"}
    count: Json = {"type": "integer", "minimum": 0}
    line: Json = {"type": "integer", "minimum": 1}
    flag: Json = {"type": "boolean"}
    amount: Json = {"type": "number", "minimum": 0}
    rate: Json = {"type": ["number", "null"], "minimum": 0, "maximum": 1, "description": "null where no mutant counts"}
    share: Json = {"type": ["number", "null"], "minimum": 0, "description": "CPU time of the slowest test"}
    mutant = _object(
        operator=text,
        line=line,
        before=text,
        after=text,
        status={"enum": list(get_args(MutantStatus))},
        killed_by=_list(text),
        timed_out=flag,
    )
    mutant["properties"] |= {
        "reason": text,
        "diff": {**text, "description": "of survivors: a unified diff"},
        "probably_equivalent": {"const": True, "description": "no input that was tried tells it apart"},
    }
    case = _object(
        id=text,
        language=text,
        file=text,
        line=line,
        kill_rate=rate,
        reference={
            "anyOf": [
                _object(
                    correct=flag,
                    judged=count,
                    disagreeing=count,
                    changes=_list(text),
                    lints=count,
                    share_of_time_limit=share,
                    share_on_busy_machine={**share, "description": "null where it was judged once"},
                ),
                {"type": "null"},
            ]
        },
        possible_mutants=count,
        mutants=_list(mutant),
        impostors=_list(
            _object(
                kind={"enum": list(get_args(ImpostorKind))},
                name=text,
                status={"enum": list(get_args(ImpostorStatus))},
                verified=flag,
            )
        ),
        tests=_list(_object(name=text, kills=count, kills_alone=count, cpu_ms=amount)),
        coverage={"anyOf": [_coverage(), {"type": "null"}]},
        recorded={"anyOf": [_recorded(), {"type": "null"}]},
        suggestions=_list(_object(call=text, expected=text, test=text, kills=count)),
        inputs_tried=count,
        findings=_list(
            _object(
                rule={"enum": list(RULES)},
                level={"enum": list(get_args(Level))},
                message=text,
                line={"type": ["integer", "null"], "minimum": 1},
            )
        ),
    )
    eval_set = _object(
        id=text,
        name=text,
        path=text,
        hash=text,
        grade={"enum": [*get_args(Letter), None]},
        kill_rate=rate,
        mutants=_object(**dict.fromkeys(get_args(MutantStatus), count)),
        cases=_list(case),
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "forgetest audit",
        "description": "What an eval set is worth as an exam: mutants, impostors and findings of each case.",
        **_object(
            format_version={"const": FORMAT_VERSION},
            forgetest=text,
            created_at={"type": "string", "format": "date-time"},
            options=_object(mutants=count, seed={"type": "integer"}, repeat=count, inputs=count),
            kill_rate=rate,
            errors=count,
            eval_sets=_list(eval_set),
        ),
    }


def _coverage() -> Json:
    line: Json = {"type": "integer", "minimum": 1, "description": "of the reference solution"}
    count: Json = {"type": "integer", "minimum": 0}
    missed = _object(kind={"enum": ["lines", "branch"]}, line=line, last_line=line, text={"type": "string"})
    return {
        "description": "code of the reference solution's functions that tests reach",
        **_object(
            lines=count,
            lines_reached=count,
            branches=count,
            branches_reached=count,
            unknown={**count, "description": "regions that could not be measured; they count as reached"},
            unreached=_list(missed),
        ),
    }


def _recorded() -> Json:
    text: Json = {"type": "string"}
    count: Json = {"type": "integer", "minimum": 0}
    pair = _object(call=text, first=text, first_result=text, second=text, second_result=text)
    return {
        "description": "recorded answers, and pairs that pass every test but differ for an input",
        **_object(answers=count, passing=_list(text), unjudged=count, inputs=count, pairs=_list(pair)),
    }


def _object(**properties: Json) -> Json:
    return {"type": "object", "required": list(properties), "properties": properties}


def _list(items: Json) -> Json:
    return {"type": "array", "items": items}
