"""Tests of the base that cannot pass on what the spec asks for.

What decides is the code: a name that is gone from it, expected values that an adapted test keeps, a data file that the
spec orders to be written again. The spec must speak of it, in whatever words. Words alone excuse a test only if they
name it, or say that what it is about was different before, and the run has a test that shows the change.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from nerv.changes import Repository
from nerv.findings.changed_files import ChangedFile
from nerv.findings.outdated.adapted_tests import (
    follows_spec,
    gains_empty_values,
    has_another_start,
    is_adapted,
    is_kept,
    is_succeeded,
    moved_cases,
    only_gains,
)
from nerv.findings.outdated.disputed_tests import DisputedTests, disputed_tests
from nerv.findings.outdated.ordered_changes import OrderedChanges
from nerv.findings.test_code import TestCode
from nerv.inspection.languages import language_of, name_of, text_of
from nerv.inspection.source import is_test_path
from nerv.inspection.values import ParsedFile, enclosing
from nerv.matching.test_orders import (
    calls_some_wrong,
    is_to_go,
    keeps_everything,
    names_to_be_changed,
    sentences,
    was_different,
)
from nerv.spec import Spec
from nerv.verification.result import Verification
from nerv.verification.test_names import is_named

_TAKES_AWAY = re.compile(
    r"\b(?:gone|go(?:es)? away|can go|ha(?:s|ve) to go|must go|rid of|no longer|out of|instead of|rather than"
    r"|turn\w* into|remov|delet|drop|retir|disappear|discontinu|deprecat|obsolet|abolish|renam|becom|replac"
    r"|mov(?:e|ed|es|ing)\b|split|supersed|migrat|convert|switch|merg|inlin|fold(?:s|ed)?\b|withdraw|kill|unsupported|break(?:s|ing)?\b|chang)",
    re.I,
)
"""Words of a sentence after which a name that it mentions may rightly be gone from the code."""
_TAKES_IT_AWAY = re.compile(
    r"\W*(?:(?:please|so|let's|we should|you can|just)\s+)*(?:remove|delete|drop|retire|get rid of|kill|take out)\s+"
    r"(?:it|them|this|that|these|those|both)\b",
    re.I,
)
"""An order about what the sentence before it names: "`load` panics too often. Remove it.\""""
_WRITES_AGAIN = re.compile(
    r"\b(?:re-?(?:generat|record|creat|fresh|writ|new|build|baselin|run)|updat|adjust|adapt|chang|bless|refresh)\w*",
    re.I,
)
"""Words by which a sentence orders that files with expected output be written again."""
_FORBIDS = re.compile(r"(?:\b(?:not|never|without|unchanged|untouched|keeps?|stays?)|n't)\b", re.I)
_NAMES = frozenset({"identifier", "property_identifier", "field_identifier", "type_identifier", "package_identifier"})
_VARIABLES = frozenset(
    {"assignment", "variable_declarator", "const_spec", "var_spec", "const_item", "static_item", "enum_variant"}
)
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+\d*|\d+")
_CODE = re.compile(r"`([^`\n]+)`")
_LIST = re.compile(r"\s*(?:[-*+\u2022|]|\d+[.)])\s?")
_SHORTEST = 3
"""Letters of a part of a name that can stand for it: `xml` of `xml_writer`."""
_GENERIC = frozenset({"test", "tests", "spec", "specs", "new", "old", "get", "set", "the", "and", "for", "with"})
_NO_DOUBT = DisputedTests()
_COMPILED = (".go", ".rs", ".java")


