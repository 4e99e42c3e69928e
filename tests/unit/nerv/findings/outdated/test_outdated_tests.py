"""Tests of the base that cannot pass on what the spec asks for: which those are, by the code of both sides."""

from __future__ import annotations

import pytest

from finding_runs import a_run, kinds, our_run, outdated

XML = {
    "export/xml_writer.py": "def write(rows):\n    return '<rows>'\n",
    "export/csv_writer.py": "def write(rows):\n    return ','.join(rows)\n",
}
XML_TESTS = {
    "tests/test_xml.py": "from export import export\n\n\ndef test_rows():\n    assert export([1], 'xml') == '<rows>'\n",
    "tests/test_csv.py": "from export import export\n\n\ndef test_commas():\n    assert export([1], 'csv') == '1,'\n",
}
WITHOUT_XML = {"export/csv_writer.py": XML["export/csv_writer.py"]}


def test_a_test_of_a_format_that_the_spec_retires_is_outdated_and_no_other() -> None:
    for words in ("Get rid of the XML writer, and of what tests it.", "## Retire\n\n- XML\n", "XML disappears in 5.0."):
        tests = outdated(XML | XML_TESTS, WITHOUT_XML, words)
        assert tests.includes("tests/test_xml.py::test_rows"), words
        assert not tests.includes("tests/test_csv.py::test_commas"), words


def test_a_name_that_is_gone_without_a_word_of_the_spec_outdates_nothing() -> None:
    for words in ("Make the writers faster.", "XML is escaped.", "`remove` takes a row out."):
        assert not outdated(XML | XML_TESTS, WITHOUT_XML, words).includes("tests/test_xml.py::test_rows"), words


def test_a_name_that_the_code_still_has_outdates_nothing() -> None:
    without_test = {path: text for path, text in (XML | XML_TESTS).items() if path != "tests/test_xml.py"}
    tests = outdated(XML | XML_TESTS, without_test, "Remove blanks from XML.")
    assert not tests.includes("tests/test_xml.py::test_rows")


def test_the_deleted_tests_of_what_the_spec_retires_are_no_finding_and_those_of_the_rest_are() -> None:
    spec = "Get rid of the XML writer."
    only_xml = WITHOUT_XML | {"tests/test_csv.py": XML_TESTS["tests/test_csv.py"]}
    assert kinds(a_run(XML | XML_TESTS, only_xml, spec=spec)) == set()
    broken = our_run(broken=["tests/test_csv.py::test_commas"])
    assert "deleted_tests" in kinds(a_run(XML | XML_TESTS, WITHOUT_XML, spec=spec), "proven", broken)


GO = """package kv

import "testing"

func TestFetch(t *testing.T) {
	if got := Fetch("a"); got != "1" {
		t.Fatal(got)
	}
}

func TestLen(t *testing.T) {
	if Len() != 0 {
		t.Fatal("not empty")
	}
}
"""


def test_a_rename_outdates_every_test_of_a_compiled_package_that_is_left_as_it_was() -> None:
    before = {"kv.go": "package kv\n\nfunc Fetch(key string) string { return key }\n", "kv_test.go": GO}
    after = {path: text.replace("Fetch", "Get") for path, text in before.items()}
    tests = outdated(before, after, "`Fetch` becomes `Get`.")
    assert tests.includes("TestFetch")
    assert tests.includes("TestLen")


RUST = """pub fn convert(value: f64) -> f64 { value * 1000.0 }

#[cfg(test)]
mod tests {
    #[test]
    fn metres() { assert_eq!(super::convert(2.0), 2000.0); }
}
"""


def test_a_test_that_keeps_its_values_in_a_form_that_the_spec_asks_for_is_outdated() -> None:
    wrapped = RUST.replace("-> f64 { value * 1000.0 }", "-> Result<f64, Bad> { Ok(value * 1000.0) }")
    spec = "`convert` returns a `Result` and never panics."
    kept = wrapped.replace("2000.0);", "Ok(2000.0));")
    assert outdated({"src/lib.rs": RUST}, {"src/lib.rs": kept}, spec).includes("src/lib::tests::metres")
    other = wrapped.replace("2000.0);", "Ok(7.0));")
    assert not outdated({"src/lib.rs": RUST}, {"src/lib.rs": other}, spec).includes("src/lib::tests::metres")
    weaker = wrapped.replace(
        "assert_eq!(super::convert(2.0), 2000.0)", "assert!(super::convert(2.0).is_ok() /* 2000.0 */)"
    )
    assert not outdated({"src/lib.rs": RUST}, {"src/lib.rs": weaker}, spec).includes("src/lib::tests::metres")


