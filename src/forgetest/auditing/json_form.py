"""The JSON form of an audit, and its schema."""

from __future__ import annotations

from typing import Any, get_args

from forgetest.auditing.findings import RULES
from forgetest.auditing.results import (
    FORMAT_VERSION,
    Audit,
    CaseAudit,
    ImpostorStatus,
    Letter,
    Level,
    MutantResult,
    MutantStatus,
    SetAudit,
    diff,
)
from forgetest.toolchains.auditing import ImpostorKind

FILENAME = "audit.json"

Json = dict[str, Any]


def encode(audit: Audit) -> Json:
    """Return an audit as JSON."""
    return {
        "format_version": FORMAT_VERSION,
        "forgetest": audit.version,
        "created_at": audit.created_at,
        "options": {
            "mutants": audit.options.mutants,
            "seed": audit.options.seed,
            "repeat": audit.options.repeat,
        },
        "kill_rate": audit.kill_rate,
        "errors": audit.errors,
        "eval_sets": [_encode_set(eval_set) for eval_set in audit.eval_sets],
    }


def _encode_set(eval_set: SetAudit) -> Json:
    return {
        "id": eval_set.id,
        "name": eval_set.name,
        "path": eval_set.path,
        "hash": eval_set.hash,
        "grade": eval_set.letter,
        "kill_rate": eval_set.kill_rate,
        "mutants": {status: eval_set.count(status) for status in get_args(MutantStatus)},
        "cases": [_encode_case(case) for case in eval_set.cases],
    }


def _encode_case(case: CaseAudit) -> Json:
    reference = case.reference
    return {
        "id": case.id,
        "language": case.language,
        "file": case.file,
        "line": case.line,
        "kill_rate": case.kill_rate,
        "reference": None
        if reference is None
        else {
            "correct": reference.correct,
            "judged": reference.judged,
            "disagreeing": reference.disagreeing,
            "lints": reference.lints,
            "share_of_time_limit": reference.share_of_time_limit,
        },
        "possible_mutants": case.possible_mutants,
        "mutants": [_encode_mutant(mutant, case) for mutant in case.mutants],
        "impostors": [
            {
                "kind": result.impostor.kind,
                "name": result.impostor.name,
                "status": result.status,
                "verified": result.verified,
            }
            for result in case.impostors
        ],
        "tests": [
            {"name": test.name, "kills": test.kills, "kills_alone": test.kills_alone, "cpu_ms": test.cpu_ms}
            for test in case.tests
        ],
        "suggestions": [
            {"call": each.call, "expected": each.expected, "test": each.test, "kills": len(each.kills)}
            for each in case.suggestions
        ],
        "inputs_tried": case.inputs_tried,
        "findings": [
            {"rule": each.rule, "level": each.level, "message": each.message, "line": each.line}
            for each in case.findings
        ],
    }


def _encode_mutant(mutant: MutantResult, case: CaseAudit) -> Json:
    change = mutant.mutation
    encoded: Json = {
        "operator": change.operator,
        "line": change.line,
        "before": change.before,
        "after": change.after,
        "status": mutant.status,
        "killed_by": list(mutant.killed_by),
        "timed_out": mutant.timed_out,
    }
    if mutant.reason:
        encoded["reason"] = mutant.reason
    if mutant.status in ("survived", "accepted"):
        encoded["diff"] = "\n".join(diff(case.code or "", change.code))
    if case.is_probably_equivalent(mutant):
        encoded["probably_equivalent"] = True
    return encoded


def schema() -> Json:
    """Return the JSON Schema of `audit.json`. It allows further members."""
    text: Json = {"type": "string"}
    count: Json = {"type": "integer", "minimum": 0}
    line: Json = {"type": "integer", "minimum": 1}
    flag: Json = {"type": "boolean"}
    amount: Json = {"type": "number", "minimum": 0}
    rate: Json = {"type": ["number", "null"], "minimum": 0, "maximum": 1, "description": "null where no mutant counts"}
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
                    lints=count,
                    share_of_time_limit={"type": ["number", "null"], "minimum": 0},
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
            options=_object(mutants=count, seed={"type": "integer"}, repeat=count),
            kill_rate=rate,
            errors=count,
            eval_sets=_list(eval_set),
        ),
    }


def _object(**properties: Json) -> Json:
    return {"type": "object", "required": list(properties), "properties": properties}


def _list(items: Json) -> Json:
    return {"type": "array", "items": items}
