"""Large and deeply nested values cross; what is too large or too deep is told apart from what the sample does."""

from __future__ import annotations

import pytest

from grading import JudgeGrader, case_of

NEST = "def nest(n):\n    x = []\n    for _ in range(n):\n        x = [x]\n    return x\n"


def test_a_value_with_many_levels_crosses(grade: JudgeGrader):
    tests = "def test():\n    x = nest(500)\n    for _ in range(500):\n        [x] = x\n    assert x == []\n"
    assert grade(NEST, case_of(tests, language="python")).correct


def test_a_result_that_is_too_deep_is_no_exception_of_the_sample(grade: JudgeGrader):
    tests = "import pytest\ndef test():\n    with pytest.raises(RecursionError):\n        nest(100_000)\n"
    found = grade(NEST, case_of(tests, language="python"))
    assert (found.correct, found.messages) == (False, "a result that is nested too deeply")


@pytest.mark.slow
def test_a_million_elements_cross_and_come_back(grade: JudgeGrader):
    tests = (
        "def test():\n    a = list(range(10**6))\n    assert reverse(a) == a[::-1]\n"
        "def test_in_place():\n    a = [*range(10**6, 0, -1)]\n    order(a)\n    assert a == sorted(a)\n"
    )
    code = "def reverse(a):\n    return a[::-1]\ndef order(a):\n    a.sort()\n"
    found = grade(code, case_of(tests, language="python"))
    assert (found.correct, found.verdict.verified) == (True, True), found.messages


@pytest.mark.slow
def test_a_result_of_more_than_64_mb_is_told_apart_from_a_failure(grade: JudgeGrader):
    tests = "def test():\n    assert len(text()) == 70 << 20\n"
    found = grade("def text():\n    return 'x' * (70 << 20)\n", case_of(tests, language="python"))
    assert found.messages == "a result of 73400389 bytes; at most 67108864 are accepted"