def test_a_test_that_the_spec_calls_wrong_may_expect_something_else_and_may_not_be_weaker() -> None:
    def csv(expected: str) -> dict[str, str]:
        return {"tests/test_csv.py": f"from shop import csv\n\n\ndef test_ends():\n    assert csv(1) {expected}\n"}

    spec = "Rows end with a line feed; the test that insists on a carriage return is wrong."
    assert outdated(csv("== '1\\r'"), csv("== '1'"), spec).includes("tests/test_csv.py::test_ends")
    assert not outdated(csv("== '1\\r'"), csv("is not None"), spec).includes("tests/test_csv.py::test_ends")
    assert not outdated(csv("== '1\\r'"), csv("== '1'"), "Rows end with a line feed.").includes(
        "tests/test_csv.py::test_ends"
    )


GOLDEN = (
    "from pathlib import Path\n\n\ndef test_golden():\n    assert render() == Path('tests/golden/a.txt').read_text()\n"
)


def test_golden_files_that_the_spec_orders_to_be_written_again_outdate_the_tests_that_read_them() -> None:
    before = {"tests/test_golden.py": GOLDEN, "tests/golden/a.txt": "Total: 1\n"}
    after = before | {"tests/golden/a.txt": "Total: 1.00\n"}
    name = "tests/test_golden.py::test_golden"
    assert outdated(before, after, "The golden files have to be regenerated.").includes(name)
    assert not outdated(before, after, "Amounts have two decimals.").includes(name)
    assert not outdated(before, after, "Do not update the golden files.").includes(name)
    assert not outdated(before, after | {"conftest.py": "x = 1\n"}, "Regenerate the golden files.").includes(name)
    tampered = after | {"tests/test_golden.py": GOLDEN.replace("==", "or")}
    assert not outdated(before, tampered, "Regenerate what is in tests/golden.").includes(name)


def test_a_test_that_is_deleted_beside_the_code_is_no_name_that_is_gone() -> None:
    spec = "`convert` becomes faster for metres."
    without = RUST.replace("    #[test]\n    fn metres() { assert_eq!(super::convert(2.0), 2000.0); }\n", "")
    assert without != RUST
    assert not outdated({"src/lib.rs": RUST}, {"src/lib.rs": without}, spec).includes("src/lib::tests::metres")


def test_a_test_that_stays_as_it_was_is_not_adapted() -> None:
    spec = "`convert` takes whole numbers, too."
    off = RUST.replace("    #[test]", '    #[cfg(feature = "slow")]\n    #[test]')
    assert not outdated({"src/lib.rs": RUST}, {"src/lib.rs": off}, spec).includes("src/lib::tests::metres")


def test_a_test_that_awaits_what_it_called_before_is_outdated_if_it_is_as_strict() -> None:
    def file(assertion: str) -> dict[str, str]:
        return {"test/load.test.js": f'test("unknown names", async () => {{\n  {assertion}\n}});\n'}

    spec = "`load(name)` is asynchronous and returns a promise."
    before = file('assert.throws(() => load("nope"));')
    rejects = file('await assert.rejects(load("nope"), { code: "ENOCONFIG" });')
    assert outdated(before, rejects, spec).includes("test/load.test.js > unknown names")
    assert kinds(a_run(before, rejects, spec=spec)) == set()
    nothing = file('assert.ok(load("nope"));')
    assert not outdated(before, nothing, spec).includes("test/load.test.js > unknown names")


TABLE = """package routes

func TestClean(t *testing.T) {
	for _, each := range []struct{ path, want string }{
		{"", "/"},
		{"/a/b/", "/a/b"},
	} {
		if got := Clean(each.path); got != each.want {
			t.Errorf("got %q", got)
		}
	}
}
"""


def test_a_row_that_becomes_an_example_of_the_spec_outdates_its_test_and_a_lost_row_does_not() -> None:
    spec = "Keep the slash at the end, so `/a/b/` stays `/a/b/`."
    kept = TABLE.replace('"/a/b"}', '"/a/b/"}')
    assert outdated({"routes_test.go": TABLE}, {"routes_test.go": kept}, spec).includes("routes.TestClean")
    shorter = kept.replace('\t\t{"", "/"},\n', "")
    assert not outdated({"routes_test.go": TABLE}, {"routes_test.go": shorter}, spec).includes("routes.TestClean")
    other = TABLE.replace('"/a/b"}', '"a/b"}')
    assert not outdated({"routes_test.go": TABLE}, {"routes_test.go": other}, spec).includes("routes.TestClean")


