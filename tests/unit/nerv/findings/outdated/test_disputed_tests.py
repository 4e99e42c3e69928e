"""Changed tests of which only a reader of the spec can tell whether they had to change."""

from __future__ import annotations

import pytest

from finding_runs import a_run, kinds, our_run, outdated
from nerv.verification.result import Verification

CODE = "def show(walk):\n    return f'Walk of {walk} km\\n'\n"
NEW_CODE = "def show(walk):\n    return f'Walk of {walk} km\\nClimb of 70 m\\n'\n"
OLD = "from trails import show\n\n\ndef test_show():\n    assert show(3) == 'Walk of 3 km\\n'\n"
LONGER = OLD.replace("3 km\\n", "3 km\\nClimb of 70 m\\n")
SPEC = "`show` prints the climb below the walk."


def disputes(after: str, spec: str = SPEC, path: str = "tests/test_trails.py") -> bool:
    before = {"trails.py": CODE, "tests/test_trails.py": OLD}
    tests = outdated(before, {"trails.py": NEW_CODE, path: after}, spec)
    assert not tests.includes("tests/test_trails.py::test_show")
    return tests.disputes("tests/test_trails.py::test_show")


@pytest.mark.parametrize(
    "after",
    [
        LONGER,
        LONGER.replace("    assert show(3)", "    walk = 3\n    assert show(walk)"),
        LONGER.replace("test_show", "test_walk_and_climb"),
        LONGER.replace("    assert", "    assert show(5) == 'Walk of 5 km\\nClimb of 70 m\\n'\n    assert"),
        LONGER.replace("    assert show(3)", "    for walk in (3, 4):\n        assert show(walk)"),
    ],
)
def test_a_changed_test_of_what_the_spec_names_is_disputed_if_it_is_as_strict(after: str) -> None:
    assert disputes(after)


@pytest.mark.parametrize(
    "after",
    [
        OLD,
        OLD.replace("show(3) == 'Walk of 3 km\\n'", "'Walk' in show(3)"),
        OLD.replace("show(3) ==", "show(3).strip() =="),
        OLD.replace("== 'Walk of 3 km\\n'", "is not None"),
        LONGER.replace("test_show", "test_walk_and_climb").replace("show(3)", "shown(5)"),
        "from trails import show\n",
    ],
)
def test_one_that_is_weaker_or_gone_is_not(after: str) -> None:
    assert not disputes(after)


@pytest.mark.parametrize(
    "spec",
    [
        "`hide` prints nothing.",
        f"{SPEC} Everything that works today keeps working.",
        f"{SPEC} The existing tests still pass.",
        f"{SPEC} This must be backwards compatible.",
        f"{SPEC} Change `test_climb`, which is out of date.",
    ],
)
def test_nor_is_a_test_of_something_else_or_one_that_must_not_change(spec: str) -> None:
    changed = {"tests/test_climb.py": "def test_climb():\n    assert 1 + 1 == 3\n"}
    before = {"trails.py": CODE, "tests/test_trails.py": OLD, **changed}
    tests = outdated(before, {"trails.py": NEW_CODE, "tests/test_trails.py": LONGER}, spec)
    assert not tests.disputes("tests/test_trails.py::test_show")


REFUSES = (
    "test('refuses', () => {\n  for (const bad of [%s]) assert.throws(() => read(`10 ${bad}`), /no width/);\n});\n"
)
ACCEPTS_ZERO = "A width of `0` is a ring that is missing, and no mistake (`src/rings.js`)."


