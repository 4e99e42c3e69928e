"""Old tests that had to change with what the spec asks for."""

from __future__ import annotations

import pytest

from finding_runs import outdated

CODE = "def show(walk):\n    return 'Walk of 3 km\\n'\n"
OLD = "from trails import show\n\n\ndef test_show():\n    assert show(3) == 'Walk of 3 km\\n'\n"
LONGER = "from trails import show\n\n\ndef test_show():\n    assert show(3) == 'Walk of 3 km\\nClimb of 70 m\\n'\n"
ELSEWHERE = "from trails import show\n\n\ndef test_climb():\n    assert show(5) == 'Walk of 5 km\\nClimb of 90 m\\n'\n"
OTHER = "from trails import show\n\n\ndef test_show():\n    assert show(3) == 'Way of 3 km\\nClimb of 70 m\\n'\n"
WEAKER = "from trails import show\n\n\ndef test_show():\n    assert 'Walk' in show(3)\n"
ADDS = "`show` prints what it prints now, and then a line with the climb."


@pytest.mark.parametrize(
    ("after", "spec", "is_outdated"),
    [
        ({"tests/test_trails.py": LONGER}, ADDS, True),
        ({"tests/test_climb.py": ELSEWHERE}, ADDS, True),
        ({"tests/test_trails.py": LONGER}, "Rename the module; nobody should notice.", False),
        ({"tests/test_trails.py": OTHER}, ADDS, False),
        ({"tests/test_trails.py": WEAKER}, ADDS, False),
        ({}, ADDS, False),
    ],
)
def test_a_test_of_a_whole_output_is_outdated_once_the_spec_adds_to_it(after, spec, is_outdated):
    found = outdated({"trails.py": CODE, "tests/test_trails.py": OLD}, {"trails.py": CODE, **after}, spec)
    assert found.includes("tests/test_trails.py::test_show") == is_outdated


PLAN = """use hall::Hall;

#[test]
fn draws_a_plan() {
    assert_eq!(Hall::new(&[3]).plan(), "A ...");
}
"""


def test_a_form_that_loses_a_part_of_the_value_is_no_adapted_test() -> None:
    spec = "`Hall::new` takes a name, and `plan()` shows aisles."
    adapted = PLAN.replace("Hall::new(&[3])", 'Hall::new("Main", &[3])')
    assert outdated({"tests/plan.rs": PLAN}, {"tests/plan.rs": adapted}, spec).includes("tests/plan::draws_a_plan")
    trimmed = PLAN.replace(".plan()", ".plan().trim_end()")
    assert not outdated({"tests/plan.rs": PLAN}, {"tests/plan.rs": trimmed}, spec).includes("tests/plan::draws_a_plan")


DAYS = """package rota

func TestDays(t *testing.T) {
	got := Plan(2)
	if want := "24 00:00, 25 00:00"; got != want {
		t.Errorf("got %s want %s", got, want)
	}
}
"""


def test_a_renamed_test_with_another_value_is_no_adapted_test() -> None:
    spec = "`Plan` knows weekends."
    other = DAYS.replace("25 00:00", "25 23:00").replace("TestDays", "TestHours")
    assert not outdated({"rota_test.go": DAYS}, {"rota_test.go": other}, spec).includes("rota.TestDays")


def test_a_case_that_the_spec_states_may_move_to_another_test() -> None:
    table = "import pytest\n\n\n@pytest.mark.parametrize('text', [%s])\ndef test_rejects(text):\n    refuses(text)\n"
    moved = "\n\ndef test_blanks():\n    assert parse('1h 30m') == 5400\n"
    before = {"test_a.py": table % "'h', '1h 30m', '5x'"}
    spec = "Accept blanks: `1h 30m`."
    after = {"test_a.py": table % "'h', '5x'" + moved}
    assert outdated(before, after, spec).includes("test_a.py::test_rejects[1h 30m]")
    assert not outdated(before, after, spec).includes("test_a.py::test_rejects[5x]")
    assert not outdated(before, {"test_a.py": table % "'h', '5x'"}, spec).includes("test_a.py::test_rejects[1h 30m]")


