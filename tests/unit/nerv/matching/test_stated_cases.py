"""Which pieces of an item tests try."""

from __future__ import annotations

from nerv.inspection.values import TestFunction
from nerv.location import Location
from nerv.matching.stated_cases import TriedCases, stated_cases, untried_text
from nerv.spec import SpecItem, markdown

ITEM = "`parse` raises ValueError for an empty text, an unknown unit, and a unit given twice"


def item(text: str = ITEM) -> SpecItem:
    return SpecItem(number=1, text=text, location=Location(file="SPEC.md", line=1), kind="checkbox")


def written(name: str, body: str) -> TestFunction:
    return TestFunction(name=name, location=Location(file="test_parse.py"), body=body, mentions=f"{name} {body}")


def untried(*tests: TestFunction, text: str = ITEM) -> list[str]:
    return [case.text for case in TriedCases.of(tests, {}).untried(item(text))]


def test_an_item_is_split_into_the_cases_that_it_states():
    assert [case.text for case in stated_cases(item())] == [
        "`parse`  raises ValueError",
        "an empty text",
        "an unknown unit",
        "a unit given twice",
    ]


def test_a_case_is_tried_by_its_words_or_by_a_value_that_it_needs():
    empty = written("test_bad", "with pytest . raises ( ValueError ) : parse ( '' )")
    assert untried(empty) == ["a unit given twice"]
    assert untried(empty, written("test_a_repeated_unit", "parse ( '1h1h' )")) == []


def test_a_test_of_another_function_tries_nothing():
    assert len(untried(written("test_twice_unknown_empty", "render ( '' )"))) == 4


def test_a_helper_in_the_same_file_may_make_the_call():
    test = written("empty_unknown_unit_given_twice_error", "check ( '' )")
    found = TriedCases.of([test], {"test_parse.py": "def check(text): return parse(text)"})
    assert found.untried(item()) == ()


def test_code_in_a_case_is_tried_where_a_test_has_it():
    text = "`slugify` cuts at `maxLength`"
    assert untried(written("test_short", "slugify ( 'a' , { maxLength : 3 } )"), text=text) == []
    assert untried(written("test_short", "slugify ( 'a' )"), text=text) == ["`slugify`  cuts at  `maxLength`"]


def test_untried_cases_are_told_in_words():
    cases = stated_cases(item())
    assert untried_text(cases) == "“`parse`  raises ValueError”, “an empty text”, “an unknown unit” and 1 more"


def test_an_option_is_tried_with_any_value():
    text = "`--since 2020-01-31` limits the days, `--all N` does not"
    test = written("test_since", "run ( '--since' , '1999-12-31' )")
    assert untried(test, text=text) == ["`--all N`  does not"]


def test_a_signature_is_tried_by_a_call():
    text = "`shelve(book: Book, copies) -> Shelf` puts it back, or fails with `ShelfError::Full`"
    assert untried(written("test_it", "shelve ( dune , 2 ) == Err ( Full )"), text=text) == []
    assert len(untried(written("test_it", "lend ( dune )"), text=text)) == 3


def test_each_of_two_negated_values_is_a_case():
    text = "`a.*` hears neither `a` nor `a.b.c`"
    assert untried(written("test_a", "hears ( 'a.*' , 'a' )"), text=text) == ["`a.b.c`"]


def test_of_a_renamed_function_the_new_name_is_the_subject() -> None:
    (item,) = markdown.parse("- `Kill` becomes `Delete` and reports whether the key existed\n", "spec.md").items
    text = 'func TestDelete(t *testing.T) { if !s.Delete("existed") { t.Fatal("reports the key") } }'
    assert TriedCases.of((), {}, [text]).untried(item) == ()
