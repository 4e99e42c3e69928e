"""Read an eval-set file and check it; every problem is named by file, line and key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from forgetest.errors import Problem
from forgetest.evalset.data_files import CaseFiles, read_case_files
from forgetest.evalset.keys import DEFAULT_LANGUAGE, CaseInLanguage, file_table
from forgetest.files import json_lines
from forgetest.files.schema import SchemaError, key_text
from forgetest.files.toml_lines import KeyPath, key_lines, nearest_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """A table and its position in a file."""

    table: Mapping[str, Any]
    file: str
    at: KeyPath = ()
    """The table's own key in the file."""
    lines: Mapping[KeyPath, int] = field(default_factory=dict)
    first_line: int = 1
    """Fallback for keys whose line is not known."""
    files: CaseFiles = field(default_factory=CaseFiles)
    """Of a case: the files that its `[cases.io]` names."""

    def line(self, *key: str | int) -> int:
        """Return the line of one of the table's keys."""
        return nearest_line(self.lines, (*self.at, *key), self.first_line)

    def problem(self, *key: str | int, message: str) -> Problem:
        """Return a problem with one of the table's keys."""
        return Problem(file=self.file, line=self.line(*key), key=key_text((*self.at, *key)), message=message)

    def problems(self, errors: Iterable[SchemaError]) -> list[Problem]:
        """Return the problems that a check of the whole file has found."""
        return [
            Problem(
                file=self.file,
                line=nearest_line(self.lines, error.about, self.first_line),
                key=key_text(error.key),
                message=error.message,
            )
            for error in errors
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A file that was read. Without problems, its header and cases have the keys of `evalset.keys`."""

    header: Located
    cases: list[Located]
    problems: list[Problem]


def read(path: Path) -> Checked:
    """Read and check a file, and the file of further cases that it may name."""
    try:
        if path.is_char_device() or path.is_block_device():
            return _unreadable(path, None, "a device, not a file")  # /dev/zero never ends
        text = path.read_bytes().decode("utf-8-sig")
        content = tomllib.loads(text)
        lines = key_lines(text)
    except OSError as error:
        return _unreadable(path, None, f"cannot be read: {error.strerror}")
    except UnicodeDecodeError as error:
        return _unreadable(path, error.object.count(b"\n", 0, error.start) + 1, "not UTF-8")
    except RecursionError:
        return _unreadable(path, None, "nested too deeply")
    except ValueError as error:  # syntax errors of tomllib, and int() on thousands of digits
        return _unreadable(path, *_syntax_error(str(error), text))

    file = str(path)
    whole = Located(table=content, file=file, lines=lines)
    header = Located(table=_as_table(content.get("eval_set")), file=file, at=("eval_set",), lines=lines)
    problems = whole.problems(file_table(_default_language(header)).errors(content, ()))
    cases = [
        Located(table=_as_table(case), file=file, at=("cases", position), lines=lines)
        for position, case in enumerate(_as_list(content.get("cases")))
    ]
    if "cases_from" in header.table and not any(problem.key == "eval_set.cases_from" for problem in problems):
        more, found = _cases_from(path, header)
        cases += more
        problems += found
        if not cases and not found:
            problems.append(header.problem("cases_from", message="no case, neither there nor here"))
    problems += _repeated_ids(cases)
    if not problems:
        cases = [_with_files(case, path.parent) for case in cases]
        problems += [case.problem(*key, message=message) for case in cases for key, message in case.files.errors]
    return Checked(header=header, cases=cases, problems=problems)


def _with_files(case: Located, folder: Path) -> Located:
    """Return the case with the files that it names."""
    io = case.table.get("io")
    return case if io is None else replace(case, files=read_case_files(io, folder))


def _cases_from(path: Path, header: Located) -> tuple[list[Located], list[Problem]]:
    """Return the cases in the file that the header names, one JSON object per line."""
    source = path.parent / header.table["cases_from"]
    if not source.resolve().is_relative_to(path.parent.resolve()):  # a link may lead anywhere
        return [], [header.problem("cases_from", message=f"{source} leads out of the eval set's folder")]
    try:
        if source.exists() and not source.is_file():  # a pipe or a device may never end
            return [], [header.problem("cases_from", message=f"{source} is not a file")]
        content = source.read_bytes()
    except OSError as error:
        return [], [header.problem("cases_from", message=f"{source} cannot be read: {error.strerror}")]

    cases, problems = [], []
    kind = CaseInLanguage(_default_language(header))
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            table = json_lines.decode(line)
        except ValueError as error:
            problems.append(Problem(file=str(source), line=number, key="", message=str(error)))
            continue
        case = Located(table=table, file=str(source), first_line=number)
        cases.append(case)
        problems += case.problems(kind.errors(table, ()))
    return cases, problems


def _default_language(header: Located) -> str:
    name = header.table.get("default_language")
    return name if isinstance(name, str) else DEFAULT_LANGUAGE


def _repeated_ids(cases: list[Located]) -> Iterator[Problem]:
    first: dict[str, Located] = {}
    for case in cases:
        case_id = case.table.get("id")
        if isinstance(case_id, str) and (earlier := first.setdefault(case_id, case)) is not case:
            place = f"{earlier.file}:{earlier.line('id')}"
            yield case.problem("id", message=f'"{case_id}" is the id of another case already ({place})')


def _unreadable(path: Path, line: int | None, message: str) -> Checked:
    problem = Problem(file=str(path), line=line, key="", message=message)
    return Checked(header=Located(table={}, file=str(path)), cases=[], problems=[problem])


def _syntax_error(message: str, text: str) -> tuple[int | None, str]:
    """Split a message of tomllib, which ends in "(at line 3, column 5)", into line and text."""
    place = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", message)
    if place is None:
        return None, message
    what = message[: place.start()]
    if place[1] is None:
        return text.rstrip("\n").count("\n") + 1, f"{what}, at the end of the file"
    return int(place[1]), f"{what}, in column {place[2]}"


def _as_table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
