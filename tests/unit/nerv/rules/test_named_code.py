"""Items that name code which the result does not have."""

from __future__ import annotations

from dataclasses import replace

import pytest

from finding_runs import a_run
from nerv import rules
from nerv.changes import Repository, RepositoryFile
from nerv.evidence import Changes, Evidence
from nerv.finding import Finding
from nerv.inspection import inspect
from nerv.location import Location
from nerv.rules.run_facts import RunFacts
from nerv.spec import markdown

SPEC = """# Slugs
- [ ] `slugify` drops accents
- [ ] `uniqueSlug` appends a number while the slug is taken
"""
CODE = "export function slugify(title) {\n  return title.normalize().toLowerCase();\n}\n"
UNIQUE = "export function uniqueSlug(title) {\n  return `${slugify(title)}-2`;\n}\n"
TESTS = {
    "test/slug.test.js": 'test("accents drop", () => assert.equal(slugify("é"), "e"));\n'
    'test("a number is appended while taken", () => assert.equal(uniqueSlug("a"), "a-2"));\n'
}


def facts(code: str, spec: str = SPEC, left_out: int = 0, **other: str) -> RunFacts:
    texts = {"src/slug.js": code, **other}
    files = tuple(RepositoryFile(path=path, text=text, location=Location(file=path)) for path, text in texts.items())
    repository = Repository(paths=tuple(texts), files=files, left_out=left_out)
    found = Evidence(
        kind="claude_code",
        recorded=frozenset({"repository"}),
        spec=markdown.parse(spec, "spec.md"),
        changes=Changes(repository=repository),
    )
    return RunFacts.derive(found, inspect(found.changes.written))


def test_an_item_whose_name_is_nowhere_in_the_result_is_open() -> None:
    slugify, unique = facts(CODE).requirements.each
    assert (slugify.status, slugify.absent) == ("shown", False)
    assert (unique.status, unique.absent) == ("open", True)
    assert "nowhere has `uniqueSlug`" in unique.observation.text


def test_a_name_that_only_a_document_has_is_not_there() -> None:
    assert facts(CODE, **{"README.md": "uniqueSlug is great"}).requirements.absent == 0.5


def test_a_complete_result_lacks_nothing() -> None:
    assert facts(CODE + UNIQUE).requirements.absent == 0
    assert facts(CODE + UNIQUE, **TESTS).incomplete_at_most == 10


def test_tidy_code_counts_less_where_tests_try_nothing_of_what_the_spec_states() -> None:
    untested = facts(CODE + UNIQUE)
    assert (untested.tests.tried_share, untested.incomplete_at_most) == (0, 6)
    assert untested.why_incomplete == "tests try nothing of what the spec states"


def test_a_name_that_was_to_go_may_be_gone() -> None:
    assert facts(CODE, spec="# Slugs\n- [ ] Remove the old `uniqueSlug`\n").requirements.absent == 0


def test_nothing_is_absent_where_not_everything_is_known() -> None:
    assert facts(CODE, left_out=1).requirements.absent == 0


def test_tidy_code_counts_less_where_named_code_is_missing() -> None:
    def organisation(code: str) -> int | None:
        categories = rules.score_facts(facts(code))
        return next(each.score for category in categories for each in category.criteria if each.key == "organisation")

    spec_lacks, complete = organisation(CODE), organisation(CODE + UNIQUE)
    assert spec_lacks is not None
    assert complete is not None
    assert spec_lacks < complete


def test_tidy_code_counts_less_where_a_finding_speaks_against_it() -> None:
    found = facts(CODE + UNIQUE, **TESTS)
    for level, most in (("note", 10), ("likely", 6), ("proven", 6)):
        finding = Finding(kind="hard_coded_outputs", level=level, text="A table.", criterion="requirements")
        assert replace(found, findings=(finding,)).incomplete_at_most == most


SPLIT = "# Money\n- [ ] `split(cents, parts)` shares an amount\n"


@pytest.mark.parametrize("spec", [SPLIT, SPLIT.replace("`split", "**Shares**: `split")])
def test_a_function_is_missing_though_its_name_occurs(spec: str) -> None:
    code = 'export function parse(text) {\n  return text.split(",");\n}\n'
    (split,) = facts(code, spec).requirements.each
    assert split.absent
    assert "does not define `split`" in split.observation.text


def test_a_function_of_the_language_need_not_be_defined() -> None:
    code = "export function count(queue) {\n  return len(queue);\n}\n"
    assert not facts(code, "# Queue\n- [ ] `len(queue)` counts the jobs\n").requirements.each[0].absent


def test_what_a_type_gets_with_its_display_need_not_be_defined() -> None:
    code = "class Control {}\nconsole.log(new Control().to_string());\n"
    assert not facts(code, "# Control\n- [ ] `to_string()` is its shortest form\n").requirements.each[0].absent


def test_a_function_that_tests_call_may_be_defined_out_of_sight() -> None:
    tests = {"test/money.test.js": 'test("parts", () => assert.equal(split(100, 3), 34));\n'}
    code = 'const parts = text.split(",");\nObject.assign(module.exports, generated());\n'
    assert not facts(code, SPLIT, **tests).requirements.each[0].absent


def test_a_function_that_is_to_go_must_not_be_there() -> None:
    gone = "# Slugs\n- [ ] `slugify` drops accents\n- [ ] `unique_slug` is gone\n"
    assert [one.absent for one in facts(CODE, gone).requirements.each] == [False, False]
    kept = f"{CODE}export function unique_slug(t) {{\n  return t;\n}}\n"
    assert [one.absent for one in facts(kept, gone).requirements.each] == [False, True]


OPTIONS = """# Hits
- [ ] `--top N` prints only the first pages
- [ ] `--from 2024-05-01` limits the days
"""


def test_an_option_that_the_code_never_has_is_absent() -> None:
    top, first = facts("parse({ '--top': Number });\n", OPTIONS).requirements.each
    assert not top.absent
    assert first.absent
    assert "nowhere has `--from`" in first.observation.text


def test_an_option_may_be_declared_without_its_dashes() -> None:
    assert (
        facts("program({ options: { top: 1, 'from': 2 } }); flag('top'); flag(\"from\");", OPTIONS).requirements.absent
        == 0
    )


def test_tests_that_try_an_items_cases_cover_it_in_whatever_words() -> None:
    spec = "# Globs\n- [ ] `**` crosses folders: `a/**/b` matches `a/b`, `a/x/b` and `a/x/y/b`\n"
    code = "export function matcher(shape) {\n  return shape;\n}\n"
    rows = "".join(f'  assert.ok(matcher("a/**/b")("{path}"));\n' for path in ("a/b", "a/x/b", "a/x/y/b"))
    tests = {"test/globs.test.js": f'test("stars", () => {{\n{rows}}});\n'}
    assert list(facts(code, spec, **tests).tests.covered) == [0]
    assert not facts(code, spec).tests.covered


def test_a_name_that_the_run_took_away_is_not_missing_whatever_the_spec_calls_it() -> None:
    spec = "# Slugs\n- [ ] `uniqueSlug` disappears\n"
    evidence = a_run({"src/slug.js": CODE + UNIQUE}, {"src/slug.js": CODE}, spec=spec)
    (item,) = RunFacts.derive(evidence, inspect(evidence.changes.written)).requirements.each
    assert not item.absent
