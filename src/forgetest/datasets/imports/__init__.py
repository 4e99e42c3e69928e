"""Data sets of others → eval sets: one module per form, each row checked, nothing executed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from forgetest.datasets.imports import sandbox_fusion
from forgetest.datasets.imports.apps import APPS, PRIME, TACO
from forgetest.datasets.imports.bigcodebench import BIGCODEBENCH
from forgetest.datasets.imports.code_contests import CODE_CONTESTS
from forgetest.datasets.imports.evalplus import EVALPLUS
from forgetest.datasets.imports.exercism import AIDER_POLYGLOT, EXERCISM
from forgetest.datasets.imports.humaneval import HUMANEVAL, HUMANEVALPACK, MULTIPL_E
from forgetest.datasets.imports.livecodebench import LIVECODEBENCH
from forgetest.datasets.imports.mbpp import MBPP
from forgetest.datasets.imports.rows import Row
from forgetest.datasets.imports.rows import read as read_rows
from forgetest.datasets.imports.task import Format, LeftOutError, Task, judged_language, with_starter
from forgetest.errors import InvalidInput, Problem, UserError
from forgetest.evalset.keys import CaseInLanguage
from forgetest.files.schema import key_text, nearest
from forgetest.language import find

__all__ = ["AUTO", "FORMATS", "Imported", "LeftOutError", "Task", "read"]

AUTO = "auto"
DEFAULT_LANGUAGE = "python"
FORMATS = {
    each.name: each
    for each in (
        *(HUMANEVALPACK, EVALPLUS, HUMANEVAL, MULTIPL_E, MBPP),
        *(LIVECODEBENCH, CODE_CONTESTS, TACO, APPS, PRIME),
        *(BIGCODEBENCH, EXERCISM, AIDER_POLYGLOT),
    )
}
"""By name. The first that recognises a row is taken: those with more keys come first."""
_MOST_PROBLEMS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """The tasks of a data set."""

    format: Format
    tasks: list[Task]
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Number of rows that cannot be judged here, by reason."""


def read(path: Path, format_name: str = AUTO, *, language: str | None = None, limit: int | None = None) -> Imported:
    """Read a data set; raise InvalidInput with the first mistakes, each with file, line and key.

    `language` is that of tasks that can be solved in any; Python by default. Reading ends after `limit` tasks.
    """
    if format_name != AUTO and format_name not in FORMATS:
        guess = nearest(format_name, FORMATS)
        advice = f'did you mean "{guess}"?' if guess else f"there are: {', '.join(FORMATS)}, or {AUTO}"
        raise UserError(f"unknown format {format_name}; {advice}")
    found = FORMATS.get(format_name) or (_recognise_folder(path) if path.is_dir() else None)
    rows = (found.read if found else read_rows)(path)
    first = next(rows, None)
    if first is None:
        raise UserError(f"{path}: there is no row in it")
    chosen = found or _recognise(sandbox_fusion.original(first), path)
    if language is not None and not chosen.any_language:
        raise UserError(f"the tasks of {chosen.name} name their language themselves: leave --language out")
    solved_in = _language_of_answers(language)
    tasks: list[Task] = []
    left_out: Counter[str] = Counter()
    problems: list[Problem] = []
    seen: dict[str, int | None] = {}
    for row in chain([first], rows):
        try:
            task = chosen.convert(sandbox_fusion.original(row))
            task = _in_language(task, solved_in) if chosen.any_language else task
            task = _without_lint(task)
        except LeftOutError as error:
            left_out[str(error)] += 1
            continue
        except InvalidInput as error:
            problems += error.problems
        else:
            problems += _mistakes(task, row, seen)
            tasks.append(task)
        if len(problems) >= _MOST_PROBLEMS or len(tasks) == limit:
            break
    if problems:
        raise InvalidInput(problems[:_MOST_PROBLEMS])
    return Imported(format=chosen, tasks=tasks, left_out=dict(left_out))


def _recognise_folder(path: Path) -> Format:
    """Return the format of a folder: of one track, or of several beside each other."""
    tracks = {file.parents[4] for file in path.glob("**/exercises/practice/*/.meta/config.json")}
    return AIDER_POLYGLOT if len(tracks) > 1 else EXERCISM


def _language_of_answers(name: str | None) -> str:
    try:
        return judged_language(name or DEFAULT_LANGUAGE)
    except LeftOutError as error:
        raise UserError(f"--language {name}: {error}") from None


def _in_language(task: Task, language: str) -> Task:
    """Return the task as one of this language, with the solutions in it."""
    reference = {"reference_solution": task.references[language]} if language in task.references else {}
    words = "Use this code to begin with" if language == "python" else "In Python, it would begin like this"
    prompt = with_starter(task.case["prompt"].rstrip(), task.starter, "python", words) + "\n"
    case = {**task.case, "prompt": prompt, "language": language, **reference}
    return Task(case=case, solutions=tuple(each for each in task.solutions if each.language in ("", language)))


def _without_lint(task: Task) -> Task:
    """Return the task without lints where its language can leave them out: imported sets give them no weight."""
    keys = {each.key.name for each in find(task.case["language"]).case_keys}
    return replace(task, case={**task.case, "lint": False}) if "lint" in keys else task


def _recognise(row: Row, path: Path) -> Format:
    found = next((each for each in FORMATS.values() if each.recognises(row)), None)
    if found is None:
        keys = ", ".join(list(row.values)[:8])
        raise UserError(f"{path}: of no form that is known, with the keys {keys}; name it: {', '.join(FORMATS)}")
    return found


def _mistakes(task: Task, row: Row, seen: dict[str, int | None]) -> Iterator[Problem]:
    """Yield what makes the case no valid case, by the same rules as for eval sets."""
    for error in CaseInLanguage("python").errors(task.case, ()):
        yield Problem(file=row.file, line=row.line, key=key_text(error.key), message=error.message)
    case_id = str(task.case.get("id"))
    if case_id in seen:
        earlier = f"line {seen[case_id]}" if seen[case_id] else "an earlier row"
        yield Problem(file=row.file, line=row.line, key="id", message=f'"{case_id}" is the id of {earlier} already')
    seen.setdefault(case_id, row.line)
