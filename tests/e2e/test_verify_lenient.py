"""Verification of tests that accept too much, in Go: its functions refuse by an error, and end no other test."""

from __future__ import annotations

import shutil

import pytest

from forgetest import config
from nerv.inspection.broken_assertions import break_assertions
from nerv.inspection.disabled_code import disable_code, functions_in
from nerv.inspection.hollow_code import hollow_results, refuse_calls
from nerv.inspection.mutations import mutations
from nerv.inspection.skewed_code import skew_results
from nerv.inspection.undone_doubles import replaceable_names, undo_doubles
from nerv.verification.experiments import FunctionProbe
from verified_projects import verify_project

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.skipif(
        shutil.which("go", path=config.host_environment()["PATH"]) is None, reason="Go is not installed"
    ),
    pytest.mark.timeout(600),
]

CODE = "package half\n\nfunc Half(n int) (int, error) {\n\treturn n / 2, nil\n}\n"
CHECK = """package half

import "testing"

func check(t *testing.T, n, want int) {
	got, err := Half(n)
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Fatal(got)
	}
}

func TestSix(t *testing.T) { check(t, 6, 3) }
"""
RESULT = (
    'package half\n\nimport "errors"\n\nfunc Half(n int) (int, error) {\n'
    '\tif n%2 == 1 {\n\t\treturn 0, errors.New("odd")\n\t}\n\treturn n / 2, nil\n}\n\n'
    "func Halves(n int) []int {\n\treturn []int{n / 2, n - n/2}\n}\n"
)
NEW = 'package half\n\nimport "testing"\n\nfunc TestHalves(t *testing.T) {\n\tHalves(6)\n}\n'


def test_a_helper_that_became_patient_and_a_result_that_nobody_looks_at_are_found(tmp_path):
    probe = FunctionProbe(
        disable=disable_code,
        locate=functions_in,
        names=frozenset({"Half", "Halves"}),
        refuse=refuse_calls,
        hollow=hollow_results,
    )
    base = {"go.mod": "module half\n\ngo 1.20\n", "half.go": CODE, "half_test.go": CHECK}
    patient = CHECK.replace("t.Fatal(err)", "return")
    result = {"half.go": RESULT, "half_test.go": patient, "halves_test.go": NEW}
    found = verify_project(tmp_path, base, result, probe=probe)
    assert found.verified is True
    assert found.dulled == ("half.TestSix",)
    assert found.unmoved == ("half.TestHalves",)
    assert "Halves" in found.unheld


ROUNDED = (
    "package half\n\nfunc Half(n int) (int, error) {\n\treturn n / 2, nil\n}\n\n"
    "func Rounded(n int) int {\n\treturn limit(n/2, 9)\n}\n\n"
    "func limit(n, most int) int {\n\tif n > most {\n\t\treturn most\n\t}\n\treturn n\n}\n"
)
LOOKS = """package half

import "testing"

func TestRounded(t *testing.T) {
	if got := Rounded(6); got < 1 {
		t.Fatal(got)
	}
}
"""
EXACT = LOOKS.replace("got < 1", "got != 3")


@pytest.mark.parametrize(("tests", "unseen"), [(LOOKS, ("Rounded",)), (EXACT, ())])
def test_a_function_whose_value_nobody_compares_is_found(tmp_path, tests, unseen):
    probe = FunctionProbe(
        disable=disable_code, locate=functions_in, names=frozenset({"Rounded"}), refuse=refuse_calls, skew=skew_results
    )
    base = {"go.mod": "module half\n\ngo 1.20\n", "half.go": CODE, "half_test.go": CHECK}
    found = verify_project(tmp_path, base, {"half.go": ROUNDED, "rounded_test.go": tests}, probe=probe)
    assert (found.verified, found.unheld, found.unseen) == (True, (), unseen)


LOOPS = """package half

import "testing"

func TestRounded(t *testing.T) {
	for n := 9; n < Rounded(6); n++ {
		if n != 3 {
			t.Error(n)
		}
	}
}
"""


@pytest.mark.parametrize(("tests", "silent"), [(LOOPS, ("half.TestRounded",)), (EXACT, ())])
def test_a_test_that_never_comes_to_compare_is_found(tmp_path, tests, silent):
    probe = FunctionProbe(disable=disable_code, locate=functions_in, break_assertions=break_assertions)
    base = {"go.mod": "module half\n\ngo 1.20\n", "half.go": CODE, "half_test.go": CHECK}
    found = verify_project(tmp_path, base, {"half.go": ROUNDED, "rounded_test.go": tests}, probe=probe)
    assert (found.verified, found.silent) == (True, silent)


SEAM = ROUNDED.replace("return limit(n/2, 9)", "return cap(n/2, 9)") + "var cap = limit\n"
SEAM_TEST = """package half

import "testing"

func TestRounded(t *testing.T) {
	cap = func(n, most int) int { return 10 }
	if got := Rounded(6); got != 10 {
		t.Error(got)
	}
}
"""


