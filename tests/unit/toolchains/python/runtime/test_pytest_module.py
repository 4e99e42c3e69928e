from __future__ import annotations

import os
import sys
import warnings
from decimal import Decimal
from typing import Any

import pytest

from forgetest.toolchains.python.runtime import fixtures, pytest_module
from forgetest.toolchains.python.runtime.monkeypatch import MonkeyPatch
from forgetest.toolchains.python.runtime.pytest_module import approx


@pytest.mark.parametrize(
    ("actual", "expected", "options"),
    [
        (0.3, 0.1 + 0.2, {}),
        (1.0000001, 1, {}),
        (1.01, 1, {"rel": 0.1}),
        (1.01, 1, {"abs": 0.1}),
        ([1.0, 2.0000001], [1, 2], {}),
        ((1.0,), [1], {}),
        ({"a": 1.0000001}, {"a": 1}, {}),
        ([[1.0]], [[1.0]], {}),
        (float("inf"), float("inf"), {}),
        (float("nan"), float("nan"), {"nan_ok": True}),
        (Decimal("1.0000001"), Decimal(1), {}),
        (1 + 1e-9j, 1, {}),
        ("x", "x", {}),
        (None, None, {}),
    ],
)
def test_approx_agrees_with_pytest_on_what_is_close(actual: Any, expected: Any, options: dict[str, Any]):
    assert actual == approx(expected, **options)
    assert approx(expected, **options) == actual


class Liar:
    def __eq__(self, other: object) -> bool:
        return NotImplemented

    def __sub__(self, other: object) -> float:
        return 0.0

    __rsub__ = __sub__


@pytest.mark.parametrize(
    ("actual", "expected", "options"),
    [
        (1.1, 1, {}),
        (1.01, 1, {"abs": 0.001}),
        ([1.0], [1, 2], {}),
        ([1.0, 3.0], [1, 2], {}),
        ({"a": 1}, {"b": 1}, {}),
        (float("nan"), float("nan"), {}),
        (float("nan"), 1.0, {}),
        (float("inf"), 1.0, {}),
        (True, 1, {}),
        ("1", 1, {}),
        (None, 1, {}),
        (Liar(), 1.0, {}),
        ([Liar()], [1.0], {}),
    ],
)
def test_approx_is_not_equal_to_what_is_not_close_or_no_number(actual: Any, expected: Any, options: dict[str, Any]):
    assert actual != approx(expected, **options)


def test_raises_needs_the_exception_and_the_text():
    with pytest_module.raises((KeyError, ValueError), match="b+") as info:
        raise ValueError("abc")
    assert (info.type, info.typename, str(info.value)) == (ValueError, "ValueError", "abc")
    pytest_module.raises(ValueError, int, "x")
    for body in (lambda: None, lambda: [][0], lambda: int("x")):
        with pytest.raises((AssertionError, IndexError)), pytest_module.raises(ValueError, match="nothing"):
            body()


def test_warns_needs_the_warning():
    with pytest_module.warns(UserWarning, match="x"):
        warnings.warn("x", stacklevel=1)
    with pytest.raises(AssertionError), pytest_module.warns(UserWarning):
        pass


def test_what_is_not_there_says_so():
    with pytest.raises(AttributeError, match="hookimpl is not supported"):
        _ = pytest_module.make_module().hookimpl


def test_fixtures_are_made_once_in_order_and_ended():
    order = []

    @pytest_module.fixture
    def first() -> Any:
        order.append("first")
        yield 1
        order.append("ended")

    @pytest_module.fixture(autouse=True)
    def second(first: int) -> int:
        order.append("second")
        return first + 1

    def test(second: int, first: int, default: int = 5) -> None:
        order.append(f"test {first} {second} {default}")

    fixtures.call_test(test, {"first": first, "second": second}, None, None)
    assert order == ["first", "second", "test 1 2 5", "ended"]


def test_an_unknown_fixture_is_told():
    with pytest.raises(LookupError, match="fixture 'nothing' not found"):
        fixtures.call_test(lambda nothing: None, {}, None, None)


def test_parameters_are_chosen_by_index_or_all_used():
    seen = []

    @pytest_module.mark.parametrize("a", [1, 2])
    @pytest_module.mark.parametrize(("b", "c"), [(3, 4), pytest_module.param(5, 6)])
    def test(a: int, b: int, c: int) -> None:
        seen.append((a, b, c))

    fixtures.call_test(test, {}, None, [1, 0])
    assert seen == [(2, 3, 4)]
    fixtures.call_test(test, {}, None, None)
    assert seen[1:] == [(1, 3, 4), (1, 5, 6), (2, 3, 4), (2, 5, 6)]


@pytest.mark.parametrize("mark", [pytest_module.mark.skip, pytest_module.mark.skipif(True, reason="x")])
def test_marked_tests_are_skipped(mark: Any):
    def test() -> None:
        raise AssertionError

    with pytest.raises(pytest_module.Skipped):
        fixtures.call_test(mark(test), {}, None, None)


def test_monkeypatch_undoes_what_it_did(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("FORGETEST_X", raising=False)
    told = []
    monkeypatch.setattr(MonkeyPatch, "on_environment", staticmethod(lambda name, value: told.append((name, value))))
    patch = MonkeyPatch()
    patch.setenv("FORGETEST_X", 1)
    patch.setattr("os.sep", "!")
    patch.setitem(sys.modules, "forgetest_x", sys)
    assert (os.environ["FORGETEST_X"], os.sep) == ("1", "!")
    patch.undo()
    assert ("FORGETEST_X" in os.environ, os.sep, "forgetest_x" in sys.modules) == (False, "/", False)
    assert told == [("FORGETEST_X", "1")]
