"""Verification beyond the run's own tests: the spec's examples, and small changes that tests should notice."""

from __future__ import annotations

import json
import shutil

import pytest

from nerv.cli.main import run
from nerv.inspection.mutations import mutations
from nerv.spec import markdown
from nerv.spec.examples import Example, examples
from verified_projects import make_repository, verify_project

pytestmark = [
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.timeout(600),
]

SPEC = """# Grades

- [ ] `grade` gives letters: 95 is `A`, 60 is `F`
- [ ] `grade(101)` raises ValueError
- [ ] `mean([1, 2])` is 1.5
"""
BASE = {
    "pyproject.toml": '[project]\nname = "grades"\nversion = "1"\n',
    "grades.py": "def passed(points):\n    return points > 60\n",
    "tests/test_grades.py": (
        "import unittest\n\nfrom grades import passed\n\n\nclass Passed(unittest.TestCase):\n"
        "    def test_passed(self):\n        self.assertTrue(passed(61))\n"
    ),
}
RIGHT = """\
def passed(points):
    return points > 60


def grade(points):
    if points > 100:
        raise ValueError(points)
    return "A" if points >= 90 else "F"


def mean(numbers):
    return sum(numbers) / len(numbers)
"""
TESTS = """\
import unittest

from grades import grade, mean


class Grades(unittest.TestCase):
    def test_letters(self):
        self.assertEqual([grade(95), grade(90), grade(89)], ["A", "A", "F"])

    def test_too_many_points(self):
        self.assertEqual(grade(100), "A")
        self.assertRaises(ValueError, grade, 101)

    def test_mean(self):
        self.assertEqual(mean([3, 3]), 3)
"""
WEAK_TESTS = (
    "import unittest\n\nfrom grades import grade\n\n\nclass Grades(unittest.TestCase):\n"
    "    def test_grade(self):\n        self.assertTrue(grade(95))\n"
)


def verified(folder, code, tests, **options):
    spec = examples(markdown.parse(SPEC, "SPEC.md"))
    result = {"grades.py": code, "tests/test_new.py": tests}
    return verify_project(folder, BASE, result, examples=spec, **options)


def test_examples_of_the_spec_are_run_on_the_result(tmp_path):
    found = verified(tmp_path / "right", RIGHT, TESTS)
    assert {each.call: each.status for each in found.examples} == {
        "grade(95)": "holds",
        "grade(60)": "holds",
        "grade(101)": "holds",
        "mean([1, 2])": "holds",
    }
    assert found.verified is True


def test_a_wrong_example_is_a_veto_although_all_tests_pass(tmp_path):
    found = verified(tmp_path / "wrong", RIGHT.replace("> 100", "> 1000").replace("/ len", "// len"), WEAK_TESTS)
    assert [each.call for each in found.wrong_examples] == ["grade(101)", "mean([1, 2])"]
    assert (found.verified, found.tests_fail) == (False, False)
    assert found.vetoes == (
        "The result contradicts an example of the spec: grade(101) gives 'A', where the spec says an error.",
    )


@pytest.mark.slow
def test_an_example_that_held_on_the_base_and_no_longer_does_may_describe_the_fault(tmp_path):
    text = (
        "- [ ] `passed(60)` gives `false`\n- [ ] `passed(59)` gives `true`\n- [ ] `passed` raises ValueError for `x`\n"
    )
    result = {"grades.py": "def passed(points):\n    return points == 'x' or points >= 60\n"}
    found = verify_project(tmp_path, BASE, result, examples=examples(markdown.parse(text, "SPEC.md")))
    statuses = [(each.call, each.status) for each in found.examples]
    assert statuses == [("passed(60)", "unknown"), ("passed(59)", "wrong"), ("passed('x')", "wrong")]
    assert found.notes[0].startswith("passed(60) gives True, where the spec says False. The base gives that, too")


def test_tests_that_hold_the_code_notice_changes_and_others_do_not(tmp_path):
    strong = verified(tmp_path / "strong", RIGHT, TESTS, mutate=mutations)
    weak = verified(tmp_path / "weak", RIGHT, WEAK_TESTS, mutate=mutations)
    assert strong.noticed_share == 1
    assert len(strong.mutants) == 4  # enough: no more are tried
    assert weak.noticed_share is not None
    assert weak.noticed_share < 0.5
    assert "grades.py:6: `points > 100` became `False`" in map(str, weak.survivors)
    assert weak.verified is True


