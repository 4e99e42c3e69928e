from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from forgetest.errors import InvalidInput
from forgetest.evalset import Case, Expectations, built_in, load
from forgetest.evalset.inline import case_table, read_case
from forgetest.evalset.io_tests import CheckerProgram, DataFile, IoTest, IoTests


def test_a_case_survives_the_way_through_json() -> None:
    cases = [case for name in built_in() for eval_set in load(name) for case in eval_set.cases]
    assert [read_case(case_table(case), "here") for case in cases] == cases


def test_so_do_tests_by_input_and_output() -> None:
    tests = (IoTest(name="one", input="1 2", output="3"), IoTest(name="two", visible=True, input="2 2", output="4"))
    program = CheckerProgram(language="python", code="print()")
    call = IoTests(tests=(IoTest(name="a", input="[1, [2]]", output='{"x": null}'),), call="f")
    for io in (IoTests(tests=tests), IoTests(tests=tests, checker="program", checker_program=program), call):
        case = Case(id="a", name="a", prompt="a", language="python", io=io)
        assert read_case(case_table(case), "here") == case


def test_the_content_of_a_file_is_sent(tmp_path: Path) -> None:
    (tmp_path / "in").write_text("1 2")
    file = DataFile(name="in", sha256="", size=3, path=str(tmp_path / "in"))
    case = Case(id="a", name="a", prompt="a", language="python", io=IoTests(tests=(IoTest(name="t", input=file),)))

    [test] = case_table(case)["io"]["tests"]
    assert test["input"] == "1 2"


def test_what_grading_does_not_need_may_be_left_out() -> None:
    case = read_case({"expectations": {"test_file": "#[test] fn t() {}"}}, "case")
    assert (case.id, case.language) == ("inline", "rust")

    blank = replace(case, name="", prompt=" ")
    assert read_case(case_table(blank), "case") == replace(case, prompt="(none)")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"promt": "x"}, 'cases[3].case: promt: unknown key; did you mean "prompt"?'),
        ({"language": "cobol"}, 'cases[3].case: language: unknown language "cobol"'),
        ({"expectations": {"test_file": 5}}, "cases[3].case: expectations.test_file: must be a string"),
        ({"io": {"tests": [{"input_file": "x", "output": "y"}]}, "language": "python"}, "names no file: write input"),
        (
            {"language": "python", "io": {"tests": [{}], "checker": "program", "checker_program": {"file": "x"}}},
            "names no file: write code",
        ),
    ],
)
def test_every_mistake_is_named(table: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        read_case(table, "cases[3].case")
    assert message in str(raised.value)


def test_expectations_keep_their_names_in_files() -> None:
    case = Case(id="a", name="a", prompt="a", expectations=Expectations(test_file="x", max_lint_warnings=3))
    assert case_table(case)["expectations"]["max_clippy_warnings"] == 3
