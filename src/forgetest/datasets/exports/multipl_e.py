"""MultiPL-E's results: a file `NAME.results.json.gz` for each problem, as its `pass_k.py` reads them."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from forgetest.datasets.exports.selection import Selection, failure, require_distinct_cases, status
from forgetest.language import find
from forgetest.report import CaseSummary
from forgetest.sample import Sample

_STATUS = {"passed": "OK", "timed out": "Timeout", "failed": "Exception"}


def result_files(selection: Selection) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each file."""
    require_distinct_cases(selection)
    settings = selection.content.settings
    known = {"temperature": settings.temperature, "max_tokens": settings.max_tokens}
    timestamp = int(selection.content.created_at.timestamp())
    used: set[str] = set()
    for case, group in groupby(selection.judged(), key=lambda pair: pair[1]):
        document = {
            "name": case.id,
            "language": find(case.language).extension,
            "prompt": case.prompt,
            **{key: value for key, value in known.items() if value is not None},
            "results": [_result(sample, case, timestamp) for sample, _ in group],
        }
        packed = gzip.compress(json.dumps(document, indent=2).encode(), mtime=0)
        yield f"{_file_name(case.id, used)}.results.json.gz", packed


def _result(sample: Sample, case: CaseSummary, timestamp: int) -> dict[str, Any]:
    code = sample.code or ""
    ended = _STATUS[status(sample)]
    if ended == "Exception" and sample.verdict is not None and not sample.verdict.compiled:
        ended = "SyntaxError"
    return {
        "program": code,
        "completion": code.removeprefix(case.prompt),
        "timestamp": timestamp,
        "stdout": "",
        "stderr": "" if ended == "OK" else failure(sample),
        "exit_code": {"OK": 0, "Timeout": -1}.get(ended, 1),
        "status": ended,
    }


def _file_name(case_id: str, used: set[str]) -> str:
    """Return a name that is safe in every file system; different for each case."""
    name = plain = re.sub(r"[^\w.-]", "_", case_id, flags=re.ASCII).lstrip(".") or "_"
    number = 1
    while name.lower() in used:
        number += 1
        name = f"{plain}-{number}"
    used.add(name.lower())
    return name
