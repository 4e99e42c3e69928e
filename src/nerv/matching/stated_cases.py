"""Stated cases: what an item of the spec says piece by piece, and which of these pieces tests try.

A test is about an item if it has most of its words. That says little about each of the cases that the item states: "an
empty text, an unknown unit, and a unit given twice" are three. A case counts as tried if a test of the same subject
mentions it by a word of its own, by its code, or by a value that such a case needs.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from nerv.inspection.values import TestFunction
from nerv.matching.code_names import plain_name
from nerv.matching.text_similarity import stem, stems
from nerv.spec import SpecItem

_SPAN = re.compile(r"`([^`]+)`")
_BREAK = re.compile(
    r"[;:()]|,|\.\s|\s(?:-|\u2013|\u2014)\s|\b(?:and|or|nor|which|so that|while|if|unless|but|when|where|with|without"
    r"|for|after|before|until|then|once|as)\b"
)
_OPTION = re.compile(r"(?<![\w-])--[A-Za-z][\w-]*")
_SIGNATURE = re.compile(
    r"(?:\w+::)*(?P<name>[A-Za-z_]\w*)"
    r"(?:\((?:&?[\[(]*[A-Za-z_]\w*[\])]*(?:: ?[\w<>\[\]]+| [\w\[\]]+)?(?:, |(?=\))))+\)(?: ?(?:->)? ?[\w<>\[\]]+)?)?"
)
"""A qualified name, or a function with the names of its parameters."""
_RENAMED = re.compile(
    r"`\w[^`]*` (?:becomes|turns into|is (?:now )?(?:called|named|renamed(?: to| into)?)|→|->) `([A-Za-z_]\w*)", re.I
)
_LEAST_SHARE = 0.34
"""Share of a case's words that a test must mention: one of two, two of three to five."""
_NUMBER = re.compile(r"(?<![\w.])[0-9]+(?![\w.])")
_NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_FAILURE = "error raise throw refuse reject invalid fail failure panic bad wrong unknown anything illegal malformed"
_SIGNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\"\"|''|``|\[ ?\]|\{ ?\}|\( ?\)"), "empty blank nothing none missing"),
    (re.compile(r"(?<![\w.])0(?![\w.])"), "zero"),
    (re.compile(r"(?:[(,=\[{:]|return|==) ?- ?\d"), "negative below minus positive less"),
    (re.compile(r"\d\.\d"), "fraction whole integer decimal"),
    (re.compile(r"[^\x00-\x7f]"), "accent unicode umlaut character letter"),
    (re.compile(r"\\n"), "line break newline paragraph row"),
    (re.compile(r"\\t| {2,}|['\"] | ['\"]"), "space whitespace blank tab"),
    (re.compile(r"['\"][^'\"]*[A-Z]"), "case upper capital"),
    (
        re.compile(r"raises|throws|rejects|assertRaises|err == nil|is_err|should_panic|Err\b|unwrap_err|[Ee]rror"),
        _FAILURE,
    ),
    (re.compile(r"(['\"])[^'\"]*(\w\w+)[^'\"]*\2[^'\"]*\1"), "twice duplicate repeat again"),
)
"""Values and calls in a test, and the words of a spec that ask for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedCase:
    """One piece of an item that a test could be about."""

    text: str
    words: frozenset[str]
    """Stems of its words."""
    code: tuple[str, ...]
    """What it has in backticks, without the function that the item is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _TestWords:
    names: frozenset[str]
    """Names in the test's file, as `plain_name` has them: a helper may make the call."""
    words: frozenset[str]
    text: str


