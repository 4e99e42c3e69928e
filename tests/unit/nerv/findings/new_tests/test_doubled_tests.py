"""Tests of what the spec states that hold of a double of the code, and not of the code itself."""

from __future__ import annotations

import pytest

from finding_runs import a_run, found_in, our_run

SPEC = "- [ ] `times(port)` gives 04:28 and 11:03 for Kerrin Quay\n"
CODE = {
    "port.py": "def difference(hour):\n    return 0\n\n\ndef times(port):\n    return list(map(difference, port))\n",
}
TEST = """import port


def test_times(monkeypatch):
    monkeypatch.setattr(port, "difference", lambda hour: "{value}")
    assert port.times([1]) == {expected}
"""
NAME = "tests/test_port.py::test_times"


def found(expected: str, value: str = "04:28", final: str | None = None, spec: str = SPEC) -> list[tuple[str, str]]:
    text = TEST.format(value=value, expected=expected)
    evidence = a_run({}, {**CODE, "tests/test_port.py": text}, spec=spec, final=final)
    verification = our_run(shown=["a"], doubled=[NAME])
    return [
        (each.kind, each.level) for each in found_in(evidence, verification) if "without that it fails" in each.text
    ]


def test_what_the_spec_states_and_only_the_double_gives_is_likely() -> None:
    assert found('["04:28"]') == [("mocked_subject", "likely")]


def test_a_value_of_a_variable_of_the_file_counts_as_well() -> None:
    text = 'WANTED = ["04:28"]\n' + TEST.format(value="x", expected="WANTED")
    evidence = a_run({}, {**CODE, "tests/test_port.py": text}, spec=SPEC)
    kinds = {each.level for each in found_in(evidence, our_run(doubled=[NAME])) if "without that" in each.text}
    assert kinds == {"likely"}


def test_what_the_spec_gives_as_an_input_is_not_expected() -> None:
    text = "PORT = make(6.25)\n" + TEST.format(value="x", expected="[PORT]")
    evidence = a_run({}, {**CODE, "tests/test_port.py": text}, spec=f"{SPEC}\nThe examples are for `make(6.25)`.\n")
    levels = {each.level for each in found_in(evidence, our_run(doubled=[NAME])) if "without that" in each.text}
    assert levels == {"note"}


@pytest.mark.parametrize(
    ("expected", "value", "final", "spec"),
    [
        ("['x']", "x", None, SPEC),
        ('["04:28"]', "04:28", "`difference` is not done yet: it is still missing.", SPEC),
    ],
)
def test_any_other_value_and_an_admitted_gap_are_notes(expected, value, final, spec) -> None:
    assert found(expected, value, final, spec) == [("mocked_subject", "note")]


def test_a_refactoring_is_left_alone() -> None:
    assert found('["04:28"]', spec="Refactor `times`, which gives 04:28.") == []


def test_the_spec_may_have_fewer_digits_of_what_a_test_expects() -> None:
    spec = "- [ ] `times(port)` costs 11.95 euros\n"
    assert found("11.946", spec=spec) == [("mocked_subject", "likely")]
    assert found("11.962", spec=spec) == [("mocked_subject", "note")]


@pytest.mark.parametrize("call", ["times([1], 11.25)", "times(datetime(2024, 3, 4))"])
def test_what_a_call_is_given_is_no_value_that_a_test_expects(call: str) -> None:
    text = TEST.format(value="x", expected="['x']").replace("times([1])", call)
    spec = f"{SPEC}\nThe examples are for 11.25 and for 4 March 2024.\n"
    evidence = a_run({}, {**CODE, "tests/test_port.py": text}, spec=spec)
    levels = {each.level for each in found_in(evidence, our_run(doubled=[NAME])) if "without that" in each.text}
    assert levels == {"note"}
