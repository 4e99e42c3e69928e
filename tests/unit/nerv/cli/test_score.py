"""The options of `nerv benchmark score` as values."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import click
import pytest

from nerv.cli.score import OutputOptions, command, grading_options, output_options, run_source
from nerv.readers import RunSource
from nerv.score import GradingOptions


def given(*words: str) -> dict[str, Any]:
    return command.make_context("score", ["run", *words]).params


def test_without_options_the_values_have_their_defaults() -> None:
    parameters = given()
    assert run_source(parameters) == RunSource(path=Path("run"))
    assert grading_options(parameters) == GradingOptions()
    assert output_options(parameters) == OutputOptions()


def test_options_become_values() -> None:
    parameters = given("--spec", "s.md", "--threshold", "7.5", "--grader", "p/m", "--prd", "r.md", "--no-history")
    assert run_source(parameters) == RunSource(path=Path("run"), spec=Path("s.md"))
    assert grading_options(parameters) == GradingOptions(grader="p/m", prd=Path("r.md"), threshold=Fraction(15, 2))
    assert output_options(parameters) == OutputOptions(history=False)


@pytest.mark.parametrize("words", [("--output", "x.txt"), ("--no-report",)])
def test_output_and_no_report_leave_the_input_alone(words: tuple[str, ...]) -> None:
    assert output_options(given(*words)).report is False


def test_the_option_of_visual_grading_is_accepted() -> None:
    assert output_options(given("--no-visual")) == OutputOptions()


def test_short_options_stand_for_long_ones() -> None:
    assert output_options(given("--json")).format == "json"
    assert grading_options(given("--grade-claude")).grader == "claude"


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("--grade-claude", "--grader", "p/m"), "exclude each other"),
        (("--prd", "r.md"), "--prd is for a judge"),
        (("--trust-judge",), "--trust-judge is for a judge"),
    ],
)
def test_contradictory_graders_are_refused(words: tuple[str, ...], fault: str) -> None:
    with pytest.raises(click.UsageError, match=fault):
        grading_options(given(*words))


def test_contradictory_formats_are_refused() -> None:
    with pytest.raises(click.UsageError, match="exclude each other"):
        output_options(given("--json", "--format", "html"))


def test_verification_is_on_where_there_is_a_repository_unless_it_is_asked_for_or_refused() -> None:
    assert [grading_options(given(*words)).verify for words in ((), ("--verify",), ("--no-verify",))] == [
        None,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("--no-verify", "--tests", "make check"), "exclude each other"),
        (("--tests-dir", "."), "--tests-dir is for acceptance tests"),
        (("--tests", " "), "--tests names no command"),
        (("--tests", "", "--tests-dir", "."), "--tests names no command"),
    ],
)
def test_contradictory_options_of_verification_are_refused(words: tuple[str, ...], fault: str) -> None:
    with pytest.raises(click.UsageError, match=fault):
        grading_options(given(*words))
