"""Text similarity: a deterministic measure of what two short texts have in common, to match tasks with requirements.

Words are compared, not characters: they are cut to their stems and weighted by how rare they are in the spec; the
measure is the cosine of the two texts. Repeating a word adds nothing, and every word that the spec does not use makes
a text less similar to any requirement, so a longer label does not match more.
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from nerv.spec import Spec, SpecItem

RELATED = 0.3
"""A task serves a requirement from this similarity on; chosen on the labelled tasks of the six example specs."""
COVERED = 0.5
"""A longer text (a test with all it mentions) covers a requirement if it has this share of its words, by weight."""
TOUCHED = 0.25
"""All changes of a run touch on a requirement if they have this share of its words. In the calibration set, 149
complete runs touch on 96% of their requirements, and 14 partial ones on 82%."""
_HEADING = 0.75
"""Weight of a requirement's heading: a task with the heading's name serves the points under it, but less surely."""
_UNKNOWN = 0.5
"""Weight of a word that the spec never uses, relative to the rarest word that it does use."""

_STOPWORD_TEXT = """
    a about above after all also an and any are as at be been before being below between both but by can correctly
    could cycle did do does during each for from full get had has have if implement implementation in into is it its
    make more most must new no non not of on once only or other our out own per set should so some such support task
    tasks than that the their them then there these they this those through to too under up use used user users using
    very was we were when where which while will with work works write you your add build create feature page
    acceptance criteria requirement requirements spec
"""
_STOPWORDS = frozenset(re.findall(r"\w+", _STOPWORD_TEXT))
_SYNONYMS = {
    # synonyms in task titles
    "authentication": "auth", "authenticated": "auth", "authenticate": "auth", "authorization": "auth",
    "signup": "register", "registration": "register", "signin": "login", "logged": "login", "log": "login",
    "remove": "delete", "removal": "delete", "responsive": "mobile", "viewport": "mobile", "375px": "mobile",
    "width": "mobile", "spinner": "loading", "spinners": "loading", "sortable": "sort", "documentation": "doc",
    "docs": "doc", "documented": "doc", "modal": "form", "env": "environment", "param": "parameter",
    "params": "parameter", "parameterized": "parameter", "downloads": "export", "download": "export",
    "middleware": "protected", "guard": "protected", "persists": "persist", "credentials": "credential",
    "401": "protected", "hashed": "hash", "hashing": "hash", "vitest": "test", "jest": "test", "pytest": "test",
}  # fmt: skip
_ENDINGS = (
    "ations",
    "ation",
    "ities",
    "ments",
    "ment",
    "ions",
    "ion",
    "ings",
    "ing",
    "ies",
    "ers",
    "er",
    "ed",
    "es",
    "s",
)
_LONGEST_LINE = 500  # characters: titles and items are looked up often, whole files once
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+\d*|[A-Z]+|\d+[a-z]*")


@functools.lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return the stem of a word."""
    word = _SYNONYMS.get(word, word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            cut = word[: -len(ending)]
            return cut[:-1] if len(cut) > 3 and cut[-1] == cut[-2] else cut
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def stems(text: str) -> frozenset[str]:
    """Return the stems of the words, without stop words."""
    return _line_stems(text) if len(text) <= _LONGEST_LINE else _stems(text)


@functools.lru_cache(maxsize=8_000)
def _line_stems(text: str) -> frozenset[str]:
    return _stems(text)


def _stems(text: str) -> frozenset[str]:
    found = set()
    for piece in re.findall(r"[A-Za-z0-9]+", text):
        for match in _WORD.findall(piece) if not piece.islower() else [piece]:
            word = match.lower()
            if word not in _STOPWORDS and (len(word) > 1 or word.isdigit()):
                found.add(stem(word))
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The stems of a spec with their weights, and the requirements that use each of them."""

    weights: Mapping[str, float]
    items_by_stem: Mapping[str, tuple[tuple[int, float], ...]]
    """For each stem, the requirements (by index) that use it, with its weight there."""
    lengths: tuple[float, ...]
    totals: tuple[float, ...]
    unknown: float

    @classmethod
    def of(cls, spec: Spec) -> Vocabulary:
        """Return the vocabulary of a spec."""
        item_stems = [stems(item.text) for item in spec.items]
        count = Counter(word for item in item_stems for word in item)
        headings = {item.section: stems(_heading(item)) for item in spec.items}
        count.update(word for heading in headings.values() for word in heading if word not in count)
        total = max(1, len(item_stems))
        weights = {word: math.log(1 + total / often) for word, often in count.items()}
        items = [
            {
                **{word: _HEADING * weights[word] for word in headings[item.section]},
                **{word: weights[word] for word in own},
            }
            for item, own in zip(spec.items, item_stems, strict=True)
        ]
        items_by_stem: dict[str, list[tuple[int, float]]] = {}
        for index, item_words in enumerate(items):
            for word in sorted(item_words):
                items_by_stem.setdefault(word, []).append((index, item_words[word]))
        return cls(
            weights=weights,
            items_by_stem={word: tuple(found) for word, found in items_by_stem.items()},
            lengths=tuple(math.sqrt(math.fsum(value * value for value in item.values())) for item in items),
            totals=tuple(math.fsum(item.values()) for item in items),
            unknown=_UNKNOWN * math.log(1 + total),
        )


def _heading(item: SpecItem) -> str:
    return re.sub(r"\(Cycle \d+\)|^\s*\d+\.", "", item.section)


def related_items(text: str, vocabulary: Vocabulary, *, most: int = 10) -> tuple[int, ...]:
    """Return the indices of the requirements that a task of this title serves: the most similar, in order."""
    item_stems = {word: vocabulary.weights.get(word, vocabulary.unknown) for word in sorted(stems(text))}
    length = math.sqrt(math.fsum(weight * weight for weight in item_stems.values()))
    shared: dict[int, float] = {}
    for word, weight in item_stems.items():
        for index, value in vocabulary.items_by_stem.get(word, ()):
            shared[index] = shared.get(index, 0.0) + weight * value
    return _nearest_items(
        {index: value / (length * vocabulary.lengths[index]) for index, value in shared.items()}, RELATED, most
    )


def covered_items(text: str, vocabulary: Vocabulary, *, most: int = 4) -> dict[int, float]:
    """Return the indices of the requirements that a longer text mostly mentions, each with the mentioned share."""
    shares = mentioned_shares(text, vocabulary)
    return {index: shares[index] for index in _nearest_items(shares, COVERED, most)}


def mentioned_shares(text: str, vocabulary: Vocabulary) -> dict[int, float]:
    """Return the share of each requirement's words that a text mentions, by weight; no entry for none."""
    shares: dict[int, float] = {}
    for word in sorted(stems(text)):
        for index, value in vocabulary.items_by_stem.get(word, ()):
            shares[index] = shares.get(index, 0.0) + value / vocabulary.totals[index]
    return shares


def _nearest_items(likeness: Mapping[int, float], least: float, most: int) -> tuple[int, ...]:
    enough = [index for index, value in likeness.items() if value >= least - 1e-9]
    return tuple(sorted(sorted(enough, key=lambda index: (-round(likeness[index], 9), index))[:most]))
