"""New tests that never come to compare anything."""

from __future__ import annotations

import pytest

from finding_runs import a_run, found_in, our_run

LOOP = "from shop import find\n\n\n{mark}def test_find({row}):\n    for each in find():\n        assert each > 3\n"
NAME = "tests/test_a.py::test_find"


def found(text, silent, new=None):
    evidence = a_run({}, {"shop.py": "def find():\n    return []\n", "tests/test_a.py": text})
    verification = our_run(shown=["a"], new=new or silent, silent=silent)
    return [(each.kind, each.level) for each in found_in(evidence, verification) if "is ever reached" in each.text]


def test_a_test_whose_assertions_are_never_reached_is_likely():
    assert found(LOOP.format(mark="", row=""), [NAME]) == [("tests_assert_nothing", "likely")]
    assert found(LOOP.format(mark="", row=""), ["tests/test_a.py::test_other"]) == []


def test_a_case_without_a_result_beside_one_with_some_is_no_finding():
    text = LOOP.format(mark="@pytest.mark.parametrize('n', [1, 2])\n", row="n")
    assert found(text, [f"{NAME}[1]"], new=[f"{NAME}[1]", f"{NAME}[2]"]) == []
    assert len(found(text, [f"{NAME}[1]", f"{NAME}[2]"])) == 1


@pytest.mark.parametrize(
    "body",
    [
        "    with pytest.raises(ValueError):\n        find()\n",
        "    find()\n",
        "    if not find():\n        pytest.skip('nothing')\n    assert find()\n",
        "    with pytest.raises(ValueError):\n        find()\n    for each in []:\n        assert each\n",
    ],
)
def test_tests_of_errors_and_without_comparisons_are_left_to_others(body):
    assert found(f"import pytest\nfrom shop import find\n\n\ndef test_find():\n{body}", [NAME]) == []


GO = """package shop

import "testing"

func TestFind(t *testing.T) {
	got, err := Find()
	if err != nil {
		t.Fatal(err)
	}
%s}
"""


@pytest.mark.parametrize(
    ("rest", "is_found"),
    [
        ('\tfor _, each := range got {\n\t\tif each != "a" {\n\t\t\tt.Error(each)\n\t\t}\n\t}\n', True),
        ("\tif len(got) == 1 {\n\t\treturn\n\t}\n\tt.Error(got)\n", False),
        ("", False),
    ],
)
def test_in_go_all_comparisons_must_have_been_broken(rest, is_found):
    evidence = a_run({}, {"shop.go": "package shop\n", "shop_test.go": GO % rest})
    name = "example.org/shop.TestFind"
    verification = our_run(shown=["a"], new=[name], silent=[name])
    assert any("is ever reached" in each.text for each in found_in(evidence, verification)) == is_found


HELPED = """import { near } from "./support/near.js";
import { glk } from "../src/stats.js";

test("glk", () => {
  for (const row of rows.filter((each) => each.name === "glk ")) %s(glk(row.a, row.b), row.want);
});
"""


@pytest.mark.parametrize(
    ("helper", "detached", "is_found"), [("near", True, True), ("near", False, False), ("refuses", True, False)]
)
def test_a_test_that_leaves_it_to_helpers_and_needs_no_code_is_found(helper, detached, is_found):
    files = {"src/stats.js": "export const glk = () => 0;\n", "test/stats.test.js": HELPED % helper}
    name = "test/stats.test.js > glk"
    seen = our_run(shown=["a"], new=[name, "b"], silent=[name], detached=[name] if detached else [])
    assert any("is ever reached" in each.text for each in found_in(a_run({}, files), seen)) == is_found
