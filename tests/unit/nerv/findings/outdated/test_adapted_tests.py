"""Old tests that had to change with what the spec asks for."""

from __future__ import annotations

from finding_runs import outdated

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
