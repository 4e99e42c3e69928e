"""Write suggested tests into an eval set's files, line by line: comments and order stay as they are."""

from __future__ import annotations

import json
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

    Those are cases of a TOML file whose `test_file` is not a text of many lines. Cases in the file that `cases_from`
    names are one line each, which is written as a whole.
    """
    apart = {case_id: each for case_id, each in cases.items() if each[1].file != str(path)}
    for file in {place.file for _, place, _ in apart.values()}:
        _write_json_lines(Path(file), {place.case: tests for _, place, tests in apart.values() if place.file == file})
    here = {case_id: each for case_id, each in cases.items() if case_id not in apart}
    return _write_toml(path, here) if here else []


def _write_json_lines(path: Path, tests: Mapping[int, str]) -> None:
    """Replace the test files of the cases that are on these lines, counted from 1."""
    lines = _read(path).split("\n")
    for number, test_file in tests.items():
        case = json.loads(lines[number - 1])
        case.setdefault("expectations", {})["test_file"] = test_file
        lines[number - 1] = json.dumps(case, ensure_ascii=False)
    _write(path, "\n".join(lines))


def _write_toml(path: Path, cases: Mapping[str, tuple[Case, CaseLines, str]]) -> list[str]:
    text = _read(path)
    lines = text.split("\n")
    refused = []
    for case_id, (case, place, tests) in sorted(cases.items(), key=lambda item: -item[1][1].tests):
        old = (case.expectations.test_file or "").rstrip("\n").split("\n")
        new = tests.rstrip("\n").split("\n")
        start = place.tests  # the line after the one with the key
        opening = _OPENING.fullmatch(lines[start - 1]) if place.texts else None
        added = "\n".join(new)
        is_literal = opening is not None and opening[1] not in added and (opening[1] == "'''" or "\\" not in added)
        found = lines[start : start + len(old)]
        # the quotes that end the text may be on its last line
        rest = found[-1].removeprefix(old[-1]) if len(found) == len(old) else ""
        is_same = found == [*old[:-1], old[-1] + rest] and rest[:3] in ("", opening[1] if opening else "")
        if is_literal and is_same:
            lines[start : start + len(old)] = [*new[:-1], new[-1] + rest]
        else:
            refused.append(case_id)
    written = "\n".join(lines)
    tomllib.loads(written)  # our own lines are in it: never leave a file that cannot be read
    if written != text:
        _write(path, written)
    return sorted(refused)


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error


def _write(path: Path, text: str) -> None:
    try:
        atomic.write_bytes(path, text.encode())
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror}") from error
