"""A case's test file → text that the sample cannot bend, and the list of expected tests.

Test functions become plain functions that our entry point can call, and their paths are redirected, see
`trusted_paths`. They return a type that nothing in a sample can make, so a macro of the sample cannot return from them.
Expectations become sites, see `twins`. Line breaks are kept, so that positions in diagnostics are the author's own.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from forgetest.errors import UserError
from forgetest.toolchains.controls import JudgeSecret
from forgetest.toolchains.rust.compile.declared_tests import DeclaredTest, ExpectedTest, ItemReader
from forgetest.toolchains.rust.compile.trusted_paths import (
    SECRET,
    Edit,
    apply_edits,
    path_edits,
    prelude_edits,
)
from forgetest.toolchains.rust.compile.twins import expectations, sites
from forgetest.toolchains.rust.compile.twins.expectations import Expectation
from forgetest.toolchains.rust.compile.twins.shown_conditions import condition_edits
from forgetest.toolchains.rust.compile.twins.sites import Site
from forgetest.toolchains.rust.source.lexer import Token, tokens

_CATCHING = frozenset({"catch_unwind", "resume_unwind", "spawn", "scope", "set_hook", "take_hook"})
"""Words of tests that may count on an assertion to panic, and not to end the process."""
_FORMATTING_EDITIONS = ("2021", "2024")
"""Editions in which `assert!` always reads its message as a format."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestFile:
    """A rewritten test file."""

    __test__ = False

    tests: tuple[ExpectedTest, ...]
    body: str
    sites: tuple[Site, ...] = ()
    """The expectations that have twins, in the order of their bits."""
    assertions_panic: bool = False
    """The tests may catch panics, so their assertions panic as std's do. Those of `should_panic` tests always do."""


NO_TESTS = TestFile(tests=(), body="")
"""The test file of a case without tests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedSites:
    """The sites that a test file is to have."""

    secret: JudgeSecret
    most: int
    """For each test, besides its end."""
    only: frozenset[sites.Wanted] | None = None
    """The twins that the reference solution fails; None for all."""
    certain: bool = False
    """Only those whose twins no sample passes, however it solves the task: there is no reference solution."""
    pairs: bool = False
    """Each has two values only, the author's and another."""


def rewrite(
    text: str, crates: Collection[str], case_id: str, *, edition: str = "2021", wanted: WantedSites | None = None
) -> TestFile:
    """Rewrite a case's test file; `crates` are the dependencies' names as code spells them."""
    return _rewrite(text, tuple(crates), case_id, edition, wanted)


@functools.lru_cache(maxsize=512)
def _rewrite(text: str, crates: tuple[str, ...], case_id: str, edition: str, wanted: WantedSites | None) -> TestFile:
    """Rewrite a test file, once for all the times that a case is looked at while it is prepared among others."""
    found = tokens(text)
    reader = _read_items(text, case_id)
    functions = reader.tests or reader.mains
    if not functions:
        raise UserError(f"case {case_id}: test_file has neither a #[test] function nor a `fn main()`")
    words = {token.text for token in found}
    own_assertions, trusted, prelude = _trusted_edits(text, crates, edition)
    placed, site_edits = _sites(text, found, functions, wanted, truth=own_assertions)
    edits = [*trusted, *reader.edits, *prelude, *_hidden_results(found, functions, placed)]
    shown = condition_edits(found, [*edits, *site_edits]) if own_assertions else ()
    # of several at one position, the first stays first
    edits = [*site_edits, *shown, *edits]
    return TestFile(
        tests=tuple(function.expected for function in functions),
        body=apply_edits(text, edits),
        sites=placed,
        assertions_panic=not words.isdisjoint(_CATCHING),
    )


@functools.lru_cache(maxsize=4)
def _trusted_edits(text: str, crates: tuple[str, ...], edition: str) -> tuple[bool, tuple[Edit, ...], tuple[Edit, ...]]:
    """Return whether assertions become our own, and the edits of paths and of what the prelude brings."""
    found = tokens(text)
    own_assertions = edition in _FORMATTING_EDITIONS and not _has_constant_code(found)
    return own_assertions, tuple(path_edits(found, crates, own_assertions=own_assertions)), tuple(prelude_edits(found))


@functools.lru_cache(maxsize=4)
def _read_items(text: str, case_id: str) -> ItemReader:
    reader = ItemReader(text, tokens(text), case_id)
    reader.read()
    return reader


@functools.lru_cache(maxsize=64)
def _expectations(text: str, body: tuple[int, int]) -> tuple[Expectation, ...]:
    return tuple(expectations.in_test(tokens(text), body))


def _sites(
    text: str, found: Sequence[Token], functions: Sequence[DeclaredTest], wanted: WantedSites | None, *, truth: bool
) -> tuple[tuple[Site, ...], list[Edit]]:
    """Return the sites that are wanted, and the edits that make them."""
    if wanted is None:
        return (), []
    picked: list[tuple[int, Expectation]] = []
    kept = None if wanted.only is None else {(kind, position) for kind, position, _ in wanted.only}
    for index, function in enumerate(functions):
        if function.expected.kind != "plain":
            continue
        every = [
            each
            for each in _expectations(text, function.body)
            if (truth or each.kind != "truth")
            and (each.certain or not wanted.certain)
            and (kept is None or (each.kind, each.start) in kept)
        ]
        end = function.end(found)
        if end is not None:  # the end says all that the truth of an assertion on the way says
            every = [each for each in every if each.kind != "truth" or not each.certain]
        if kept is not None:  # the reference solution gets there, and its values are told apart
            every = [replace(each, certain=each.certain or each.reached) for each in every]
        draw = wanted.secret.draw("sites", text, function.expected.name)
        picked += [(index, each) for each in sites.chosen(every, draw, wanted.most)]
        if end is not None and (kept is None or ("end", end) in kept):
            picked.append((index, Expectation(kind="end", start=end, end=end, assertion=end, certain=True)))
    return sites.place(text, picked, wanted.secret, only=wanted.only, pairs=wanted.pairs)


def _hidden_results(
    found: Sequence[Token], functions: Sequence[DeclaredTest], placed: Sequence[Site]
) -> Iterator[Edit]:
    """Give test functions a result that only our own text can make."""
    ends = {site.position for site in placed if site.kind == "end"}
    for function in functions:
        if function.has_hidden_result(found):
            at, end = found[function.parameters_end].end, found[function.body[1]].start
            yield Edit(at, at, f" -> ::{SECRET}::End")
            if end not in ends:
                yield Edit(end, end, f"; ::{SECRET}::end_unasked() ")


def _has_constant_code(found: Sequence[Token]) -> bool:
    """Return whether the file has code that the compiler runs, where our own assertions cannot be called."""
    constant = ("fn", "_", "{", "unsafe")
    return any(one.text == "const" and other.text in constant for one, other in itertools.pairwise(found))
