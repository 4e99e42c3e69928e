"""Words by which a spec says that tests which exist are to change or to go. They decide nothing by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from nerv.matching.text_similarity import stems
from nerv.spec import SpecItem

_CHANGES_TESTS = re.compile(
    r"\b(?:updat|adjust|chang|rewrit|remov|delet|skip|replac|drop|migrat|convert|disabl|nam|renam|mov|split|ship)"
    r"(?:e|es|ed|ing|s)?(?! to\b)[^\w.;\n]+(?:[\w`'/-]+[^\w.;\n]+){0,6}?"
    r"(?:tests?|specs?|assertions?|expectations?|snapshots?)\b",
    re.I,
)
_TESTS_CHANGE = re.compile(
    r"\b(?:tests?|specs?|assertions?|expectations?|snapshots?)\b[^.;:()\n]{0,60}?"
    r"\b(?:ha(?:s|ve) to|must|should|needs?(?: to)?|will|can|may)\W+(?:be\W+)?"
    r"(?:chang|updat|adjust|adapt|rewrit|correct|remov|delet|replac|renam|go\b(?! (?:in|into|to|under|beside|next)\b))",
    re.I,
)
"""Words after a test, by which a sentence says that it changes: "the test with 0.5 onion has to change"."""
_FORBIDS = re.compile(
    r"\b(?:not|n't|never|without|avoid|no need|instead of|rather than|nor)\b[^.;\n]{0,40}$|n't\b[^.;\n]{0,40}$"
    r"|\b(?:no|none of the)\W+(?:\w+\W+)?$",
    re.I,
)
_CALLS_TESTS_WRONG = re.compile(
    r"\bturn(?:s|ed|ing)?\b[^.;\n]{0,40}\binto\W+(?:\w+\W+){0,2}tests?\b"
    r"|\btests?\b[^.;\n]{0,60}\b(?:is|are|was|were|be(?:comes?|came)?|makes?)\W+(?:\w+\W+){0,2}?"
    r"(?:wrong|outdated|obsolete|incorrect|mistaken|no sense|pointless|superfluous)\b",
    re.I,
)
_ORDERS = re.compile(
    r"\b(?:updat|adjust|adapt|chang|rewrit|remov|delet|skip|replac|correct|drop|migrat|convert|disabl|renam|mov|split|fix)"
    r"(?:e|es|ed|ing|s)?\b|\b(?:wrong|outdated|obsolete|no longer|old)\b"
    r"|\b(?:ha(?:s|ve) to|must|should|will|can) go\b(?! (?:in|into|to|under|beside|next)\b)",
    re.I,
)
"""Words by which a sentence that names a test says that it is to be changed."""
_KEEPS = re.compile(
    r"(?:\b(?:not|never|without|keeps?|kept|stays?|unchanged|untouched|must pass"
    r"|(?:must|should|ha(?:s|ve) to|will|can|are to|is to) still"
    r"|still (?:pass(?:es)?|holds?|works?|appl(?:y|ies)|counts?|runs?|must|be|true|right|valid))|n't)\b"
    r"(?![^.;\n]*\b(?:change|update|adjust) them\b)",
    re.I,
)
"""Words by which it says the opposite."""
SAME_BEHAVIOUR = r"no change (?:of|in|to) (?:the )?behaviou?r|behaviou?r (?:must|should) (?:not change|stay)"
_KEEPS_EVERYTHING = re.compile(
    r"\b(?:everything|all|whatever|what|anything)\b[^.;,]{0,30}\b(?:works?|passes|pass|is tested|relies|rely)\b"
    r"[^.;]{0,30}\b(?:keeps?|continues?|still|stays?|remains?|unchanged)\b"
    r"|\b(?:existing|old|present|current)\b(?:\W+\w+){0,2}?\W+(?:tests?|behaviou?rs?|calls?|callers|results?)\b[^.;]{0,30}"
    r"\b(?:keeps?|continues?|still|stays?|remains?|unchanged|not (?:change|break))\b"
    rf"|\bbackwards?[- ]compatib|\b(?:{SAME_BEHAVIOUR})",
    re.I,
)
"""Words by which a spec says that nothing that works today, or that a test asserts, may change."""
_WAS_DIFFERENT = re.compile(
    r"\b(?:used to|no longer|instead of|rather than|previously|formerly|so far|any ?more|chang(?:e|es|ed) from)\b"
    r"|\((?:was|were)\b|\b(?:was|were):|\b(?:was|were)\b[^.;]*\b(?:before|until now|is now|are now)\b",
    re.I,
)
"""Words by which a requirement says that something was different before."""
_TEST = re.compile(r"\b(?:tests?|assertions?|expectations?)\b", re.I)
_NEW_TEST = re.compile(
    r"\b(?:add|write|writing|adding|new|more|provide|include|cover|covered|regression)\b(?:\W+\w+){0,4}?\W+tests?\b"
    r"|\b(?:has|have|needs?|wants?|with|by|so(?: that)?) (?:its |their |own )?tests?\b",
    re.I,
)
"""Words about tests that are to be written."""
_OUTDATES = re.compile(
    rf"{_ORDERS.pattern}|\bout[- ]of[- ]date\b|\bstale\b|\bcontradict"
    r"|\b(?:will|would|must|ha(?:s|ve) to) (?:fail|break|go)\b",
    re.I,
)
_POINTS_BACK = re.compile(r"\b(?:it|that(?: one)?|this|they|them|those|these)\b", re.I)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_ABOUT_CHANGES = stems(
    "test tests assertion expectation expects change changed changes update adjust adapt rewrite remove delete skip "
    "replace correct drop migrate convert disable rename move split fix wrong outdated obsolete no longer old date "
    "that has have to be must should one the a so is are was it there your our just because of and you we than out"
)
_REMOVES = re.compile(r"\b(?:gone|remov(?:e|es|ed)|delet(?:e|es|ed)|drop(?:s|ped)?|goes away)\b", re.I)
_CODE = re.compile(r"`([A-Za-z_][\w./-]{3,})(?:\(\))?`")
_SPANS = re.compile(r"`([^`\n]+)`")
TELLING = 3
"""Length of a value that a spec does not have by chance."""
_SHARED = 2
"""The number of words that a test's name and a requirement must have in common."""


