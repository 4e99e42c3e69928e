"""Screening begins with cases that may take long, in several programs, and tells each case as soon as it is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from audit_fakes import a_case, a_mutant
from forgetest.engine.judging import screening
from forgetest.evalset import Case
from forgetest.mutation import Mutation
from forgetest.toolchains.auditing import Screened


class Language:
    """Kills each mutant, by a test with the mutant's own code as its name."""

    def __init__(self) -> None:
        self.sizes: list[tuple[str, int]] = []

    def screen(self, prepared: Any, case: Case, mutants: Sequence[Mutation], executions: Any) -> Sequence[Screened]:
        self.sizes.append((case.id, len(mutants)))
        return [Screened(status="killed", killed_by=(mutant.code,)) for mutant in mutants]


class Cases:
    def toolchain(self, language: str) -> str:
        return language

    def prepare(self, case: Case) -> None: ...


@pytest.fixture
def language(monkeypatch):
    found = Language()
    monkeypatch.setattr(screening, "auditing", lambda _: found)
    return found


def screened(*asked):
    cases: Any = Cases()
    return list(screening.screen(cases, lambda _: pytest.fail("no step is needed"), asked, slots=1))


def mutants(count):
    return [a_mutant(f"code {number}") for number in range(count)]


def test_slow_cases_come_first_and_results_have_the_order_of_the_mutants(language):
    quick = replace(a_case(), id="quick", timeout_secs=0.1)
    slow = replace(a_case(), id="slow", timeout_secs=30.0)
    found = screened((quick, mutants(3)), (slow, mutants(40)))
    assert [index for index, _ in found] == [1, 0]
    assert [each.killed_by[0] for each in found[0][1] if each] == [each.code for each in mutants(40)]
    assert language.sizes == [("slow", 10)] * 4 + [("quick", 3)]


def test_many_mutants_of_a_quick_case_are_in_several_programs(language):
    [(_, found)] = screened((replace(a_case(), timeout_secs=0.1), mutants(200)))
    assert len(found) == 200
    assert [size for _, size in language.sizes] == [100, 100]


def test_a_case_without_mutants_needs_no_program(language):
    assert screened((a_case(), [])) == [(0, ())]
    assert language.sizes == []
