"""Paths of the files beside a report that hold the samples' code."""

from __future__ import annotations

import hashlib
import re

from forgetest.language import find
from forgetest.report import Report
from forgetest.report.aggregate import CaseId
from forgetest.sample import Attempt

FOLDER = "samples"


def languages(report: Report) -> dict[CaseId, str]:
    """Return the language of each case."""
    return {CaseId(eval_set.id, case.id): case.language for eval_set in report.eval_sets for case in eval_set.cases}


def path_of(attempt: Attempt, language: str) -> str:
    """Return the sample's path relative to the report; different for every attempt."""
    folders = [_safe(part) for part in (attempt.eval_set_id, attempt.case_id, attempt.model_name)]
    return "/".join([FOLDER, *folders, f"{attempt.attempt}.{find(language).extension}"])


def _safe(name: str) -> str:
    """Return a name that is valid on every file system, and in a URI without escapes."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip(".-")[:80]
    # different names must stay different, also on file systems that ignore case
    if plain and plain == name == name.lower():
        return plain
    return f"{plain or 'x'}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
