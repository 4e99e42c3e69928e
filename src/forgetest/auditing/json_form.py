"""The JSON form of an audit."""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from forgetest.auditing.results import (
    FORMAT_VERSION,
    Audit,
    CaseAudit,
    Coverage,
    MutantResult,
    MutantStatus,
    RecordedResult,
    SetAudit,
    diff,
)

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
            "inputs": audit.options.inputs,
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
            "changes": list(reference.changes),
            "lints": reference.lints,
            "share_of_time_limit": reference.share_of_time_limit,
            "share_on_busy_machine": reference.share_on_busy_machine,
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
        "coverage": _plain(case.coverage),
        "recorded": _plain(case.recorded),
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


def _plain(value: Coverage | RecordedResult | None) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