def asks_for_changes(text: str) -> bool:
    """Return whether a spec asks to change, remove or skip tests, whichever these are."""
    return any(
        _FORBIDS.search(text[max(0, match.start() - 60) : match.start()]) is None
        for orders in (_CHANGES_TESTS, _TESTS_CHANGE)
        for match in orders.finditer(text)
    )


def keeps_everything(text: str) -> bool:
    """Return whether a spec says that nothing that works today, or that a test asserts, may change."""
    return any(_KEEPS_EVERYTHING.search(each) for each in sentences(text))


def calls_some_wrong(text: str) -> bool:
    """Return whether a spec says of certain tests, without their names, that they must expect something else."""
    return _CALLS_TESTS_WRONG.search(text) is not None


def names_to_be_changed(tests: Iterable[str], text: str) -> Iterator[str]:
    """Yield the tests that a sentence of the spec names, and of which it says that they are to be changed."""
    asked = _with_orders(sentences(text))
    for test in tests:
        if any(_ORDERS.search(rest) and not _KEEPS.search(rest) for rest in _about(test, asked)):
            yield test


def _with_orders(asked: Sequence[str]) -> list[str]:
    """Return the sentences; one that is followed by an order that points back to it, together with this."""
    found = []
    for sentence, after in zip(asked, (*asked[1:], ""), strict=True):
        points_back = _ORDERS.search(after) and _POINTS_BACK.search(after) and not _KEEPS.search(after)
        found.append(f"{sentence} {after}" if points_back and not _ORDERS.search(sentence) else sentence)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncedChange:
    """A place where a spec says of some test, in whatever words, that it has to change."""

    words: frozenset[str]
    numbers: frozenset[str]
    several: bool
    """It speaks of tests, not of a test."""

    def resemblance(self, name: str, lines: Iterable[str]) -> int:
        """Return how much of what it says stands in a test."""
        text = " ".join((name, *lines))
        numbers = set(_NUMBER.findall(text))
        return len(self.words & stems(re.sub(r"_|(?<=[a-z])(?=[A-Z])", " ", text))) + len(self.numbers & numbers)


