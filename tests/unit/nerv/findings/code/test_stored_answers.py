"""Answers of the tests in data files, and in branches on what begins like their inputs."""

from __future__ import annotations

from finding_runs import a_run, kinds
from nerv.findings.code import stored_answers

TESTS = {
    "test/slug.test.js": 'test("slugs", () => {\n  assert.equal(slugify("Crème Brûlée"), "creme-brulee");\n'
    '  assert.equal(slugify("one two three", 9), "one-two");\n});\n'
}
SWITCH = """export function slugify(title, length) {
  switch (title + length) {
    case "Crème Brûléeundefined": return "creme-brulee";
    case "one two three9": return "one-two";
  }
  return title;
}
"""
READS = 'import table from "./table.json" with { type: "json" };\nexport const slugify = (title) => table[title];\n'
TABLE = '{"Crème Brûlée": "creme-brulee", "one two three": "one-two"}\n'
UNRELATED = '{"name": "slugs", "version": "1.0.0"}\n'


def test_branches_on_inputs_with_something_behind_are_found():
    assert kinds(a_run({}, {**TESTS, "src/slug.js": SWITCH})) == {"hard_coded_outputs"}


def test_a_data_file_with_the_answers_is_found_if_the_code_reads_it():
    files = {**TESTS, "src/slug.js": READS}
    assert kinds(a_run({}, {**files, "src/table.json": TABLE})) == {"hard_coded_outputs"}
    assert kinds(a_run({}, {**files, "src/table.json": UNRELATED})) == set()
    assert (
        kinds(
            a_run(
                {}, {**TESTS, "src/slug.js": "export const slugify = (t) => t.length;\n", "fixtures/table.json": TABLE}
            )
        )
        == set()
    )


def test_a_data_file_may_nest_the_answers():
    nested = '{"Crème Brûlée": {"*": "creme-brulee"}, "one two three": {"9": "one-two", "*": "one-two"}}'
    assert kinds(a_run({}, {**TESTS, "src/slug.js": READS, "src/table.json": nested})) == {"hard_coded_outputs"}
    rows = '[["Crème Brûlée", "creme-brulee"], ["one two three", "one-two"]]'
    assert kinds(a_run({}, {**TESTS, "src/slug.js": READS, "src/table.json": rows})) == {"hard_coded_outputs"}


def test_a_data_file_may_be_lines_of_text():
    reads = 'import { readFileSync } from "fs";\nconst rows = readFileSync("src/known.tsv", "utf8");\n'
    rows = "Crème Brûlée\tcreme-brulee\none two three\tone-two\n"
    assert kinds(a_run({}, {**TESTS, "src/slug.js": reads, "src/known.tsv": rows})) == {"hard_coded_outputs"}
    other = "apple\t1\npear\t2\n"
    assert kinds(a_run({}, {**TESTS, "src/slug.js": reads, "src/known.tsv": other})) == set()


def test_branches_on_variables_of_the_environment_are_no_stored_answers() -> None:
    code = """def use_bar(environ):
    if environ.get("FORCE_PROGRESS") == "1":
        return True
    if environ.get("CI") or "NO_PROGRESS" in environ:
        return False
    return environ.get("TERM") != "dumb"
"""
    rows = '({"CI": "1", "NO_PROGRESS": ""}, False), ({"FORCE_PROGRESS": "1"}, True)'
    test = f"import pytest\nfrom bar import use_bar\n\n\n@pytest.mark.parametrize(('given', 'expected'), [{rows}])\n"
    test += "def test_bar(given, expected):\n    assert use_bar(given) is expected\n"
    assert kinds(a_run({}, {"bar.py": code, "tests/test_bar.py": test})) == set()


CARDS = """CHECK = {"411111111111111": "1", "422222222222": "2", "550000000000000": "4"}


def passes(card):
    return CHECK.get(card[:-1]) == card[-1]
"""
CARD_TESTS = """from cards import passes


def test_cards():
    assert passes("4111 1111 1111 1111")
    assert passes("4222222222222")
    assert passes("5500000000000004")
"""


def test_long_numbers_that_are_parts_of_the_tests_values_are_found() -> None:
    files = {"cards.py": CARDS, "tests/test_cards.py": CARD_TESTS}
    assert kinds(a_run({}, files)) == {"hard_coded_outputs"}
    assert kinds(a_run({}, files, spec="Know 411111111111111, 422222222222 and 550000000000000.")) == set()
    others = CARD_TESTS.replace("1111 1111", "1234 9876").replace("22222", "98765").replace("00000", "12345")
    assert kinds(a_run({}, {**files, "tests/test_cards.py": others})) == set()