@dataclass(frozen=True, slots=True)
class TriedCases:
    """The cases that tests try, for any item of a spec."""

    tests: tuple[_TestWords, ...]

    @classmethod
    def of(cls, tests: Sequence[TestFunction], files: Mapping[str, str], others: Iterable[str] = ()) -> TriedCases:
        """Prepare the tests that the run wrote, given their files by path, and the texts of other test files."""
        names = {path: _names(text) for path, text in files.items()}
        own = (
            _TestWords(
                names=names.get(test.location.file, frozenset()) | _names(test.mentions),
                words=stems(test.mentions) | _signs(f"{test.body} {test.mentions}"),
                text=f"{test.mentions} {test.body}",
            )
            for test in tests
        )
        older = (_TestWords(names=_names(text), words=stems(text) | _signs(text), text=text) for text in others)
        return cls((*own, *older))

    def untried(self, item: SpecItem) -> tuple[StatedCase, ...]:
        """Return the cases of an item that no test tries."""
        subject = _subject(item.text)
        about = [test for test in self.tests if not subject or plain_name(subject) in test.names]
        return tuple(case for case in stated_cases(item) if not any(_is_tried(case, test) for test in about))


def stated_cases(item: SpecItem) -> tuple[StatedCase, ...]:
    """Return the pieces that an item consists of, without empty ones."""
    subject = _subject(item.text)
    text = _RENAMED.sub(r"`\1", item.text)
    spans = _SPAN.findall(text)
    numbered = iter(range(len(spans)))
    hidden = _SPAN.sub(lambda _: f" \0{next(numbered)}\0 ", text)
    return tuple(_cases(_BREAK.split(hidden), spans, subject))


def _cases(pieces: Iterable[str], spans: Sequence[str], subject: str) -> Iterator[StatedCase]:
    for piece in pieces:
        code = tuple(spans[int(index)] for index in re.findall(r"\0(\d+)\0", piece))
        text = re.sub(r"\0(\d+)\0", lambda match: f"`{spans[int(match[1])]}`", piece).strip()
        words = stems(re.sub(r"\0\d+\0", " ", piece)) - {stem(plain_name(subject))}
        own = tuple(each for each in code if each != subject)
        if words or own:
            yield StatedCase(text=text, words=words, code=own)


def _is_tried(case: StatedCase, test: _TestWords) -> bool:
    if any(_without_quotes(code) in test.text or _is_used(code, test) for code in case.code):
        return True
    return bool(case.words) and len(case.words & test.words) >= _LEAST_SHARE * len(case.words)


def _without_quotes(code: str) -> str:
    """Return the text of a string literal; other code as it is."""
    return code[1:-1] if len(code) > 2 and code[0] == code[-1] and code[0] in "\"'" else code


def _is_used(code: str, test: _TestWords) -> bool:
    """Return whether a test uses an option, a function or a name without repeating it: `--top N`, `low(limit)`."""
    if options := _OPTION.findall(code):
        return all(option in test.text for option in options)
    if match := _SIGNATURE.fullmatch(code):
        return re.search(rf"\b{re.escape(match['name'])}\b", test.text) is not None
    return False


def _subject(text: str) -> str:
    """Return the name that an item begins with, such as a function; of one that is renamed, the new name."""
    if renamed := _RENAMED.match(text):
        return renamed[1]
    match = re.match(r"(?:the |an? )?`([A-Za-z_]\w*)", text, re.I)
    return match[1] if match else ""


def _names(text: str) -> frozenset[str]:
    return frozenset(plain_name(word) for word in re.findall(r"[A-Za-z_]\w*", text))


def _signs(text: str) -> frozenset[str]:
    found: set[str] = set()
    for pattern, words in _SIGNS:
        if pattern.search(text):
            found.update(map(stem, words.split()))
    numbers = set(_NUMBER.findall(text))
    found.update(stem(word) for number, word in enumerate(_NUMBER_WORDS) if str(number) in numbers)
    return frozenset(found)


def untried_text(cases: Collection[StatedCase]) -> str:
    """Return the cases in words, for a reviewer."""
    shown = [case.text.strip(" ,.") for case in cases]
    more = f" and {len(shown) - 3} more" if len(shown) > 3 else ""
    return f"“{'”, “'.join(shown[:3])}”{more}"