@pytest.mark.parametrize(
    ("cases", "spec", "is_disputed"),
    [
        ("'-4', 'x'", ACCEPTS_ZERO, True),
        ("'-4', 'x'", "A ring may be missing (`src/rings.js`).", False),
        ("'0', 'x'", ACCEPTS_ZERO, False),
        ("'-4', 'x'", "A width of `0` is a ring that is missing, and no mistake.", False),
    ],
)
def test_a_case_may_go_whose_value_the_spec_has_with_the_file_that_the_run_changed(
    cases: str, spec: str, is_disputed: bool
) -> None:
    test = "import { read } from '../src/rings.js';\n" + REFUSES
    before = {
        "src/rings.js": "export function read(text) { return 1; }\n",
        "test/rings.test.js": test % "'0', '-4', 'x'",
    }
    after = {"src/rings.js": "export function read(text) { return 2; }\n", "test/rings.test.js": test % cases}
    assert outdated(before, after, spec).disputes("test/rings.test.js > refuses") == is_disputed


def test_a_test_of_a_function_that_uses_what_the_spec_names_is_disputed() -> None:
    code = (
        "def duration(m):\n    return f'{m // 60}:{m % 60:02}'\n\n\n"
        "def summary(m):\n    return f'Total {duration(m)}'\n"
    )
    tests = (
        "from report import duration, summary\n\n\n"
        "def test_duration():\n    assert duration(245) == '4:05'\n\n\n"
        "def test_summary():\n    assert summary(370) == 'Total 6:10'\n"
    )
    after = {
        "report.py": code.replace("{m // 60}:{m % 60:02}", "{m // 60} h {m % 60:02} min"),
        "tests/test_report.py": tests.replace("4:05", "4 h 05 min").replace("6:10", "6 h 10 min"),
    }
    before = {"report.py": code, "tests/test_report.py": tests}
    found = outdated(before, after, "`duration(245)` gives `4 h 05 min`.")
    assert found.disputes("tests/test_report.py::test_summary")
    assert not outdated(before, after, "`plan(text)` reads a programme.").disputes("tests/test_report.py::test_summary")


def test_a_case_that_is_gone_from_a_loop_is_lost() -> None:
    before = REFUSES % "'0', '-4', 'x'"
    for cases, may_be in (("'-4', 'x'", False), ("'0', '-4', 'x', 'y'", True)):
        after = REFUSES.replace("no width", "no good width") % cases
        found = outdated({"test/rings.test.js": before}, {"test/rings.test.js": after}, "`read` takes widths.")
        name = "test/rings.test.js > refuses"
        assert (found.includes(name) or found.disputes(name)) == may_be


def test_a_disputed_test_is_a_note_and_no_broken_test() -> None:
    name = "tests/test_trails.py::test_show"
    before, after = (
        {"trails.py": code, "tests/test_trails.py": test} for code, test in ((CODE, OLD), (NEW_CODE, LONGER))
    )
    verification = our_run(broken=[name], rewritten=[name])
    found = outdated(before, after, SPEC).excuse(verification)
    assert (found.broken, found.rewritten, found.disputed) == ((), (), (name,))
    assert found.vetoes == ()
    run = a_run(before, after, spec=SPEC)
    assert kinds(run, verification=found) == set()
    assert "rewritten_tests" in kinds(run, "note", found)
    assert outdated(before, after, "`hide` prints nothing.").excuse(verification) == verification


TABLE = """package sill

import "testing"

func TestFormatHeight(t *testing.T) {
	for metres, want := range map[float64]string{%s} {
		if got := FormatHeight(metres); got != want {
			t.Errorf("got %%q", got)
		}
	}
}
"""


@pytest.mark.parametrize(
    ("cases", "is_disputed"),
    [
        ('3.46: "3.4 m", 0.5: "0.5 m", -0.12: "-0.2 m"', True),
        ('3.46: "3.4 m"', False),
    ],
)
def test_a_table_of_cases_may_have_others_if_they_are_as_many(cases: str, is_disputed: bool) -> None:
    before = {"format_test.go": TABLE % '3.456: "3.46 m", 0.5: "0.50 m"'}
    tests = outdated(before, {"format_test.go": TABLE % cases}, "`FormatHeight` gives a single decimal.")
    assert tests.disputes("example.org/sill.TestFormatHeight") == is_disputed