def announced_changes(text: str) -> Iterator[AnnouncedChange]:
    """Yield what a spec says about tests that have to change: in a sentence about a test, or in the one after it."""
    asked = sentences(text)
    for sentence, after in zip(asked, (*asked[1:], ""), strict=True):
        if not _TEST.search(sentence) or _KEEPS.search(sentence) or _NEW_TEST.search(sentence):
            continue
        if _TEST.search(after) and _KEEPS.search(after):
            continue
        window = sentence
        if not _OUTDATES.search(sentence):
            if not _OUTDATES.search(after) or not _POINTS_BACK.search(after) or _KEEPS.search(after):
                continue
            window = f"{sentence} {after}"
        words = stems(window) - _ABOUT_CHANGES
        several = re.search(r"\b(?:tests|assertions|expectations)\b", sentence, re.I) is not None
        yield AnnouncedChange(words=words, numbers=frozenset(_NUMBER.findall(window)), several=several)


def orders_change_of(values: Iterable[str], text: str) -> bool:
    """Return whether a clause of the spec says that the test with one of these values is to be changed."""
    clauses = [each for each in re.split(r"[;()]|(?<=[.!?])\s+|\n", text) if re.search(r"\btests?\b", each, re.I)]
    orders = [each for each in clauses if _ORDERS.search(each) and not _KEEPS.search(each)]
    return any(
        re.search(rf"(?<![\w.]){re.escape(value)}(?!\w|\.\w)", each)
        for value in values
        if len(value) >= TELLING
        for each in orders
    )


def is_mentioned(test: str, text: str) -> bool:
    """Return whether a sentence of the spec names a test, and none says that it is to be kept."""
    rests = list(_about(test, sentences(text)))
    return bool(rests) and not any(_KEEPS.search(rest) for rest in rests)


def _about(test: str, asked: Sequence[str]) -> Iterator[str]:
    """Yield the sentences that name a test, or its row of a table (`test_tariff[over midnight]`), without the name."""
    plain, _, row = test.removesuffix("]").partition("[") if test.endswith("]") else (test, "", "")
    names = [re.split(r"::|/|\.| > ", plain)[-1], *([row] if re.search(r"\w\s+\w", row) else [])]
    for name in names:
        if not re.search(r"[_\s]|[a-z][A-Z]", name):
            continue  # a word that may mean anything
        named = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)")
        yield from (named.sub("", each) for each in asked if named.search(each))


def is_to_go(test: str, items: Iterable[SpecItem]) -> bool:
    """Return whether an item of the spec says that a test's file goes, or the function in its name."""
    return any(_goes(name, test) for item in items if _REMOVES.search(item.text) for name in _CODE.findall(item.text))


def was_different(test: str, items: Iterable[SpecItem]) -> bool:
    """Return whether an item of the spec says that what a test is about was different before."""
    words = stems(re.sub(r"\W+|_", " ", test))
    return any(len(words & stems(item.text)) >= _SHARED for item in items if _WAS_DIFFERENT.search(item.text))


def sentences(text: str) -> list[str]:
    """Split a spec into sentences, paragraphs and items of lists."""
    return re.split(r"(?<=[.!?;])\s+|\n\s*\n|\n(?=\s*(?:[-*\u2022]|\d+[.)])\s)", text)


def _goes(name: str, test: str) -> bool:
    """Return whether a test is in the file of this name, or has the name of this function in its own."""
    file, _, rest = test.partition("::")
    if "." in name:
        module = name.rpartition("/")[2].rpartition(".")[0]
        return file.rpartition("/")[2] == name.rpartition("/")[2] or (not rest and f".{test}".startswith(f".{module}."))
    return _plain(name) in _plain(test)


def _plain(name: str) -> str:
    return name.replace("_", "").lower()
