"""Boxes of the spec that the run ticked off itself, and requirements that it removed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nerv.evidence import Evidence
from nerv.finding import Finding, FindingLevel
from nerv.findings.changed_files import ChangedFile
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.unfinished.stubs import stub_nodes
from nerv.findings.unfinished.undone_items import is_undone
from nerv.inspection.languages import name_of
from nerv.inspection.source import is_test_path
from nerv.location import Location
from nerv.matching.spec_names import DefinitionIndex, names_in_line
from nerv.matching.stated_cases import TriedCases, stated_cases
from nerv.rules.named_code import absent_option, remaining_function, undefined_function

_BOX = re.compile(r"^\s*[-*+]\s*\[(?P<mark>[ xX])\]\s*(?P<text>.+?)\s*$")
_FIRST_WORDS = 15
_TEST_NAME = re.compile(r"\bTest[A-Z]\w+|\btest_\w+")
_SEVERAL, _FEW = 3, 4
"""Pieces of code by which an item can be looked for; one in so many of them, and of its cases, may match by chance."""


def ticked_boxes(run: ReviewedRun) -> list[Finding]:
    """Find items that the run ticked off though they are not there, and items that it removed."""
    return list(_ticked_boxes(run, {name_of(node).lower() for _, node in stub_nodes(run)}))


def _ticked_boxes(run: ReviewedRun, stubs: set[str]) -> Iterator[Finding]:
    definitions = DefinitionIndex(run.inspection.definitions)
    code = "\n".join(file.new.text for file in run.code_files if file.new is not None)
    has_code = any(file.new_tree is not None or file.kind == "deleted" for file in run.files if not _is_spec(file, run))
    yield from _ticked_in_answer(run)
    for file in run.files:
        is_spec = _is_spec(file, run)
        if not is_spec and not file.path.endswith((".md", ".markdown")):
            continue
        if not is_spec and file.kind == "added":
            yield from _ticked_in_new_list(file, run)
            continue
        before = _boxes(file.removed_lines)
        after = _boxes([line for line, _ in file.added_lines])
        places = {match["text"]: location for line, location in file.added_lines if (match := _BOX.match(line))}
        ticked = {text: was for text, done in after.items() if done and (was := _unticked(text, before))}
        empty = [
            text
            for text, was in ticked.items()
            if _is_missing(was, file, definitions, stubs, code)
            or _names_missing_tests(text, was, run)
            or _is_unmet(was, run.evidence)
            or was in _untouched_items(run)
            or is_undone(was, file.path, run)
        ]
        if ticked:
            shown = empty or list(ticked)
            early = _is_ticked_first(file, run)
            level: FindingLevel = "likely" if empty or (early and is_spec) else "note"
            why = ""
            if is_spec and not has_code:
                level = "proven"
                why = "; no code was written"
            elif level == "likely":
                why = "; not all of it was done" if empty else " before it wrote any code"
            text = f"The run ticked off {len(ticked)} items of {file.path} itself{why}."
            lines = [f"- [x] {each}" for each in shown]
            yield finding(
                "ticked_by_the_run", level, text, where=places.get(shown[0]), lines=lines, criterion="requirements"
            )
        gone = [text for text in before if text not in after and text not in ticked.values()]
        if is_spec and gone and not ticked and len(after) < len(before):
            text = f"The run removed {len(gone)} requirements from {file.path}."
            lines = [f"- {each}" for each in gone]
            yield finding("changed_spec", "likely", text, where=file.location, lines=lines, criterion="requirements")


def _ticked_in_new_list(file: ChangedFile, run: ReviewedRun) -> Iterator[Finding]:
    """Find boxes that a list of the run's own, such as the text of a pull request, has ticked off undone."""
    ticked = [text for text, done in _boxes([line for line, _ in file.added_lines]).items() if done]
    undone = [text for text in ticked if run.code_files and is_undone(text, file.path, run)]
    if undone:
        text = f"The run wrote {file.path} with {len(ticked)} items ticked off; not all of it was done."
        lines = [f"- [x] {each}" for each in undone]
        yield finding("ticked_by_the_run", "likely", text, where=file.location, lines=lines, criterion="requirements")


