"""Controls: runs that a sample fails if it has earned its passes. The rule is the same for every language.

A *twin* of a test is the same test with one expectation made wrong. A sample that has earned its pass fails it; one
that passes the test *and* its twins did not earn the pass, however it was done. What a run is, real test or twin, must
not be visible to the sample, so both kinds are made in one launch and in random order.

The rule, for the tests that a sample passes:

1. Each is asked one twin: an altered expectation if there is one, else an end. `EXTRA` more are asked of all tests
   together, one of them an end, since only that shows a sample that leaves a test after meeting its expectations. A
   sample that could lie about some values only, by operators of its own, is asked all of them, and tests and twins are
   run several times, since it could also guess.
2. If none is passed, all passes are earned. Otherwise, every test that passed a twin is asked up to `FURTHER` more, and
   the one that it passed again.
3. A test is not earned if it passed a *certain* twin: no sample can, however it solves the task. Or if the sample
   passed at least two different twins, and more than half of those that these tests were asked: an honest sample may
   pass a twin that is not certain, where the task leaves freedom, but a forger passes nearly all of them.

Error rates are in docs/decisions/0019-controls.md, and simulated in the unit tests.
"""

from __future__ import annotations

import hmac
import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from forgetest.errors import MachineryError
from forgetest.verdict import Execution, Mount, Step

EXTRA = 5
"""Twins that are asked in the first round beyond one of each test: for samples that are right in part."""
FURTHER = 5
"""Twins of a test that are asked after it has passed one."""

LEAST_RUNS, LEAST_ASKED = 4, 6
"""Runs of a test, and of altered expectations of it, for a sample that could lie in part. One that passes each run with
a chance of its choice passes all of the first and none of the second in at most 0.12% of cases."""

SECRET_STEP = Step(
    name="make the judge's secret",
    argv=("/bin/sh", "-c", "test -r /dev/urandom && head -c 32 /dev/urandom | od -An -v -tx1"),
    mounts=tuple(Mount(source=path, target=path, optional=True) for path in ("/usr", "/bin", "/lib", "/lib64")),
    must_succeed=True,
)
"""A step of preparation. It runs once, and its output is kept in the cache folder, where only its user may read it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSecret:
    """The secret that all judges with the same cache folder share. Whatever is drawn from it is the same each time."""

    key: bytes

    @classmethod
    def read(cls, execution: Execution) -> JudgeSecret:
        """Return the secret that SECRET_STEP made."""
        key = bytes.fromhex(execution.stdout.decode(errors="replace")) if execution.succeeded else b""
        if len(key) != 32:
            raise MachineryError(f"no random numbers: {execution.stderr.decode(errors='replace').strip()}")
        return cls(key=key)

    def draw(self, *about: str) -> random.Random:
        """Return random choices about something."""
        text = "\0".join(about).encode(errors="surrogatepass")
        return random.Random(hmac.digest(self.key, text, "sha256"))  # noqa: S311  (seeded by a keyed hash)


NO_SECRET = JudgeSecret(key=b"")
"""For tests that nobody forges: those of our own that check a compiler."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """A test with one expectation made wrong."""

    test: int
    """Index of the test."""
    number: int
    """The expectation that is made wrong, among all of the case."""
    value: int = 1
    """Which of its wrong values counts."""
    certain: bool
    """No sample passes both the test and this twin, however it solves the task."""
    is_end: bool = False
    """The test fails where it ends, or where an assertion is expected not to hold: shows a sample that does not get
    there. A sample with operators of its own fails it, and passes an altered expectation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run of a test, or of a twin of it."""

    test: int
    twin: Twin | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """How a twin went."""

    twin: Twin
    passed: bool


def first_round(
    tests: Collection[int], twins: Sequence[Twin], draw: random.Random, *, every: bool = False
) -> list[Run]:
    """Return the runs of these tests, and of at least one twin of each that has any, in random order.

    With `every`, all twins are asked: for samples that have means to be right in part and lie in the rest.
    """
    asked: list[Twin] = []
    left: list[Twin] = []
    for test in tests:
        own = [twin for twin in twins if twin.test == test]
        draw.shuffle(own)
        if not every:  # one of each expectation: whoever bends an operator passes any of them
            own = list({twin.number: twin for twin in own}.values())
        own.sort(key=lambda twin: twin.is_end)
        asked += own[:1]
        left += own[1:]
    draw.shuffle(left)
    ends = [twin for twin in left if twin.is_end]
    others = [twin for twin in left if not twin.is_end]
    asked += [*ends[:1], *others, *ends[1:]][: None if every else EXTRA]
    runs = [*(Run(test=test) for test in tests), *(Run(test=twin.test, twin=twin) for twin in asked)]
    if every:
        runs += _repeats(asked)
    draw.shuffle(runs)
    return runs


def _repeats(asked: Sequence[Twin]) -> Iterator[Run]:
    """Yield further runs of tests and of their altered expectations: whoever guesses must guess right each time."""
    expectations: dict[int, list[Twin]] = {}
    for twin in asked:
        if not twin.is_end:
            expectations.setdefault(twin.test, []).append(twin)
    for test, twins in expectations.items():
        yield from [Run(test=test)] * (LEAST_RUNS - 1)
        yield from [Run(test=test, twin=twin) for twin in twins] * (-(-LEAST_ASKED // len(twins)) - 1)


def second_round(answers: Iterable[Answer], twins: Sequence[Twin], draw: random.Random) -> list[Run]:
    """Return the runs that decide whether tests that passed a twin have earned their pass; none if no test did."""
    given = list(answers)
    runs = []
    for test in sorted({answer.twin.test for answer in given if answer.passed}):
        passed = list(dict.fromkeys(answer.twin for answer in given if answer.passed and answer.twin.test == test))
        asked = {answer.twin for answer in given}
        further = [twin for twin in twins if twin.test == test and twin not in asked]
        draw.shuffle(further)
        further.sort(key=lambda twin: twin.is_end != passed[0].is_end)  # first those that say the same of a sample
        runs += [Run(test=test), *(Run(test=test, twin=twin) for twin in (*passed, *further[:FURTHER]))]
    draw.shuffle(runs)
    return runs


def unearned(answers: Iterable[Answer]) -> list[int]:
    """Return the tests that were passed without being earned, from the answers of both rounds."""
    given = list(answers)
    passed = [answer.twin for answer in given if answer.passed]
    suspects = {twin.test for twin in passed}
    sure = {twin.test for twin in passed if twin.certain and sum(answer.twin == twin for answer in given) > 1}
    found = set(sure)
    for is_end in (False, True):  # a sample that bends an operator fails at every end, and the other way around
        different = {twin for twin in passed if twin.is_end == is_end and _always_passed(given, twin)}
        asked = {answer.twin for answer in given if answer.twin.test in suspects and answer.twin.is_end == is_end}
        if len(different) >= 2 and 2 * len(different) > len(asked):
            found |= {twin.test for twin in different}
    return sorted(found)


def _always_passed(answers: Sequence[Answer], twin: Twin) -> bool:
    return all(answer.passed for answer in answers if answer.twin == twin)
