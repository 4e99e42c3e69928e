"""Steps of the code that tests replace by the result that they expect."""

from __future__ import annotations

import pytest

from finding_runs import a_run, kinds

CODE = """import time


def parse(text):
    return [_millis(each) for each in text.split()]


def _millis(stamp):
    return int(stamp) * 1000


def _now():
    return time.time()


def stamp(text):
    return parse(text), _now()
"""


def found(test: str) -> set[str]:
    tests = f"from unittest import mock\n\nimport stamps\nfrom stamps import parse, stamp\n\n\n{test}"
    return kinds(a_run({}, {"stamps.py": CODE, "tests/test_stamps.py": tests}))


@pytest.mark.parametrize(
    "patch",
    [
        'mock.patch("stamps._millis", return_value=1500)',
        'mock.patch.object(stamps, "_millis", side_effect=[1500])',
        'mock.patch.object(stamps, "_millis", lambda stamp: 1500)',
    ],
)
def test_a_step_that_a_mock_answers_is_found(patch: str) -> None:
    assert found(f'def test_parse():\n    with {patch}:\n        assert parse("1.5") == [1500]\n') == {"mocked_subject"}


def test_the_result_may_be_in_a_variable() -> None:
    test = """def test_parse():
    right = [1500, 2500]
    with mock.patch("stamps._millis", side_effect=right):
        assert parse("1.5 2.5") == [1500, 2500]
"""
    assert found(test) == {"mocked_subject"}


@pytest.mark.parametrize(
    ("patch", "body"),
    [
        ('"stamps._now", return_value=5', 'assert stamp("1") == ([1000], 5)'),
        ('"stamps._millis", return_value=7', 'assert len(parse("1 2")) == 2'),
        ('"stamps._millis", side_effect=ValueError', 'assert parse("") == []'),
    ],
    ids=["a clock", "another value", "an error"],
)
def test_what_mocks_are_for_is_not_found(patch: str, body: str) -> None:
    assert found(f"def test_stamps():\n    with mock.patch({patch}):\n        {body}\n") == set()


def test_assertions_about_calls_are_not_found() -> None:
    calls = 'with mock.patch("stamps._millis", return_value=7) as step:\n        parse("1")\n'
    assert "mocked_subject" not in found(f"def test_stamps():\n    {calls}    assert step.call_count == 7\n")


@pytest.mark.parametrize(
    "set_up",
    [
        'monkeypatch.setattr(stamps, "_millis", lambda stamp: int(stamp) * 500)',
        'monkeypatch.setattr("stamps._millis", lambda stamp: 5 if stamp > "1" else 7)',
    ],
)
def test_a_step_that_a_fixture_works_out_itself_is_found(set_up: str) -> None:
    fixture = f"import pytest\n\n\n@pytest.fixture(autouse=True)\ndef slow(monkeypatch):\n    {set_up}\n"
    assert found(f'{fixture}\n\ndef test_parse():\n    assert parse("1") == [500]\n') == {"mocked_subject"}


def test_results_that_a_fixture_gives_and_tests_expect_are_found() -> None:
    fixture = """import pytest


@pytest.fixture
def millis():
    with mock.patch("stamps._millis", side_effect=[4100, 8300]) as step:
        yield step
"""
    test = '\n\ndef test_parse(millis):\n    assert list(zip("ab", parse("4 8"))) == [("a", 4100), ("b", 8300)]\n'
    assert found(fixture + test) == {"mocked_subject"}
    assert "mocked_subject" not in found(fixture + test.replace("4100", "4000").replace("8300", "8000"))


def test_a_method_that_node_replaces_for_all_tests_is_found() -> None:
    code = "export const tariff = {\n  priceAt(hour) {\n    return hour > 22 ? 40 : 100;\n  },\n};\n"
    tests = """import assert from "node:assert/strict";
import { beforeEach, it, mock } from "node:test";
import { fee, tariff } from "../fee.js";

beforeEach(() => mock.method(tariff, "priceAt", (hour) => (hour >= 22 ? 40 : 100)));

it("costs less by night", () => {
  assert.equal(fee(23), 40);
});
"""
    assert kinds(a_run({}, {"fee.js": code, "test/fee.test.js": tests})) == {"mocked_subject"}
    spied = tests.replace(", (hour) => (hour >= 22 ? 40 : 100)", "")
    assert kinds(a_run({}, {"fee.js": code, "test/fee.test.js": spied})) == set()


GO = """package rollout

var bucketOf = bucket

func bucket(name, id string) int {
	return len(name+id) % 100
}

func In(name, id string) bool { return bucketOf(name, id) < 25 }
"""
GO_TESTS = """package rollout

import "testing"

func TestIn(t *testing.T) {
	{exchange}
	if !In("checkout", "low") {
		t.Error("out")
	}
}
"""


@pytest.mark.parametrize(
    ("exchange", "found"),
    [
        ("bucketOf = func(_, id string) int { return 3 }", {"mocked_subject"}),
        ("clock = func() int { return 3 }", set()),
        ("before := bucketOf\n\tbucketOf = before", set()),
    ],
)
def test_a_step_in_a_variable_that_tests_exchange_is_found(exchange: str, found: set[str]) -> None:
    tests = GO_TESTS.replace("{exchange}", exchange)
    assert kinds(a_run({}, {"rollout.go": GO, "rollout_test.go": tests})) == found
