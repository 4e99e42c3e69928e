from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.toolchains.scripts import Scripts, SharedPart
from forgetest.verdict import Execution, Step

RAN = [Execution(step=f"step {number}", ended="exited", exit_code=number) for number in range(4)]


class Counting:
    """A script with a number of steps, whose result shows the executions; it counts how often it was started."""

    def __init__(self, steps: int = 3) -> None:
        self.begun = 0
        self._steps = steps

    def __call__(self) -> Generator[Step, Execution, str]:
        self.begun += 1
        exit_codes = []
        for number in range(self._steps):
            execution = yield Step(name=f"{number} after {exit_codes}", argv=())
            exit_codes.append(execution.exit_code)
        return f"result of {exit_codes}"


def test_a_script_asked_in_order_is_begun_once() -> None:
    scripts, script = Scripts(), Counting()

    answers = [scripts.answer((), script, RAN[:count]) for count in range(4)]

    assert [answer.name for answer in answers[:3] if isinstance(answer, Step)] == [
        "0 after []",
        "1 after [0]",
        "2 after [0, 1]",
    ]
    assert answers[3] == "result of [0, 1, 2]"
    assert script.begun == 1


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 3), st.booleans()), max_size=12))
def test_the_answer_depends_on_nothing_but_the_question(questions: list[tuple[str, int, bool]]) -> None:
    scripts = Scripts()
    for subject, count, other in questions:
        executions = [replace(each, exit_code=7) if other else each for each in RAN[:count]]
        steps = {"a": 3, "b": 2}[subject]
        if count > steps:
            continue
        assert scripts.answer((subject,), Counting(steps), executions) == Scripts().answer(
            (), Counting(steps), executions
        )


def test_after_an_error_it_is_begun_anew() -> None:
    def failing() -> Generator[Step, Execution, str]:
        execution = yield Step(name="first", argv=())
        if execution.exit_code:
            raise ZeroDivisionError
        return "fine"

    scripts = Scripts()
    scripts.answer((), failing, [])
    with pytest.raises(ZeroDivisionError):
        scripts.answer((), failing, [RAN[1]])

    assert scripts.answer((), failing, [RAN[0]]) == "fine"


def test_a_part_of_many_scripts_is_computed_once_for_the_same_executions() -> None:
    script = Counting()
    part = SharedPart(script)
    first = [Scripts().answer((), part, RAN[:count]) for count in range(4)]
    assert script.begun == 4  # replayed each time, until it ended

    assert [Scripts().answer((), part, RAN[:count]) for count in range(4)] == first
    assert script.begun == 4


def test_a_part_of_many_scripts_is_computed_again_for_other_executions() -> None:
    script = Counting()
    part = SharedPart(script)
    Scripts().answer((), part, RAN[:3])
    other = [RAN[0], replace(RAN[1], exit_code=7), RAN[2]]

    assert [Scripts().answer((), part, other[:count]) for count in range(4)] == [
        Scripts().answer((), Counting(), other[:count]) for count in range(4)
    ]
