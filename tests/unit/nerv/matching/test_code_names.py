"""Names of code in a requirement."""

from __future__ import annotations

import pytest

from nerv.matching.code_names import called_in, names_of, names_to_create, plain_name, surely_code, words_of


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("`parse` raises ValueError for an empty text", ("parse", "ValueError")),
        ("`Crème` and `1h30m` and `d` are examples", ()),
        ("`store.read_all(path)` and `Cart::total` work", ("read_all", "total")),
        ("read_entries skips blank lines", ("read_entries",)),
        ("It runs on macOS, with JavaScript, behind `POST /notes` and `npm run build`", ()),
    ],
)
def test_names_are_told_from_words_and_examples(text: str, names: tuple[str, ...]) -> None:
    assert names_of(text) == names


def test_the_way_in_which_a_name_is_written_does_not_matter() -> None:
    assert plain_name("readEntries") in words_of(["def read_entries(text):"])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("the message has the path, `server.tls.ciphers`; last week `libz` cost us a day", ()),
        ("`order(graph)` returns a list, or raises `CycleError`", ("order", "CycleError")),
        ("`max_depth` and `redoLabel`", ("max_depth", "redoLabel")),
    ],
)
def test_a_plain_word_in_backticks_may_be_a_value(text: str, names: tuple[str, ...]) -> None:
    assert surely_code(text) == names


def test_a_name_is_asked_for_if_an_item_begins_with_it_calls_it_or_says_what_it_is():
    for text in (
        "`max_depth` limits it",
        "The `max_depth` limits it",
        "There is an option `max_depth`",
        "Call `max_depth(3)`",
        "Add `max_depth`",
        "It throws a `max_depth`",
    ):
        assert names_to_create(text) == ("max_depth",), text
    for text in ("Unlike `max_depth`, it is fast", "`a: max_depth`", "It reads `max_depth` from the file"):
        assert names_to_create(text) == (), text


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("`Flag.Percent` (an int): its share of the users", ("Percent",)),
        ("`(*Set).Explain(name string) Reason` tells why", ("Explain",)),
        ("The `Masker::counts` are a map", ("counts",)),
        ("`server.tls.ciphers` is a list of names", ()),
        ("As with `Number.isInteger`, only numbers count", ("isInteger",)),
        ("Rounds like `Math.round`", ()),
    ],
)
def test_a_member_with_which_an_item_begins_is_surely_code(text: str, names: tuple[str, ...]) -> None:
    assert surely_code(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("`await importDay(path)` reads one day, `total(rows) + tax(rows)` adds up", ("importDay", "total", "tax")),
        ("call open(path), or `store` alone, or `x (y)`", ()),
    ],
)
def test_calls_in_code_name_functions(text: str, names: tuple[str, ...]) -> None:
    assert called_in(text) == names
