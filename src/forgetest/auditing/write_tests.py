"""Write suggested tests into an eval set's file, line by line: its comments and its order stay as they are."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from forgetest.auditing.source_lines import CaseLines
from forgetest.errors import UserError
from forgetest.evalset import Case
from forgetest.files import atomic

_OPENING = re.compile(r"\s*(?:expectations\.)?test_file\s*=\s*('''|\"\"\")\s*")


def write_tests(path: Path, cases: Mapping[str, tuple[Case, CaseLines, str]]) -> list[str]:
    """Write the new test file of each case, and return the ids of cases whose tests cannot be extended by lines.

    Those are cases whose `test_file` is not a text of many lines, or is in another file.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    lines = text.split("\n")
    refused = []
    for case_id, (case, place, tests) in sorted(cases.items(), key=lambda item: -item[1][1].tests):
        old = (case.expectations.test_file or "").rstrip("\n").split("\n")
        new = tests.rstrip("\n").split("\n")
        start = place.tests  # the line after the one with the key
        opening = _OPENING.fullmatch(lines[start - 1]) if place.texts else None
        added = "\n".join(new)
        is_literal = opening is not None and opening[1] not in added and (opening[1] == "'''" or "\\" not in added)
        if is_literal and lines[start : start + len(old)] == old:
            lines[start : start + len(old)] = new
        else:
            refused.append(case_id)
    written = "\n".join(lines)
    tomllib.loads(written)  # our own lines are in it: never leave a file that cannot be read
    if written != text:
        try:
            atomic.write_bytes(path, written.encode())
        except OSError as error:
            raise UserError(f"{path}: cannot be written: {error.strerror}") from error
    return sorted(refused)