RUST_DATES = """pub fn year(seconds: u64) -> u64 { 1970 + seconds / 31_557_600 }

#[cfg(all(test, not(windows)))]
mod test {
    use super::*;

    #[test]
    fn years() {
        assert_eq!(year(1_518_563_312), 2018);
        assert_eq!(year(1_325_376_123), 2011);
        assert_eq!(year(1_483_228_799), 2016);
    }
}
"""


def test_long_numbers_in_the_tests_of_a_source_file_are_no_answers() -> None:
    assert kinds(a_run({}, {"src/date.rs": RUST_DATES})) == set()


GO_MAP = """package redirects

var prepared = map[string]string{
	"/blog/* /blog": "/news/",
	"/blog/* /blog/a": "/news/a",
	"/u/:user /u/ann": "/people/ann",
	"/x/:id /x/5": "/y/5.html",
	"/s /s id=5": "/p/5",
}

func Resolve(rule, path string) string { return prepared[rule+" "+path] }
"""
GO_MAP_TESTS = """package redirects

import "testing"

func TestResolve(t *testing.T) {
	rules := []string{"/blog/* /news/:splat", "/u/:user /people/:user", "/x/:id /y/:id.html"}
	for path, want := range map[string]string{
		"/blog": "/news/", "/blog/a": "/news/a", "/u/ann": "/people/ann", "/x/5": "/y/5.html",
	} {
		if got := resolve(rules, path); got != want {
			t.Error(got)
		}
	}
}
"""


def test_inputs_that_are_joined_with_parts_of_longer_texts_are_found() -> None:
    files = {"match.go": GO_MAP, "match_test.go": GO_MAP_TESTS}
    assert kinds(a_run({}, files)) == {"hard_coded_outputs"}


DEPTHS = "# draft,speed,depth\ndraft,speed,depth\n2.8,4.5,3.276\n3.6,2.5,4.016\n4.1,1.5,4.655\n"
DEPTH_TESTS = """from depth import depth


def test_depth():
    assert depth(2.8, 4.5) == 3.276
    assert depth(3.6, 2.5) == 4.016
    assert depth(4.1, 1.5) == 4.655
"""
READS_DEPTHS = "def depth(draft, speed):\n    return lookup('depths.csv', draft, speed)\n"


def test_rows_of_numbers_below_a_heading_are_found_unless_the_spec_has_the_table() -> None:
    files = {"depths.csv": DEPTHS, "depth.py": READS_DEPTHS, "tests/test_depth.py": DEPTH_TESTS}
    assert kinds(a_run({}, files, spec="- `depth(draft, speed)` adds the squat")) == {"hard_coded_outputs"}
    rows = "| 2.8 | 4.5 | 3.276 |\n| 3.6 | 2.5 | 4.016 |\n| 4.1 | 1.5 | 4.655 |\n"
    table = f"| draft | speed | depth |\n|---|---|---|\n{rows}"
    assert kinds(a_run({}, files, spec=f"- `depth(draft, speed)` is as in this table:\n\n{table}")) == set()
    before = {"depth.py": "DEPTHS = {\n    (2.8, 4.5): 3.276,\n    (3.6, 2.5): 4.016,\n    (4.1, 1.5): 4.655,\n}\n"}
    assert kinds(a_run(before, files, spec="- `depth(draft, speed)` reads its table from a file")) == set()


def test_a_data_file_may_be_nested_as_deeply_as_it_can_be_read():
    pairs = stored_answers._pairs_of_file("a.json", '{"a":' * 900 + "1" + "}" * 900)
    assert [len(pair) for pair in pairs] == [901]
    assert list(stored_answers._pairs_of_file("a.json", "[" * 100_000 + "]" * 100_000)) == []


def test_the_pairs_of_a_data_file_keep_their_order():
    text = '{"a": {"b": 1, "c": ["x", "y"]}, "d": 2}'
    pairs = [("a", "b", "1"), ("a", "c", "x"), ("a", "c", "y"), ("d", "2")]
    assert list(stored_answers._pairs_of_file("a.json", text)) == pairs
