"""Items that ask for something other than code to be written: that something goes, a document, a change of tests."""

from __future__ import annotations

import re

from nerv.changes import FileChange
from nerv.evidence import Evidence
from nerv.inspection.languages import language_of
from nerv.inspection.source import is_test_path
from nerv.matching.code_names import names_of, plain_name
from nerv.rules.named_code import words_in_result, words_taken_away
from nerv.scorecard import Observation
from nerv.spec import SpecItem

_DOCUMENTS = {
    "changelog": re.compile(r"chang|news|history|release", re.I),
    "readme": re.compile(r"readme", re.I),
    "documentation": re.compile(r"\.(?:md|rst|txt|adoc)$|(?:^|/)docs?/", re.I),
}
"""Files in which a document is looked for."""
_ASKS_FOR_DOCUMENT = re.compile(
    r"\b(?P<changelog>change ?log|release notes|changes\.md|news file)\b|\b(?P<readme>readme)\b"
    r"|\b(?P<documentation>docs|documentation|manual)\b",
    re.I,
)
_GOES = re.compile(
    r"\b(?:gone|can go|must go|go(?:es)? away|rid of|no longer|remov|delet|drop|retir|disappear|discontinu|renam"
    r"|becom|replac|mov(?:e|es|ed)\b|split)",
    re.I,
)
_FILE = re.compile(r"`([\w./-]+\.[a-z]{1,5})`")
_OF_TESTS = re.compile(r"^(?:the |all |existing |old )*(?:tests?\b|`[\w./]*[tT]est)", re.I)


def delivered_otherwise(evidence: Evidence) -> dict[int, Observation]:
    """Return the items that the changes meet in another way than by code that mentions them."""
    files = evidence.changes.diff.files if evidence.changes.diff is not None else ()
    present = words_in_result(evidence)
    gone = words_taken_away(evidence, of_tests=False) - present if present else frozenset()
    found: dict[int, Observation] = {}
    for index, item in enumerate(evidence.spec.items):
        change = _taken_away(item, files, gone) or _document(item, files) or _change_of_tests(item, files)
        if change is not None:
            text = f"{change.path} was {'deleted' if change.kind == 'deleted' else 'changed'} for it: {item.text[:100]}"
            found[index] = Observation(text=text, location=change.location)
    return found


def _taken_away(item: SpecItem, files: tuple[FileChange, ...], gone: frozenset[str]) -> FileChange | None:
    """Return the file that an item says to go and that is deleted, or from which all names that it has as code went."""
    if not _GOES.search(re.sub("`[^`]*`", "", item.text)):
        return None
    named = set(_FILE.findall(item.text))
    for change in files:
        if change.kind == "deleted" and any(change.path.endswith(name) for name in named):
            return change
    names = {plain_name(name) for name in names_of(item.text)}
    if not names or not names <= gone:
        return None
    words = (change for change in files if language_of(change.path) and not is_test_path(change.path))
    return next((change for change in words if any(hunk.removed for hunk in change.hunks)), None)


def _document(item: SpecItem, files: tuple[FileChange, ...]) -> FileChange | None:
    """Return the changed document that an item asks for."""
    asked = _ASKS_FOR_DOCUMENT.search(item.text)
    kind = _DOCUMENTS.get(asked.lastgroup or "") if asked is not None else None
    documents = (change for change in files if change.added and language_of(change.path) is None)
    return next((change for change in documents if kind is not None and kind.search(change.path)), None)


def _change_of_tests(item: SpecItem, files: tuple[FileChange, ...]) -> FileChange | None:
    """Return a changed file of tests, if an item is about tests and nothing else."""
    tests = (change for change in files if is_test_path(change.path) and change.kind != "deleted")
    return next(tests, None) if _OF_TESTS.match(item.text) else None
