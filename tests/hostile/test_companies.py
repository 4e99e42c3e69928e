"""The verdict on a sample does not depend on its company: random groups, and every sample of the hostile corpus.

A sample that a group leaves to be judged alone keeps its verdict by definition, so only shared verdicts are compared.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import corpus
from company import BROKEN, HONEST, TROUBLE, WRONG, Table, comparable, numbered
from corpus import SAMPLES
from forgetest import evalset
from forgetest.engine.judging.recheck import differences
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.evalset import Case
from forgetest.verdict import Step, Verdict
from grading import RIGHT, TRIPLE, case_of

_PLANTED = Path(__file__).parents[1] / "planted" / "rust-basics"
COMPANIES = 56
"""Random groups in the slow lane."""
CHUNKS = 4
_OF_BUILT_IN_CASES = 12
_TOSSES = 40
"""Samples of the corpus that decide at random pass or fail with a chance of one in sixteen at least."""
SLOW = {"a test that hangs", "a test that waits"}
"""They take seconds in each group; `test_rust_sharing.py` has them."""
STOPS_THE_COMPILER = ("compile-", "slow-", "stop-", "files-without-end", "fill-the-disk", "large-file")

Sample = tuple[str, Case]


class Companies:
    """Judges groups, and compares what was shared with the verdicts of the same samples alone."""

    def __init__(self, step_runner: StepRunner) -> None:
        self.shared = 0
        self._table = Table(step_runner)
        self._alone: dict[tuple[str, str], Verdict] = {}

    def check(self, company: Sequence[Sample], *, exactly: bool = True) -> None:
        """Judge a group. `exactly`: the whole verdict must be the same, and not only what it says of the sample."""
        verdicts, _ = self._table.together(company)
        for (code, case), verdict in zip(company, verdicts, strict=True):
            if verdict is not None:
                self.shared += 1
                alone = self._verdict_alone(code, case)
                if exactly:
                    assert comparable(verdict) == comparable(alone), code
                else:
                    assert not any(differences(alone, verdict)) or self._tosses_coins(code, case, verdict), code

    def first_step(self, company: Sequence[Sample]) -> Step:
        """What is built of a group; without those that are judged alone anyway."""
        return self._table.first_step(company)

    def _tosses_coins(self, code: str, case: Case, verdict: Verdict) -> bool:
        """Return whether the sample gets that verdict alone, too, if it is judged often enough."""
        again = (self._table.alone(code, case) for _ in range(_TOSSES))
        return any(not any(differences(alone, verdict)) for alone in again)

    def _verdict_alone(self, code: str, case: Case) -> Verdict:
        key = code, case.id
        if key not in self._alone:
            self._alone[key] = self._table.alone(code, case)
        return self._alone[key]


@pytest.fixture(scope="module")
def companies(step_runner: StepRunner) -> Companies:
    return Companies(step_runner)


def ordinary() -> list[Sample]:
    """Honest samples, right and wrong, of several cases, and some that do not compile or make trouble."""
    texts = [*HONEST.values(), *BROKEN.values(), *(code for name, code in TROUBLE.items() if name not in SLOW)]
    found = [(code, TRIPLE) for code in texts]
    cases = [case for eval_set in evalset.load("rust-basics") for case in eval_set.cases]
    for case in cases[:_OF_BUILT_IN_CASES]:
        assert case.reference_solution is not None
        found.append((case.reference_solution, case))
        found += [(path.read_text(), case) for path in sorted((_PLANTED / case.id).glob("*.rs"))]
    return found


def hostile(baited: Callable[[str], str]) -> list[Sample]:
    """The corpus, without what takes minutes in every group."""
    return [
        hurried(path, baited)
        for path in SAMPLES
        if not path.stem.startswith(STOPS_THE_COMPILER) and not corpus.case_of_sample(path).dependencies
    ]


def hurried(path: Path, baited: Callable[[str], str]) -> Sample:
    """A sample of the corpus with a short limit. All groups use this one, so that it is judged alone only once."""
    case = corpus.case_of_sample(path)
    return baited(path.read_bytes().decode()), replace(case, id=f"quick {case.id}", timeout_secs=1.0)


def company(drawn: random.Random, *pools: Sequence[Sample]) -> list[Sample]:
    """A random group of distinct samples, from a random mixture of the pools."""
    weights = [drawn.random() for _ in pools]
    chosen = (drawn.choice(drawn.choices(pools, weights)[0]) for _ in range(drawn.randint(2, 16)))
    return list({code: (code, case) for code, case in chosen}.values())


def test_a_verdict_does_not_depend_on_the_company(companies: Companies) -> None:
    drawn, pool = random.Random(14), [(code, TRIPLE) for code in (*HONEST.values(), *BROKEN.values())]
    for _ in range(6):
        companies.check(company(drawn, pool))
    assert companies.shared >= 10


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_verdict_does_not_depend_on_any_random_company(
    companies: Companies, baited: Callable[[str], str], chunk: int
) -> None:
    drawn, shared_before = random.Random(chunk), companies.shared
    pools = ordinary(), hostile(baited)
    for _ in range(COMPANIES // CHUNKS):
        companies.check(company(drawn, *pools), exactly=False)
    assert companies.shared - shared_before >= COMPANIES // CHUNKS


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_no_sample_of_the_corpus_changes_the_verdict_of_a_neighbour(
    companies: Companies, baited: Callable[[str], str]
) -> None:
    quick = case_of(TRIPLE.expectations.test_file, TRIPLE.expectations.expected_functions, timeout_secs=1.0)
    neighbours = [(numbered(code, number), quick) for code in (RIGHT, WRONG) for number in range(3)]
    without, shared_before, joined = companies.first_step(neighbours), companies.shared, 0
    for path in SAMPLES:
        company = [*neighbours, hurried(path, baited)]
        if companies.first_step(company) != without:  # else it is left out of the company, and nothing is different
            companies.check(company, exactly=False)
            joined += 1
    assert joined >= 200
    assert companies.shared - shared_before >= 3 * joined
