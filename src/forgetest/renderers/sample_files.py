"""Where a sample's code stands as a file of its own, beside a report."""

from __future__ import annotations

import hashlib
import re

from forgetest.language import find
from forgetest.report import Report
from forgetest.report.aggregate import CaseId
from forgetest.sample import Attempt

FOLDER = "samples"


def languages(report: Report) -> dict[CaseId, str]:
    """The language of each case."""
    return {CaseId(each.id, case.id): case.language for each in report.eval_sets for case in each.cases}


def path_of(attempt: Attempt, language: str) -> str:
    """The sample's path, relative to the report: the same for the same attempt, another for any other."""
    folders = [_safe(part) for part in (attempt.eval_set_id, attempt.case_id, attempt.model_name)]
    return "/".join([FOLDER, *folders, f"{attempt.attempt}.{find(language).extension}"])


def _safe(name: str) -> str:
    """A name that is one on every file system, and in a URI without escapes."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip(".-")[:80]
    # two names must not become one; where letters' case is lost on disk, neither may they differ by it alone
    if plain and plain == name == name.lower():
        return plain
    return f"{plain or 'x'}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
