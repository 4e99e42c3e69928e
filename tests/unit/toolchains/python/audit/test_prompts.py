"""What Python tests need and the prompt does not tell."""

from __future__ import annotations

from forgetest.evalset import Case, ContextFile, Expectations
from forgetest.toolchains.python.audit import untold

TESTS = """
import pytest

from solution import Ring, push


def test_it():
    with pytest.raises(OverflowError, match="is full"):
        push(Ring())
"""


def a_case(prompt: str, context: tuple[ContextFile, ...] = ()) -> Case:
    expectations = Expectations(test_file=TESTS)
    return Case(id="c", name="c", prompt=prompt, language="python", context=context, expectations=expectations)


def test_names_exceptions_and_messages_are_named():
    assert untold(a_case("Write push, for rings.")) == [
        "the exception OverflowError",
        "the name Ring",
        "the message 'is full'",
    ]


def test_what_the_prompt_or_its_context_tells_is_not():
    context = (ContextFile(path="ring.py", content="class Ring: ..."),)
    assert untold(a_case('`push` raises `OverflowError("the ring is full")`.', context)) == []