@pytest.mark.parametrize("skip", ["{ skip: process.platform === 'linux' }, ", "{ todo: true }, "])
def test_one_that_is_skipped_now_is_not(skip: str) -> None:
    test = "test('reads', %s() => { assert.equal(read('10'), 10); });\n"
    before, after = {"test/read.test.js": test % ""}, {"test/read.test.js": test % skip}
    tests = outdated(before, after, "`read` takes widths.")
    assert not tests.disputes("test/read.test.js > reads", False)


NEAR = """#[test]
fn names() {
    assert!((0.562 - jaro_winkler("Nietzsche", "Sartre")).abs() < 0.001);
}
"""


@pytest.mark.parametrize(
    ("spec", "is_disputed"),
    [
        ("Limit the common prefix in Jaro-Winkler to 4 letters.", True),
        ("The prefix of a Jaro/Winkler distance is limited.", True),
        ("Limit the common prefix of Winkler and of Jaro to 4 letters.", False),
    ],
)
def test_a_spec_may_name_a_function_in_words(spec: str, is_disputed: bool) -> None:
    before = {"src/lib.rs": "pub fn jaro_winkler(a: &str, b: &str) -> f64 { 0.5 }\n", "tests/near.rs": NEAR}
    after = {
        "src/lib.rs": "pub fn jaro_winkler(a: &str, b: &str) -> f64 { 0.4 }\n",
        "tests/near.rs": NEAR.replace(
            'assert!((0.562 - jaro_winkler("Nietzsche", "Sartre")).abs() < 0.001)',
            'assert_delta!(0.452, jaro_winkler("Nietzsche", "Sartre"), 0.001)',
        ),
    }
    assert outdated(before, after, spec).disputes("tests/near::names") is is_disputed


@pytest.mark.parametrize(("now", "is_disputed"), [("add(1, 2)", True), ("add(3, 4)", False)])
def test_the_expected_value_may_stand_first(now: str, is_disputed: bool) -> None:
    old = "#[test]\nfn adds() {\n    assert_eq!(3, add(1, 2));\n}\n"
    before = {"src/lib.rs": "pub fn add(a: i64, b: i64) -> i64 { a + b }\n", "tests/add.rs": old}
    after = {
        "src/lib.rs": "pub fn add(a: i64, b: i64) -> i64 { a - b }\n",
        "tests/add.rs": old.replace("3, add(1, 2)", f"-1, {now}"),
    }
    assert outdated(before, after, "`add` subtracts.").disputes("tests/add::adds") is is_disputed


def test_tests_that_go_with_the_code_that_they_test_are_disputed() -> None:
    code, tests = "def safe_ref(target):\n    return target\n", "def test_ref():\n    assert safe_ref(1) == 1\n"
    before = {"src/saferef.py": code, "tests/test_saferef.py": tests, "src/signals.py": "import saferef\n"}
    after = {"src/signals.py": "import weakref\n"}
    name = "tests/test_saferef.py::test_ref"
    assert outdated(before, after, "Simplify how weak references are used.").disputes(name)
    assert not outdated(before, after, "Simplify. The existing tests still pass.").disputes(name)
    assert not outdated(before, after, "Make `safe_ref` faster.").disputes(name)
    assert not outdated(before, {**after, "src/saferef.py": code}, "Simplify the references.").disputes(name)


def test_tests_that_no_longer_build_are_disputed_if_the_run_may_change_what_there_is() -> None:
    name = "shop.TestPrice"
    verification = Verification(broken=(name,), rewritten=(name,), unbuilt=(name,))
    found = outdated({}, {}, "`Price` takes a rate.").excuse(verification)
    assert (found.broken, found.rewritten, found.disputed) == ((), (), (name,))
    for spec in ("`Price` takes a rate, and all that works keeps working.", "Change `TestRate`, which is out of date."):
        before = {"shop_test.go": "package shop\n\nfunc TestRate(t *testing.T) {\n\tt.Fatal(Rate())\n}\n"}
        after = {path: text.replace("Rate()", "Rate(2)") for path, text in before.items()}
        assert outdated(before, after, spec).excuse(verification) == verification
