from __future__ import annotations

from typing import Any

import pytest

from forgetest.toolchains.python.runtime import pytest_module
from forgetest.toolchains.python.runtime.fixtures import call_test


def test_a_test_is_called_with_every_combination_of_params():
    seen: list[Any] = []

    @pytest_module.fixture(params=[1, pytest_module.param(2, id="two")])
    def number(request: Any) -> Any:
        request.addfinalizer(lambda: seen.append("over"))
        return request.param

    @pytest_module.fixture(params="ab")
    def letter(request: Any) -> Any:
        return request.param

    @pytest_module.fixture
    def pair(number: Any, letter: Any) -> Any:
        yield number, letter

    def test(pair: Any, letter: Any) -> None:
        seen.append((*pair, letter))

    call_test(test, {"number": number, "letter": letter, "pair": pair}, None, None)
    assert {each for each in seen if each != "over"} == {(1, "a", "a"), (1, "b", "b"), (2, "a", "a"), (2, "b", "b")}
    assert seen.count("over") == 4


def test_fixtures_of_every_test_may_have_params():
    seen: list[Any] = []

    @pytest_module.fixture(autouse=True, params=[1, 2])
    def number(request: Any) -> None:
        seen.append(request.param)

    call_test(lambda: None, {"number": number}, None, None)
    assert seen == [1, 2]


def test_without_params_a_request_has_no_param():
    @pytest_module.fixture
    def bare(request: Any) -> Any:
        return request.param

    def test(bare: Any) -> None:
        raise AssertionError("not called")

    with pytest.raises(AttributeError, match="param"):
        call_test(test, {"bare": bare}, None, None)