def test_a_test_that_is_still_there_is_adapted_by_itself_and_not_by_another_of_its_values() -> None:
    before = {"test/bus.test.js": 'test("once", () => {\n  assert.equal(bus.emit("paid"), 1);\n});\n'}
    off = before["test/bus.test.js"].replace('"once", ', '"once", { todo: "later" }, ')
    other = 'test("paid", async () => {\n  assert.equal(await bus.emit("paid"), 1);\n});\n'
    spec = "`emit` calls the listeners by priority."
    assert not outdated(before, {"test/bus.test.js": off, "test/b.test.js": other}, spec).includes("bus.test.js > once")


def test_a_test_that_the_spec_names_without_an_order_may_be_adapted_and_not_be_weaker() -> None:
    def bell(expected: str) -> dict[str, str]:
        return {
            "tests/test_bell.py": f"from bell import ring\n\n\ndef test_october():\n    assert ring(10) {expected}\n"
        }

    mind = "One bell a day. Mind that `test_october` nails down the bug."
    keep = "One bell a day. `test_october` must still pass."
    assert outdated(bell("== 2"), bell("== 1"), mind).includes("tests/test_bell.py::test_october")
    assert not outdated(bell("== 2"), bell("is not None"), mind).includes("tests/test_bell.py::test_october")
    for spec in (keep, "One bell a day."):
        assert not outdated(bell("== 2"), bell("== 1"), spec).includes("tests/test_bell.py::test_october"), spec


def test_a_changed_test_of_a_package_that_no_longer_builds_as_it_was_is_neither_broken_nor_fine() -> None:
    """Another test of the package uses a name that the spec takes away."""
    head = 'package frame\n\nimport "testing"\n'
    test = head + '\nfunc TestWire(t *testing.T) {{\n\tif Write("hi") != {} {{\n\t\tt.Fatal()\n\t}}\n}}\n'
    gone = "\nfunc TestNewline(t *testing.T) {\n\tif Check() != ErrNewline {\n\t\tt.Fatal()\n\t}\n}\n"
    before = {"frame.go": 'package frame\n\nvar ErrNewline = "newline"\n', "frame_test.go": test.format('"hi."') + gone}
    after = {"frame.go": 'package frame\n\nvar ErrLong = "long"\n', "frame_test.go": test.format('"2:hi,"')}
    tests = outdated(before, after, "That a newline is an error is withdrawn.")
    assert tests.cannot_tell("example.org/frame.TestWire")
    assert not tests.includes("example.org/frame.TestWire")
    broken = our_run(broken=["example.org/frame.TestWire"])
    assert tests.excuse(broken).superseded == ("example.org/frame.TestWire",)
    assert not outdated(before, after, "Count the octets.").cannot_tell("example.org/frame.TestWire")


def test_a_test_that_expects_a_value_of_the_spec_now_is_outdated_and_one_with_a_value_of_its_own_is_not() -> None:
    def invoice(expected: str) -> dict[str, str]:
        return {"tests/test_a.py": f"from a import total\n\n\ndef test_total():\n    assert total(3) == {expected}\n"}

    spec = "Totals include the tax: three pens cost 14.28."
    assert outdated(invoice("12.00"), invoice("14.28"), spec).includes("test_total")
    assert not outdated(invoice("12.00"), invoice("14.29"), spec).includes("test_total")
    assert not outdated(invoice("12"), invoice("3"), spec).includes("test_total")


KITTY = "export const part = (cents, people) => cents / people;\n"
KITTY_TESTS = """import test from "node:test";
import assert from "node:assert";
import { part } from "./kitty.js";

test("three people share ten euros", () => {
  assert.equal(part(1000, 3).toFixed(2), "333.33");
  assert.equal(part(-1000, 3).toFixed(2), "-333.33");
});

test("two people share", () => {
  assert.equal(part(1000, 2), 500);
});
"""