def test_a_test_that_sets_up_more_and_asserts_the_same_may_change() -> None:
    test = (
        "def test_comes_back():\n    q = Queue(%s)\n    q.push('a')\n    q.fail(q.pop())\n%s    assert q.pop() == %s\n"
    )
    before = {"test_q.py": test % ("", "", "'a'")}
    spec = "`Queue.fail(job)` puts a job back after a delay."
    after = {"test_q.py": test % ("clock=lambda: now[0]", "    now[0] = 2.0\n", "'a'")}
    assert outdated(before, after, spec).includes("test_q.py::test_comes_back")
    weaker = {"test_q.py": test % ("clock=lambda: now[0]", "    now[0] = 2.0\n", "None")}
    assert not outdated(before, weaker, spec).includes("test_q.py::test_comes_back")
    assert not outdated(before, after, "Prices are doubled.").includes("test_q.py::test_comes_back")


VERSIONS = """package semver

import "testing"

func TestParse(t *testing.T) {
\tif got := must(t, "1.2.3-rc.1"); got != (Version{1, 2, 3, "rc.1"%s}) {
\t\tt.Errorf("got %%v", got)
\t}
}

func TestErrors(t *testing.T) {
\tfor _, text := range []string{"", "1.2"%s} {
\t\tif _, err := Parse(text); err == nil {
\t\t\tt.Errorf("%%q", text)
\t\t}
\t}
}
"""


def test_an_empty_value_for_a_new_field_and_more_cases_beside_it_are_no_broken_tests() -> None:
    before = {"semver_test.go": VERSIONS % ("", "")}
    spec = "`Parse` keeps metadata in a new field `Build`."
    tests = outdated(before, {"semver_test.go": VERSIONS % (', ""', ', "1.2+"')}, spec)
    assert tests.includes("example.org/semver.TestParse")
    assert tests.includes("example.org/semver.TestErrors")
    tests = outdated(before, {"semver_test.go": VERSIONS % (', "x"', ', "1.2+"')}, spec)
    assert not tests.includes("example.org/semver.TestParse")
    assert not tests.includes("example.org/semver.TestErrors")


REFUSES = (
    "test('refuses', () => {\n  for (const bad of [%s]) assert.throws(() => parse(`10 ${bad}`), /no width/);\n});\n"
)
ACCEPTS_ZERO = "A width of `0` is a ring that is missing. The reader has to accept it from now on."


@pytest.mark.parametrize(
    ("cases", "spec", "is_outdated"),
    [
        ("'-4', 'x'", ACCEPTS_ZERO, True),
        ("'-4', 'x'", "A width of `0` is refused, as are negative ones. Reports also have a title.", False),
        ("'0', 'x'", ACCEPTS_ZERO, False),
        ("'-4', 'y'", ACCEPTS_ZERO, False),
    ],
)
def test_a_case_that_the_spec_calls_valid_now_may_go(cases, spec, is_outdated):
    before = {"test/rwl.test.js": REFUSES % "'0', '-4', 'x'"}
    tests = outdated(before, {"test/rwl.test.js": REFUSES % cases}, spec)
    assert tests.includes("test/rwl.test.js > refuses") == is_outdated


REPORT = """from report import duration, summary


def test_duration():
    assert duration(245) == "4:05"


def test_summary():
    assert summary([100]) == "1. 100 °C\\nTotal 6:10"
"""
DURATIONS = "- `duration(245)` gives `4 h 05 min` now."


@pytest.mark.parametrize(
    ("total", "spec", "is_outdated"),
    [
        ("Total 6 h 10 min", DURATIONS, True),
        ("Total 6 h 11 min", DURATIONS, False),
        ("Sum 6 h 10 min", DURATIONS, False),
        ("Total 6 h 10 min", "- `plan(text)` reads a programme.", False),
    ],
)
def test_a_value_may_be_written_as_the_spec_writes_another(total, spec, is_outdated):
    after = REPORT.replace("4:05", "4 h 05 min").replace("Total 6:10", total)
    tests = outdated({"tests/test_report.py": REPORT}, {"tests/test_report.py": after}, spec)
    assert tests.includes("tests/test_report.py::test_summary") == is_outdated
