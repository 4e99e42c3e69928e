"""Tests that bring the decisive code themselves."""

from __future__ import annotations

from finding_runs import a_run, found_in

SPEC = "- [ ] `findSwarms(readings)` returns the days on which the weight falls by more than 1.5 kg\n"
CODE = """
export function findSwarms(readings) { return []; }
export function report(readings, { find = findSwarms } = {}) {
  return find(readings).join(", ");
}
"""
HANDED_IN = """
import assert from "node:assert";
import { test } from "node:test";
import { report } from "../src/report.js";

test("reports swarms", () => {
  const find = () => ["2 May"];
  assert.equal(report([1, 2], { find }), "2 May");
});
"""


def found(files: dict[str, str], spec: str = SPEC) -> list[tuple[str, str]]:
    texts = ("hand in", "only a subclass", "instead of the code's")
    return [
        (each.kind, each.level)
        for each in found_in(a_run({}, files, spec=spec))
        if any(text in each.text for text in texts)
    ]


def test_a_function_that_tests_only_hand_in_is_likely():
    assert found({"src/report.js": CODE, "test/report.test.js": HANDED_IN}) == [("mocked_subject", "likely")]


def test_tests_that_also_call_the_function_may_hand_one_in():
    both = HANDED_IN + 'test("finds", () => assert.deepEqual(findSwarms([3, 1]), []));\n'
    assert found({"src/report.js": CODE, "test/report.test.js": both}) == []


def test_what_the_spec_does_not_name_may_be_handed_in():
    spec = "- [ ] a report names the days on which the weight falls by more than 1.5 kg\n"
    assert found({"src/report.js": CODE, "test/report.test.js": HANDED_IN}, spec) == []


def test_a_parameter_that_the_spec_names_is_there_to_hand_something_in():
    spec = f"{SPEC}- [ ] `report(readings, {{ find }})` takes another way to find them\n"
    assert found({"src/report.js": CODE, "test/report.test.js": HANDED_IN}, spec) == []


def test_what_was_there_before_may_be_replaced():
    before = {"src/report.js": CODE.replace("{ find = findSwarms } = {}", "")}
    after = {"src/report.js": CODE, "test/report.test.js": HANDED_IN}
    assert [each for each in found_in(a_run(before, after, spec=SPEC)) if "hand in" in each.text] == []


PARSER = "class Parser:\n    def parse(self, text):\n        return self.read_line(text)\n"
SUBCLASS = """
from parser import Parser


class LineParser(Parser):
    def read_line(self, text):
        return text.split()


def test_parse():
    assert LineParser().parse("a b") == ["a", "b"]
"""


def test_a_method_that_only_a_subclass_in_the_tests_has_is_likely():
    assert found({"parser.py": PARSER, "tests/test_parser.py": SUBCLASS}) == [("mocked_subject", "likely")]


def test_a_method_that_the_code_has_may_be_replaced_in_a_subclass():
    whole = f"{PARSER}\n    def read_line(self, text):\n        raise NotImplementedError\n"
    assert found({"parser.py": whole, "tests/test_parser.py": SUBCLASS}) == []


COPY = "def to_roman(n):\n    return {1: 'I', 4: 'IV'}[n]\n"
USES_COPY = (
    "from tests.romans import to_roman\n\n\ndef test_numbers():\n    assert [to_roman(1), to_roman(4)] == ['I', 'IV']\n"
)


def test_a_copy_in_a_helper_of_tests_is_likely():
    files = {
        "romans.py": "def to_roman(n):\n    return ''\n",
        "tests/romans.py": COPY,
        "tests/test_romans.py": USES_COPY,
    }
    spec = "- [ ] `to_roman(n)` writes a number as Romans did\n"
    assert found(files, spec) == [("copied_subject", "likely")]
    files["tests/romans.py"] = "import romans\n\n\ndef to_roman(n):\n    return romans.to_roman(n)\n"
    assert found(files, spec) == []


def test_code_with_the_name_of_a_helper_is_no_copy():
    files = {
        "romans.py": "def to_roman(n):\n    return ''\n",
        "tests/romans.py": COPY,
        "tests/test_romans.py": USES_COPY.replace("tests.romans", "romans"),
    }
    assert found(files, "- [ ] `to_roman(n)` writes a number as Romans did\n") == []


def test_javascript_imports_are_resolved_from_the_test_file():
    files = {
        "src/romans.js": "export function toRoman(n) { return ''; }\n",
        "test/romans.js": "export function toRoman(n) { return { 1: 'I', 4: 'IV' }[n]; }\n",
        "test/romans.test.js": "import { toRoman } from './romans.js';\n"
        "test('1', () => assert.equal(toRoman(1), 'I'));\n",
    }
    spec = "- [ ] `toRoman(n)` writes a number as Romans did\n"
    assert found(files, spec) == [("copied_subject", "likely")]
    files["test/romans.test.js"] = files["test/romans.test.js"].replace("./romans.js", "../src/romans.js")
    assert found(files, spec) == []