def test_the_test_that_a_spec_describes_may_change_and_no_other() -> None:
    spec = "No more thirds of a cent! (The test that expects 333.33 is to be changed.)"
    before = {"kitty.js": KITTY, "kitty.test.js": KITTY_TESTS}
    start = KITTY_TESTS.index("  assert.equal(part(1000, 3)")
    whole = "  assert.equal(part(1000, 3), 334);\n});\n"
    tests = KITTY_TESTS[:start] + whole + KITTY_TESTS[KITTY_TESTS.index('\ntest("two') :]
    after = {"kitty.js": KITTY.replace("cents / people", "Math.ceil(cents / people)"), "kitty.test.js": tests}
    assert outdated(before, after, spec).includes("kitty.test.js > three people share ten euros")
    both = outdated(before, after | {"kitty.test.js": tests.replace("500", "501")}, spec)
    assert both.includes("kitty.test.js > three people share ten euros")
    assert not both.includes("kitty.test.js > two people share")


LIMIT = """import pytest
from post import postage


def test_too_heavy():
    with pytest.raises(KeyError, match="weight"):
        postage(30_001, "home")
"""


@pytest.mark.parametrize(
    "spec",
    [
        "The limit is 31 500 g now. `test_too_heavy` still has the 30 000 g of last year; change that one.",
        "The carrier takes up to 31,500 g. Anything else raises `TooBig`.",
    ],
)
def test_values_and_names_that_the_spec_states_outdate_a_test(spec: str) -> None:
    changed = LIMIT.replace("30_001", "31_501").replace("KeyError", "TooBig" if "TooBig" in spec else "KeyError")
    assert outdated({"test_post.py": LIMIT}, {"test_post.py": changed}, spec).includes("test_too_heavy")


def test_a_value_that_the_spec_does_not_state_outdates_no_test() -> None:
    spec = "The carrier takes up to 31,500 g."
    changed = LIMIT.replace("30_001", "34_801")
    assert not outdated({"test_post.py": LIMIT}, {"test_post.py": changed}, spec).includes("test_too_heavy")
    kept = f"{spec} `test_too_heavy` must still pass."
    assert not outdated({"test_post.py": LIMIT}, {"test_post.py": changed}, kept).includes("test_too_heavy")


def test_a_short_value_is_stated_beside_the_name_of_what_returns_it() -> None:
    before, right, other = (f"from lib import f\n\n\ndef test_f():\n    assert f() == {value}\n" for value in (1, 2, 3))
    spec = "Let `f` return 2. There are 3 files."
    assert outdated({"test_lib.py": before}, {"test_lib.py": right}, spec).includes("test_f")
    assert not outdated({"test_lib.py": before}, {"test_lib.py": other}, spec).includes("test_f")


def test_what_the_sentence_before_an_order_names_may_go() -> None:
    code = {"shop.py": "def must_parse(text):\n    return int(text)\n\n\ndef parse(text):\n    return text or None\n"}
    tests = {
        "test_shop.py": "from shop import must_parse\n\n\ndef test_must_parse():\n    assert must_parse('1') == 1\n"
    }
    after = {"shop.py": "def parse(text):\n    return text or None\n"}
    spec = "`must_parse` has caused two failures. %s Add `less(a, b)`."
    assert outdated(code | tests, after, spec % "Remove it and its test.").includes("test_shop.py::test_must_parse")
    assert not outdated(code | tests, after, spec % "Look into it.").includes("test_shop.py::test_must_parse")


SPAN_TESTS = """use span::Span;

#[test]
fn parses() {
    assert_eq!(Span::parse("2d"), Some(Span(172_800)));
}

#[test]
fn prints() {
    assert_eq!(Span(60).to_string(), "1m");
}
"""


def test_an_untouched_test_that_is_compiled_with_an_outdated_one_is_a_bystander() -> None:
    before = {"src/lib.rs": "pub fn parse(text: &str) -> Option<Span> {\n    None\n}\n", "tests/span.rs": SPAN_TESTS}
    after = {
        "src/lib.rs": "pub fn parse(text: &str) -> Result<Span, ParseError> {\n    Err(ParseError)\n}\n",
        "tests/span.rs": SPAN_TESTS.replace("Some(Span(172_800))", "Ok(Span(172_800))"),
    }
    spec = "`Span::parse` should say what is wrong. Return `Result<Span, ParseError>`."
    assert outdated(before, after, spec).includes("tests/span::prints")
    assert not outdated(before, {**before, "src/lib.rs": after["src/lib.rs"]}, spec).includes("tests/span::prints")