@dataclass(frozen=True, slots=True, kw_only=True)
class OutdatedTests:
    """Which tests of the base a spec outdates: the one answer for findings and for verification."""

    spec: Spec
    names: frozenset[str] = frozenset()
    """Those that the code of both sides shows, by their short names."""
    touched: frozenset[str] = frozenset()
    """Tests of the base that the run changed or removed."""
    untold: frozenset[str] = frozenset()
    """Those that the run changed and that cannot be run as they were, for something else in their file that is gone: by
    our runs it is not known whether they were broken."""
    cases: frozenset[tuple[str, str]] = frozenset()
    """Cases that left a table, each with its test: the spec states them as code, and another test has them now."""
    bystanders: frozenset[str] = frozenset()
    """Those that the run gave more cases, in what is compiled together with changed tests that are outdated."""
    in_doubt: DisputedTests = _NO_DOUBT
    may_change_interfaces: bool = False
    """The spec does not say that what there is stays: tests may have to change so as to build."""
    by_data: bool = False
    """The spec orders that files with expected output be written again, and the run did so."""
    by_build: bool = False
    """What is gone, or an outdated test, is part of a compiled language: no test of the package builds any more.

    Tests that the run left alone are part of the result's own suite, and count there."""

    def includes(self, test: str) -> bool:
        """Return whether a test is outdated, by its name or the full name of a runner."""
        if not test:
            return False
        orders = (each for item in self.spec.items for each in names_to_be_changed([test], item.text))
        return self._shows(test) or next(orders, None) is not None or was_different(test, self.spec.items)

    def disputes(self, test: str, is_restorable: bool | None = None) -> bool:
        """Return whether only a reader of the spec can tell if a test is outdated."""
        return not self.includes(test) and self.in_doubt.include(test, is_restorable)

    def excuse(self, verification: Verification) -> Verification:
        """Return a verification without the broken tests that are outdated, and with those in doubt set apart.

        The run must have replaced or removed such a test, and where only words outdate it, have a test of its own that
        shows the change: a test that is left behind failing is broken.
        """
        left_behind = {
            name
            for suite in verification.suites
            if suite.tree == "result" and suite.source == "changed"
            for name, outcome in suite.outcomes.items()
            if outcome == "failed"
        }
        superseded = tuple(
            name
            for name in verification.broken
            if name not in left_behind
            and (self._shows(name) or self.cannot_tell(name) or (verification.shown and self.includes(name)))
        )
        unbuilt = verification.unbuilt if self.may_change_interfaces else ()
        disputed = tuple(
            name
            for name in verification.broken
            if name not in left_behind
            and name not in superseded
            and (name in unbuilt or self.disputes(name, verification.is_restorable(name)))
        )
        excused = {*superseded, *disputed}
        if not excused:
            return verification
        return replace(
            verification,
            broken=tuple(name for name in verification.broken if name not in excused),
            rewritten=tuple(name for name in verification.rewritten if name not in excused),
            superseded=superseded,
            disputed=disputed,
        )

    def cannot_tell(self, test: str) -> bool:
        """Return whether a test cannot be run as it was, for a reason that lies in the spec and not in the test."""
        return any(is_named(test, name) for name in self.untold)

    def _shows(self, test: str) -> bool:
        """Return whether the code outdates a test, or the spec says that it goes."""
        if any(is_named(test, name) for name in self.names | self.bystanders) or is_to_go(test, self.spec.items):
            return True
        if any(is_named(test, name) and test.endswith(f"[{case}]") for name, case in self.cases):
            return True
        return (self.by_data or self.by_build) and not any(is_named(test, name) for name in self.touched)


def outdated_tests(
    files: Sequence[ChangedFile], spec: Spec, ordered: OrderedChanges, repository: Repository | None
) -> OutdatedTests:
    """Find the tests that the spec outdates."""
    text = ordered.text
    before = [(file, test) for file in files for test in file.old_tests if test.name]
    after = [test for file in files for test in file.new_tests if test.name]
    kept = {test.name for test in after}
    after = [test for test in after if not test.skip]
    by_name = {test.name: test for test in reversed(after)}  # of several with the same name, the first
    known = {test.name for _, test in before}
    new = [test for test in after if test.name not in known]
    gone = _mentioned(_vanished(files, repository), text)
    code = frozenset(word for each in _CODE.findall(text) for word in re.findall(r"[A-Za-z_]\w+", each))
    some_are_wrong = calls_some_wrong(text)
    names: set[str] = set()
    for file, test in before:
        uses = _words([test.path.rpartition("/")[2], *test.lines])
        file_uses = _words(file.old.text.split("\n")) if file.old is not None and not test.touched else frozenset()
        if (
            gone & (uses | file_uses)
            or is_adapted(test, [each for each in after if each.name == test.name or test.name not in kept], code)
            or follows_spec(test, by_name.get(test.name), text)
            or (test.touched and (some_are_wrong or ordered.asks_for(test.name)) and is_kept(test, after))
            or (test.touched and test.name in ordered.named and is_succeeded(test, after, new))
            or has_another_start(test, by_name.get(test.name), code)
            or (file.path.endswith(_COMPILED) and gains_empty_values(test, by_name.get(test.name)))
        ):
            names.add(test.name)
    return OutdatedTests(
        spec=spec,
        names=frozenset(names),
        cases=moved_cases([test for _, test in before], after, text),
        bystanders=_bystanders(files, names, by_name),
        untold=_untold(files, gone),
        touched=frozenset(test.name for _, test in before if test.touched),
        in_doubt=disputed_tests(files, text) if not ordered.named else _NO_DOUBT,
        may_change_interfaces=not ordered.named and not keeps_everything(text),
        by_data=_data_is_ordered(files, text),
        by_build=(bool(gone) and any(file.path.endswith(_COMPILED) for file in files if not file.is_test))
        or any(test.touched and test.name in names and test.path.endswith(_COMPILED) for _, test in before),
    )