@pytest.mark.parametrize(("tests", "doubled"), [(SEAM_TEST, ("half.TestRounded",)), (SEAM_TEST.replace("10", "3"), ())])
def test_a_test_that_holds_of_a_double_is_found(tmp_path, tests, doubled):
    probe = FunctionProbe(
        disable=disable_code, locate=functions_in, undo_doubles=undo_doubles, replaceable_names=replaceable_names
    )
    base = {"go.mod": "module half\n\ngo 1.20\n", "half.go": CODE, "half_test.go": CHECK}
    found = verify_project(tmp_path, base, {"half.go": SEAM, "rounded_test.go": tests}, probe=probe)
    assert (found.verified, found.doubled) == (True, doubled)


PYTHON = "def total(prices):\n    return add_up(prices)\n\n\ndef add_up(prices):\n    return sum(prices)\n"
OWN = "import shop\n\n\ndef add_up(prices):\n    return 7\n\n\nshop.add_up = add_up\n\n\n"
TEST_TOTAL = "def test_total():\n    assert shop.total([3, 4]) == 7\n"


@pytest.mark.parametrize(("head", "replaced"), [(OWN, ("add_up",)), ("import shop\n\n\n", ())])
def test_a_function_that_the_tests_have_of_their_own_is_found(tmp_path, head, replaced):
    probe = FunctionProbe(disable=disable_code, locate=functions_in, names=frozenset({"total"}), refuse=refuse_calls)
    base = {"pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n', "shop.py": "", "test_old.py": ""}
    found = verify_project(tmp_path, base, {"shop.py": PYTHON, "test_shop.py": head + TEST_TOTAL}, probe=probe)
    assert (found.verified, found.replaced) == (True, replaced)


PRICES = "def price(pages):\n    if pages > 10:\n        return pages * 4\n    return pages * 5\n"
OLD_PRICE = "from prices import price\n\n\ndef test_ten_pages():\n    assert price(10) == 50\n"
CHEAPER = PRICES.replace("> 10", ">= 10") + "\n\ndef total(jobs):\n    return sum(price(pages) for pages in jobs)\n"
TOTAL = "from prices import price, total\n\n\ndef test_total():\n    assert total([1, 20]) == 85\n"
NEEDED = TOTAL.replace("total([1, 20]) == 85", "total([1, 10]) == 45")


@pytest.mark.parametrize(("tests", "is_needed"), [(TOTAL, False), (NEEDED, True)])
def test_a_deleted_test_is_in_doubt_only_if_new_tests_need_what_breaks_it(tmp_path, tests, is_needed):
    base = {"conftest.py": "", "prices.py": PRICES, "test_prices.py": OLD_PRICE}
    found = verify_project(
        tmp_path,
        base,
        {"prices.py": CHEAPER, "test_prices.py": tests},
        is_disputed=lambda _name, is_restorable: is_restorable is False,
    )
    name = "test_prices.py::test_ten_pages"
    assert found.broken == (name,)
    assert found.is_restorable(name) == (not is_needed)
    restorations = [(each.test, each.path, each.line) for each in found.restorable]
    assert restorations == ([] if is_needed else [(name, "prices.py", 2)])


def test_no_part_of_the_change_is_taken_back_where_it_decides_nothing_or_changes_are_not_wanted(tmp_path):
    base = {"conftest.py": "", "prices.py": PRICES, "test_prices.py": OLD_PRICE}
    result = {"prices.py": CHEAPER, "test_prices.py": TOTAL}
    in_doubt = {
        "never": {},
        "always": {"is_disputed": lambda _name, _is_restorable: True},
        "unasked": {"is_disputed": lambda _name, is_restorable: is_restorable is False, "mutants": 0},
    }
    for case, options in in_doubt.items():
        found = verify_project(tmp_path / case, base, result, **options)
        assert (len(found.broken), found.restorable, found.entangled) == (1, (), ())


def test_a_disputed_test_of_one_project_does_not_end_the_experiments_with_another(tmp_path):
    module = {"go.mod": "module half\n\ngo 1.20\n", "half.go": CODE, "half_test.go": CHECK}
    base = {f"{folder}/{path}": text for folder in ("one", "two") for path, text in module.items()}
    result = {
        "one/half.go": CODE.replace("n / 2", "(n + 2) / 2"),
        "one/half_test.go": CHECK.replace("6, 3", "6, 4"),
        "two/half.go": ROUNDED,
        "two/rounded_test.go": EXACT,
    }
    found = verify_project(tmp_path, base, result, is_disputed=lambda *_: True, mutate=mutations)
    assert found.broken == ("one: half.TestSix",)
    assert {mutant.path.partition("/")[0] for mutant in found.mutants} == {"one", "two"}