@pytest.mark.slow
def test_javascript_and_go_are_called_as_well(tmp_path):
    spec = examples(markdown.parse('- [ ] `double(2)` is 4\n- [ ] `shout("a")` is `A!`\n', "SPEC.md"))
    script = "exports.double = (n) => n * 2;\nexports.shout = function shout(text) { return text + '!'; };\n"
    test = 'const { test } = require("node:test");\ntest("loads", () => { require("../lib/a.js"); });\n'
    base = {"package.json": '{"name": "a", "scripts": {"test": "node --test"}}', "test/a.test.js": test, "lib/a.js": ""}
    found = verify_project(tmp_path / "js", base, {"lib/a.js": script}, examples=spec)
    assert [(each.call, each.status) for each in found.examples] == [("double(2)", "holds"), ("shout('a')", "wrong")]

    spec = examples(markdown.parse("- [ ] `Half(5)` returns an error\n- [ ] `Half(6)` is 3\n", "SPEC.md"))
    go = (
        'package a\n\nimport "errors"\n\nfunc Half(n int) (int, error) {\n'
        '\tif n%2 == 1 {\n\t\treturn 0, errors.New("odd")\n\t}\n\treturn n / 3, nil\n}\n'
    )
    base = {
        "go.mod": "module example.com/a\n\ngo 1.21\n",
        "a.go": "package a\n",
        "a_test.go": 'package a\n\nimport "testing"\n\nfunc TestNothing(t *testing.T) {}\n',
    }
    found = verify_project(tmp_path / "go", base, {"a.go": go}, examples=spec)
    assert [(each.call, each.status, each.got) for each in found.examples] == [
        ("Half(5)", "holds", "error: odd"),
        ("Half(6)", "wrong", "2"),
    ]


@pytest.mark.slow
def test_methods_constructors_and_rust_are_called_as_well(tmp_path):
    calls = (
        Example(item=1, function="add", owner="Cart", arguments=(-1,), fails=True, raises=True),
        Example(item=1, function="Cart", arguments=(), keywords=(("limit", 0),), fails=True, raises=True),
    )
    code = (
        "class Cart:\n    def __init__(self, limit=3):\n        if limit < 1:\n            raise ValueError(limit)\n\n"
        "    def add(self, count):\n        self.count = count\n"
    )
    found = verify_project(tmp_path / "python", BASE, {"cart.py": code}, examples=calls)
    assert [(each.call, each.status) for each in found.examples] == [
        ("Cart().add(-1)", "wrong"),
        ("Cart(limit=0)", "holds"),
    ]

    calls = (
        Example(item=1, function="insert", owner="Set", arguments=(4, 3), fails=True, raises=True),
        Example(item=2, function="half", arguments=(5,), fails=True),
        Example(item=2, function="half", arguments=(6,), expected=3),
    )
    library = (
        "#[derive(Default)]\npub struct Set;\n\nimpl Set {\n    pub fn insert(&mut self, start: i64, end: i64) {\n"
        '        assert!(start <= end, "backwards");\n    }\n}\n\n'
        "pub fn half(number: u32) -> Result<u32, String> {\n    Ok(number / 2)\n}\n"
    )
    base = {
        "Cargo.toml": '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/lib.rs": "#[test]\nfn one() {\n    assert_eq!(1, 1);\n}\n",
    }
    found = verify_project(tmp_path / "rust", base, {"src/lib.rs": base["src/lib.rs"] + library}, examples=calls)
    assert [each.status for each in found.examples] == ["holds", "wrong", "holds"]


def test_the_command_reports_both(tmp_path, capfd, monkeypatch):
    monkeypatch.setenv("NERV_HOME", str(tmp_path / "home"))
    for name in ("NERV_MOCK_CLAUDE", "NERV_TEST_MODE"):
        monkeypatch.delenv(name, raising=False)
    source = make_repository(tmp_path / "r", BASE, {"grades.py": RIGHT, "tests/test_new.py": WEAK_TESTS})
    log, spec = tmp_path / "log.jsonl", tmp_path / "SPEC.md"
    spec.write_text(SPEC)
    records = [
        {"format": "nerv-log", "format_version": 1},
        {"type": "prompt", "text": "Implement SPEC.md"},
        {"type": "edit", "path": "grades.py"},
        {"type": "answer", "text": "Done."},
    ]
    log.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    words = ["benchmark", "score", str(log), "--spec", str(spec), "--repo", str(source.folder), "--base", "base"]
    run([*words, "--explain", "--no-history", "--mutants", "4"])
    text = capfd.readouterr().out
    report = json.loads((tmp_path / "log.score-report.json").read_text())["verification"]
    assert {each["status"] for each in report["examples"]} == {"holds"}
    assert [each["line"] for each in report["mutants"]] == [6, 6, 8, 8]
    assert report["noticed_share"] < 0.5
    assert "example of the spec: grade(95) is 'A': holds" in text
    assert "of 4 small changes to the code, the tests notice" in text