def _bystanders(
    files: Iterable[ChangedFile], outdated: Collection[str], by_name: Mapping[str, TestCode]
) -> frozenset[str]:
    """Return the changed tests that only gained cases, and cannot be built as they were, as one beside them cannot."""
    found: set[str] = set()
    for file in files:
        tests = [test for test in file.old_tests if test.name] if file.path.endswith(_COMPILED) else []
        if any(test.touched and test.name in outdated for test in tests):
            found.update(test.name for test in tests if test.touched and only_gains(test, by_name.get(test.name)))
    return frozenset(found)


def _untold(files: Iterable[ChangedFile], gone: frozenset[str]) -> frozenset[str]:
    """Return the changed tests whose file does not run as it was, as it uses what is gone; in Go, the whole package."""
    found: set[str] = set()
    for file in files:
        if file.old is None or not gone & _words(file.old.text.split("\n")):
            continue
        folder = file.path.rpartition("/")[0]
        together = [each for each in files if each.path.rpartition("/")[0] == folder and each.path.endswith(".go")]
        for each in together or [file]:
            found.update(test.name for test in each.old_tests if test.name and test.touched)
    return frozenset(found)


def _vanished(files: Iterable[ChangedFile], repository: Repository | None) -> frozenset[str]:
    """Return the names that the code defined before and has nowhere now, and such parts of them."""
    before: set[str] = set()
    after: set[str] = set()
    changed = {file.path for file in files}
    for file in files:
        if file.is_test:
            continue
        before.update(_definitions(file))
        after.update(_identifiers(file.new_tree))
        if file.kind == "deleted" or file.path != file.old_path:
            before |= _terms(_stem(file.old_path))
        if file.kind != "deleted":
            after |= _terms(_stem(file.path))
    for each in repository.files if repository is not None else ():
        if each.path not in changed and language_of(each.path) is not None and not is_test_path(each.path):
            after |= _words([each.text, _stem(each.path)])
    return frozenset(before - after)


def _definitions(file: ChangedFile) -> Iterator[str]:
    """Yield the names that the old side of a file defines, without local variables and tests."""
    tree = file.old_tree
    if tree is None:
        return
    tests = {test.name for test in file.old_tests}
    kinds = tree.language.functions | tree.language.types | _VARIABLES
    for node in tree.nodes:
        name = name_of(node) or text_of(node.child_by_field_name("left")) if node.type in kinds else ""
        local = node.type in _VARIABLES and enclosing(node, tree.language.functions) is not None
        if name and name not in tests and not local:
            yield from _terms(name)


def _identifiers(tree: ParsedFile | None) -> Iterator[str]:
    for node in tree.nodes if tree is not None else ():
        if node.type in _NAMES:
            yield from _terms(text_of(node))


def _mentioned(terms: frozenset[str], spec_text: str) -> frozenset[str]:
    """Return the terms that a sentence of the spec mentions and says, itself or by what introduces it, to go."""
    found: set[str] = set()
    before = ""
    for introduction, sentence in _introduced(spec_text):
        if _TAKES_AWAY.search(_CODE.sub(" ", f"{introduction} {sentence}")):
            found |= terms & _words([before, sentence] if _TAKES_IT_AWAY.match(sentence) else [sentence])
        before = sentence
    return frozenset(found)


def _introduced(text: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a spec; a point of a list or a row of a table with the heading or line before the list."""
    introduction = ""
    for piece in re.split(r"\n\s*\n|\n(?=\s*(?:[-*+\u2022|#]|\d+[.)])\s?)", text):
        if _LIST.match(piece):
            yield from ((introduction, each) for each in sentences(piece))
            continue
        yield from (("", each) for each in sentences(piece))
        introduction = piece.strip().split("\n")[-1]


def _data_is_ordered(files: Sequence[ChangedFile], spec_text: str) -> bool:
    """Return whether a sentence orders that the changed data files of the tests be written again."""
    data = [file for file in files if file.kind != "deleted" and language_of(file.path) is None and _is_data(file.path)]
    if not data or any(file.path.rpartition("/")[2] in ("conftest.py", "package.json", "Makefile") for file in files):
        return False
    known = {term for file in data for part in file.path.split("/")[-3:] for term in _terms(_stem(part))} - _GENERIC
    return any(
        _WRITES_AGAIN.search(each) and not _FORBIDS.search(each) and known & _words([each])
        for each in sentences(spec_text)
    )


def _is_data(path: str) -> bool:
    return (
        re.search(r"(?:^|/)(?:tests?|specs?|__\w+__|testdata|fixtures?|golden|snapshots?|expected)/|\.snap$", path)
        is not None
    )


def _words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(term for text in texts for word in re.findall(r"\w+", text) for term in _terms(word)) - _GENERIC


def _terms(name: str) -> frozenset[str]:
    """Return a name in lower case, and its parts."""
    parts = {part.lower() for part in _PARTS.findall(name)}
    return frozenset({name.lower(), *(part for part in parts if len(part) >= _SHORTEST)}) - _GENERIC


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]
