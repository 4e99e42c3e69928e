"""Suggested tests are written into the file; everything else in it stays as it is."""

from __future__ import annotations

from pathlib import Path

from forgetest.auditing.source_lines import case_lines
from forgetest.auditing.write_tests import write_tests
from forgetest.evalset import load

FILE = """# A comment.
[eval_set]
id = "s"
name = "S"  # another
default_language = "python"

[[cases]]
id = "a"
name = "A"
prompt = "p"
[cases.expectations]
test_file = '''
assert x
'''  # tests of a
expected_functions = ["x"]

[[cases]]
id = "b"
name = "B"
prompt = "p"
expectations.test_file = "assert x"

[[cases]]
id = "c"
name = "C"
prompt = "p"
[cases.expectations]
test_file = '''
assert y
'''
"""


def test_lines_are_added_and_nothing_else_changes(tmp_path: Path):
    path = tmp_path / "s.toml"
    path.write_text(FILE)
    [eval_set] = load(path)
    lines = case_lines(eval_set)
    new = {
        case.id: (case, lines[case.id], f"{(case.expectations.test_file or '').rstrip()}\nassert f(1) == '\\n'\n")
        for case in eval_set.cases
    }

    assert write_tests(path, new) == ["b"]

    assert path.read_text() == FILE.replace("assert x\n'''", "assert x\nassert f(1) == '\\n'\n'''").replace(
        "assert y\n'''", "assert y\nassert f(1) == '\\n'\n'''"
    )
    assert [case.expectations.test_file for case in load(path)[0].cases] == [
        "assert x\nassert f(1) == '\\n'\n",
        "assert x",
        "assert y\nassert f(1) == '\\n'\n",
    ]


def test_quotes_that_would_end_the_text_are_refused(tmp_path: Path):
    path = tmp_path / "s.toml"
    path.write_text(FILE)
    [eval_set] = load(path)
    case = eval_set.cases[0]
    assert write_tests(path, {"a": (case, case_lines(eval_set)["a"], "assert x\nassert ''''''\n")}) == ["a"]
    assert path.read_text() == FILE


def test_cases_of_another_file_get_their_tests_there(tmp_path: Path):
    path, apart = tmp_path / "s.toml", tmp_path / "cases.jsonl"
    header = '[eval_set]\nid = "s"\nname = "S"\ndefault_language = "python"\ncases_from = "cases.jsonl"\n'
    path.write_text(header)
    unchanged = '{"id":   "a", "name": "A", "prompt": "é", "expectations": {"test_file": "assert x"}}'
    changed = '{"id": "b", "name": "B", "prompt": "é", "expectations": {"test_file": "assert x\\n"}}'
    apart.write_text(f"\n{unchanged}\n{changed}\n")
    [eval_set] = load(path)
    case = eval_set.cases[1]

    assert write_tests(path, {"b": (case, case_lines(eval_set)["b"], "assert x\nassert y\n")}) == []

    assert path.read_text() == header
    longer = changed.replace("x\\n", "x\\nassert y\\n")
    assert apart.read_text() == f"\n{unchanged}\n{longer}\n"
    assert load(path)[0].cases[1].expectations.test_file == "assert x\nassert y\n"


def test_the_quotes_may_follow_the_last_line(tmp_path: Path):
    path = tmp_path / "s.toml"
    path.write_text(FILE.replace("assert y\n'''", "assert y'''  # tests of c"))
    [eval_set] = load(path)
    case = eval_set.cases[2]

    assert write_tests(path, {"c": (case, case_lines(eval_set)["c"], "assert y\nassert z\n")}) == []

    assert path.read_text() == FILE.replace("assert y\n'''", "assert y\nassert z'''  # tests of c")
    assert load(path)[0].cases[2].expectations.test_file == "assert y\nassert z"