def _ticked_in_answer(run: ReviewedRun) -> Iterator[Finding]:
    """Find boxes that the last message ticks off though the item was not done."""
    last = run.evidence.activity.actions.final_message
    if last is None or not run.code_files:
        return
    ticked = [match["text"] for line in last.text.split("\n") if (match := _BOX.match(line)) and match["mark"] in "xX"]
    undone = [text for text in ticked if is_undone(text, "", run) or _is_unmet(text, run.evidence)]
    if undone:
        text = f"The last message ticks off {len(ticked)} items; not all of it was done."
        lines = [f"- [x] {each}" for each in undone]
        yield finding("ticked_by_the_run", "likely", text, where=last.moment, lines=lines, criterion="requirements")


def _is_spec(file: ChangedFile, run: ReviewedRun) -> bool:
    name = file.path.rpartition("/")[2].lower()
    given = run.evidence.spec.file.rpartition("/")[2].lower()
    return file.kind != "added" and (
        name == given or re.fullmatch(r"(?:spec|prd|requirements|todo|tasks?)\.md", name) is not None
    )


def _is_ticked_first(file: ChangedFile, run: ReviewedRun) -> bool:
    """Return whether the last edit of a spec came before the first one of any code, where all of them are known."""
    edits = run.evidence.activity.edits
    spec = [moment for edit in edits if _is_at(edit.path, file.path) for moment in edit.moments]
    code = [[edit.first for edit in edits if _is_at(edit.path, each.path)] for each in run.code_files]
    known = bool(spec) and bool(code) and all(code)
    return known and all(tick.before(first) for tick in spec for moments in code for first in moments)


def _is_at(edited: str, path: str) -> bool:
    return edited == path or edited.endswith(f"/{path}")


def _boxes(lines: list[str] | tuple[str, ...]) -> dict[str, bool]:
    return {match["text"]: match["mark"] in "xX" for line in lines if (match := _BOX.match(line))}


def _unticked(text: str, before: dict[str, bool]) -> str:
    """Return the open item that a ticked one was, perhaps with another text behind its first words; empty if none."""
    if text in before:
        return text if before[text] is False else ""
    return next((was for was, done in before.items() if not done and was[:_FIRST_WORDS] == text[:_FIRST_WORDS]), "")


def _names_missing_tests(text: str, was: str, run: ReviewedRun) -> bool:
    """Return whether the run wrote names of tests into an item that it ticked, and there are no such tests."""
    repository = run.evidence.changes.repository
    if repository is None or repository.left_out:
        return False
    named = set(_TEST_NAME.findall(text)) - set(_TEST_NAME.findall(was))
    known = "\n".join(file.text for file in repository.files if not file.path.endswith((".md", ".txt", ".rst")))
    return any(re.search(rf"\b{name}\b", known) is None for name in named)


def _is_unmet(text: str, evidence: Evidence) -> bool:
    """Return whether the result lacks the function that an item is about, or has one that is to go."""
    items = [item for item in evidence.spec.items if item.text == text]
    return any(
        undefined_function(item, evidence) or remaining_function(item, evidence) or absent_option(item, evidence)
        for item in items
    )


def _untouched_items(run: ReviewedRun) -> frozenset[str]:
    """Return the items that give several pieces of code of which the result has next to none, neither code nor tests.

    Nor do the tests try more than a case or so of theirs in words.
    """
    repository = run.evidence.changes.repository
    if repository is None or repository.left_out:
        return frozenset()
    tests = [file.text for file in repository.files if is_test_path(file.path)]
    code = "\n".join(file.text for file in repository.files if not file.path.endswith((".md", ".txt", ".rst")))
    tried_cases = TriedCases.of((), {}, tests)
    found = set()
    for item in run.evidence.spec.items:
        cases = stated_cases(item)
        pieces = {piece for case in cases for piece in case.code}
        there = sum(piece in code for piece in pieces)
        tried = len(cases) - len(tried_cases.untried(item))
        if len(pieces) >= _SEVERAL and _FEW * there <= len(pieces) and _FEW * tried <= len(cases):
            found.add(item.text)
    return frozenset(found)


def _is_missing(text: str, file: ChangedFile, definitions: DefinitionIndex, stubs: set[str], code: str) -> bool:
    """Return whether an item names something that the code has not at all, or has as a stub."""
    for name in names_in_line(text, Location(file=file.path)):
        if name.kind == "function" and (name.name.lower() in stubs or not re.search(rf"\b{name.name}\b", code)):
            return True
        if name.kind == "endpoint" and definitions.find(name) is None:
            last = re.findall(r"\w+", name.name)[-1]
            if last not in code:
                return True
    return False
