"""Specs: what counts as an item."""

from __future__ import annotations

import pytest

from external_data import external, needs_external
from nerv.spec.markdown import parse, with_ticks_of


@needs_external("nerv_specs")
@pytest.mark.parametrize(
    ("name", "items", "cycles"),
    [
        ("api-dashboard", 11, {None}),
        ("auth-flow", 13, {None}),
        ("data-viz", 14, {None}),
        ("full-stack-task-manager", 31, {1, 2, 3, 4, 5, 6}),
        ("multi-page-app", 18, {None}),
        ("todo-app", 37, {1, 2, 3, 4}),
    ],
)
def test_the_example_specs_are_read_item_by_item(name, items, cycles):
    file = external("nerv_specs") / f"{name}.md"
    text = file.read_text(encoding="utf-8")
    spec = parse(text, file.name)
    assert len(spec.items) == items == text.count("- [ ] ")
    assert {item.cycle for item in spec.items} == cycles
    lines = text.splitlines()
    assert all(item.text in lines[item.location.line - 1] for item in spec.items)


def test_ticked_and_empty_checkboxes_are_distinguished():
    spec = parse("# X\n- [x] one thing\n- [ ] another thing\n", "spec.md")
    assert [(item.text, item.ticked) for item in spec.items] == [("one thing", True), ("another thing", False)]


def test_a_point_without_a_word_is_no_item():
    spec = parse("# X\n- [x] \n- [ ]\n- [ ] one thing\n- [ ]  \n  another thing\n", "spec.md")
    assert [(item.text, item.ticked) for item in spec.items] == [("one thing", False), ("another thing", False)]


def test_boxes_in_a_code_fence_are_not_items():
    spec = parse("- [ ] real\n```markdown\n- [ ] example\n```\n", "spec.md")
    assert [item.text for item in spec.items] == ["real"]


def test_numbered_criteria_are_items_if_there_are_no_boxes():
    criteria = "## Acceptance criteria\n\n1. The cart keeps its items\n2. Prices are in cents\n"
    text = f"# Shop\n\nSome words.\n\n{criteria}\n## Notes\n- be nice\n"
    spec = parse(text, "spec.md")
    assert [(item.kind, item.text) for item in spec.items] == [
        ("numbered", "The cart keeps its items"),
        ("numbered", "Prices are in cents"),
    ]
    assert spec.items[0].location.line == 7
    assert spec.items[0].section == "Acceptance criteria"


def test_points_about_scoring_are_not_items():
    spec = parse("## Features\n- Search\n\n## Scoring Criteria\n### Efficiency (Target: 7/10)\n- No loops\n", "spec.md")
    assert [item.text for item in spec.items] == ["Search"]


def test_sentences_of_prose_are_items():
    spec = parse("Please add a GitHub Action that runs the tests.\n\nIt should run on every push. Thanks", "prompt")
    assert [(item.kind, item.location.line) for item in spec.items] == [("sentence", 1), ("sentence", 3)]


def test_an_empty_spec_has_no_items():
    assert parse("", "spec.md").items == ()
    assert parse("\n\n   \n", "spec.md").items == ()


def test_ticks_of_the_runs_copy_are_matched_by_the_words_of_an_item():
    given = parse("- [ ] Add a README\n- [ ] Add tests\n", "specs/given.md")
    own = parse("# mine\n- [x] add a  README.\n", "spec.md")
    assert [item.ticked for item in with_ticks_of(given, own).items] == [True, False]


def test_a_point_goes_on_until_its_paragraph_ends():
    text = "1. Rows are sorted,\n   and equal ones\nkeep their order.\n2. Another\n\nNot part of it.\n"
    spec = parse(text, "spec.md")
    assert [item.text for item in spec.items] == ["Rows are sorted, and equal ones keep their order.", "Another"]
    assert [item.location.line for item in spec.items] == [1, 4]


def test_a_point_ends_before_its_own_points_and_before_code():
    text = "- [ ] colours\n  - [ ] red\n    or blue\n- [ ] shapes\n```\nround\n```\n"
    assert [item.text for item in parse(text, "spec.md").items] == ["colours", "red or blue", "shapes"]


def texts(text):
    return [item.text for item in parse(text, "spec.md").items]


def test_how_a_bug_shows_itself_is_no_item():
    text = (
        "# It rings twice\n\n**Version:** 0.4\n\n**Steps to reproduce**\n\n1. Add a bell.\n2. Wait for October.\n\n"
        "**Actual behaviour**\n\nThere are two bells.\n\n**What should happen**\n\nThere is one bell a day.\n"
    )
    assert texts(text) == ["There is one bell a day."]


def test_what_is_out_of_scope_is_no_item():
    assert texts("## Scope\n- Queues\n\n## Out of scope\n- Mails\n") == ["Queues"]
    assert texts("Readers can queue for a book.\n\nOut of scope: mails.\n") == ["Readers can queue for a book."]


def test_in_a_text_with_the_key_words_of_rfc_2119_the_sentences_that_have_them_are_items():
    head = '1.  Conventions\n\n   The key words "MUST" and "MAY" are used as in RFC 2119.\n\n2.  Encoding\n\n'
    rules = ["A sender MUST count octets.", "The number MUST NOT begin with 0.", "A payload MAY be empty."]
    assert texts(f"{head}   {' '.join(rules)}  This keeps it simple.\n") == rules


def test_a_numbered_line_above_a_paragraph_is_a_heading_and_a_short_point_is_a_point():
    assert texts("1. Encoding\n\n   Count the octets.\n") == ["Count the octets."]
    assert texts("1. Encoding\n2. Decoding\n") == ["Encoding", "Decoding"]
    assert texts("1. Count the octets.\n\n   All of them.\n") == ["Count the octets."]


def test_a_short_list_in_a_letter_is_not_all_that_it_asks_for() -> None:
    rules = "Books are lent for 28 days. Films are lent for a week. Nothing is due on a Sunday. "
    letter = f"Hello,\n\n{rules * 2}\n\nWe say no for a reason:\n\n- `film`: never\n- `late`: too late\n\nThanks!\n"
    assert len(parse(letter, "SPEC.md").items) > 2
    listed = "Please do this:\n\n- Books are lent for 28 days.\n- Films are lent for a week.\n"
    assert len(parse(listed, "SPEC.md").items) == 2


def test_a_short_list_in_a_letter_with_a_title_is_an_aside_and_one_under_headings_is_not() -> None:
    letter = "A meter may be replaced in the middle of a month, and starts at zero again then. " * 4
    text = f"# Months\n\n{letter}\n\n- power\n- water and gas\n\n{letter}"
    assert {item.kind for item in parse(text, "spec.md").items} == {"sentence"}
    assert [item.text for item in parse(f"{text}\n\n## Features\n\n- bills", "spec.md").items] == ["bills"]


def test_the_title_of_a_text_may_be_about_scoring() -> None:
    listed = (
        "# Scoring for bowling\n\n- [ ] count pins\n- [ ] add bonuses\n\n## Scoring\n\n- [ ] ten points for style\n"
    )
    assert [item.text for item in parse(listed, "SPEC.md").items] == ["count pins", "add bonuses"]
    prose = "# Scoring and beacon\n\nThe score is the number of pins. A spare counts ten more.\n"
    assert len(parse(prose, "SPEC.md").items) == 2
    assert parse("# Game\n\n# Scoring\n\nTen points for style.\n", "SPEC.md").items == ()
