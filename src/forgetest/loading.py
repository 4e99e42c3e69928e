"""Loads eval sets and cases by their names, and has the toolchains check cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from forgetest import evalset, plugins
from forgetest.errors import Problem, UserError
from forgetest.evalset import Case, EvalSet

Announce = Callable[[str], None]
"""Called with a sentence for the user when something takes a while, or fails without stopping the work."""


def announce_nothing(_message: str) -> None:
    """Drop an announcement."""


def check_cases(eval_sets: Sequence[EvalSet]) -> None:
    """Raise a UserError that lists every case whose tests or signatures its toolchain does not understand."""
    problems = []
    for eval_set in eval_sets:
        for case in eval_set.cases:
            try:
                plugins.find("toolchains", case.language).prepare(case, ())
            except UserError as error:
                problems.append(f"{eval_set.path}: {error}")
    if problems:
        raise UserError("\n".join(problems))


def load_eval_sets(names: Sequence[str | Path], announce: Announce = announce_nothing) -> list[EvalSet]:
    """Read eval sets from files, folders and built-in sets. No two may have the same id. Warnings are announced."""
    languages = plugins.names("toolchains")

    def warn(problem: Problem) -> None:
        announce(f"warning: {problem}")

    found = [eval_set for name in names for eval_set in evalset.load(name, languages, warn=warn)]
    ids = [eval_set.id for eval_set in found]
    for eval_set_id in ids:
        if ids.count(eval_set_id) > 1:
            raise UserError(f"--eval-set: two sets have the id {eval_set_id}")
    return found


def load_case(name: str) -> Case:
    """Read one case: `SET/CASE`, where SET is a built-in eval set or the path of a file or folder."""
    set_name, _, case_id = name.rpartition("/")
    if not set_name or not case_id:
        raise UserError(f"{name}: not like SET/CASE, for example quickstart/add")
    cases = [case for eval_set in load_eval_sets([set_name]) for case in eval_set.cases]
    for case in cases:
        if case.id == case_id:
            return case
    raise UserError(f"{name}: no such case; there are: {', '.join(case.id for case in cases)}")
