"""SARIF 2.1.0 of an audit: each finding points to its line of the eval set."""

from __future__ import annotations

from typing import Any

from forgetest.auditing.results import FORMAT_VERSION, Audit, AuditFinding, CaseAudit
from forgetest.auditing.rules import RULES

FILENAME = "audit.sarif"

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

Json = dict[str, Any]


def encode(audit: Audit) -> Json:
    """Return an audit as SARIF."""
    rules = list(RULES)
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "properties": {"format_version": FORMAT_VERSION},
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "forgetest audit",
                        "informationUri": "https://pypi.org/project/forgetest/",
                        "semanticVersion": audit.version,
                        "rules": [_rule(rule_id) for rule_id in rules],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [
                    _result(finding, case, eval_set.id, rules.index(finding.rule))
                    for eval_set in audit.eval_sets
                    for case in eval_set.cases
                    for finding in case.findings
                ],
            }
        ],
    }


def _rule(rule_id: str) -> Json:
    rule = RULES[rule_id]
    return {
        "id": rule_id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": f"{rule.title}."},
        "help": {"text": rule.advice},
        "defaultConfiguration": {"level": rule.level},
    }


def _result(finding: AuditFinding, case: CaseAudit, eval_set_id: str, index: int) -> Json:
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": finding.level,
        "message": {"text": f"{eval_set_id}/{case.id}: {finding.message}"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": case.file.replace("\\", "/")},
                    "region": {"startLine": finding.line or case.line},
                }
            }
        ],
    }
