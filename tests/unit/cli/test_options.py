"""The values of options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click
import pytest

from forgetest import plugins
from forgetest.cli.options import MOST_SAMPLES, read_formats, read_list, read_numbers

Value = TypeVar("Value")


def parse(read: Callable[..., Value], text: str | None) -> Value:
    return read(click.Context(click.Command("run")), click.Option(["--option"]), text)


def refusal(read: Callable[..., object], text: str) -> str:
    with pytest.raises(click.BadParameter) as refused:
        parse(read, text)
    return refused.value.message


@pytest.mark.parametrize(
    ("text", "values"),
    [("a", ("a",)), ("a,b", ("a", "b")), (" a , b ,", ("a", "b")), ("b,a,b", ("b", "a", "b")), (None, ())],
)
def test_a_list_is_separated_by_commas_and_keeps_its_order(text: str | None, values: tuple[str, ...]) -> None:
    assert parse(read_list, text) == values


@pytest.mark.parametrize("text", ["", " ", ",", " , ,"])
def test_an_empty_list_is_refused_because_it_is_not_the_same_as_no_option(text: str) -> None:
    assert refusal(read_list, text) == "names nothing; leave the option out, or give it a value"


def test_a_list_that_is_not_utf8_is_refused() -> None:
    assert refusal(read_list, "acme/\udcff") == "not UTF-8"


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("1", (1,)), ("1,5,10", (1, 5, 10)), ("10, 1,5,1", (1, 5, 10)), (str(MOST_SAMPLES), (MOST_SAMPLES,))],
)
def test_numbers_are_sorted_and_each_occurs_once(text: str, numbers: tuple[int, ...]) -> None:
    assert parse(read_numbers, text) == numbers


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("five", "'five' is not like 1,5,10"),
        ("1,,5", "'1,,5' is not like 1,5,10"),
        ("1.5", "'1.5' is not like 1,5,10"),
        ("", "'' is not like 1,5,10"),
        ("0,5", "k counts from 1"),
        ("-1", "k counts from 1"),
        (f"1,{MOST_SAMPLES + 1}", f"{MOST_SAMPLES + 1} samples per case are more than {MOST_SAMPLES}"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(text: str, message: str) -> None:
    assert refusal(read_numbers, text) == message


@pytest.mark.parametrize(
    ("text", "formats"),
    [("json", ("json",)), ("html", ("json", "html")), ("csv,html,json,csv", ("json", "csv", "html"))],
)
def test_json_is_always_the_first_of_the_formats_and_each_occurs_once(text: str, formats: tuple[str, ...]) -> None:
    assert parse(read_formats, text) == formats


def test_all_formats_are_those_that_are_installed() -> None:
    formats = parse(read_formats, "all")

    assert formats[0] == "json"
    assert sorted(formats) == plugins.names("renderers")


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    assert refusal(read_formats, "html,pdf") == f"pdf is none of {', '.join(plugins.names('renderers'))}, all"
