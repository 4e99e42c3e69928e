"""Findings point to lines of the eval set's file."""

from __future__ import annotations

from pathlib import Path

from forgetest.auditing.source_lines import case_lines
from forgetest.evalset import AcceptedMutant, Case, EvalSet, load

FILE = """[eval_set]
id = "s"
name = "S"
default_language = "python"

[[cases]]
id = "a"
name = "A"
prompt = "p"
reference_solution = "x = 1"
[cases.expectations]
test_file = '''
def test_a():
    assert x
'''

[[cases]]
id = "b"
name = "B"
prompt = "p"
expectations.test_file = "def test_b():\\n    assert x\\n"
"""


def test_a_line_of_the_tests_is_found_in_the_file(tmp_path: Path):
    path = tmp_path / "s.toml"
    path.write_text(FILE)
    [eval_set] = load(path)
    lines = case_lines(eval_set)
    assert (lines["a"].case, lines["a"].reference, lines["a"].tests) == (6, 10, 12)
    assert lines["a"].of_test(2, "    assert x") == 14


def test_tests_that_are_not_written_line_by_line_have_one_line(tmp_path: Path):
    path = tmp_path / "s.toml"
    path.write_text(FILE)
    [eval_set] = load(path)
    assert case_lines(eval_set)["b"].of_test(2, "    assert x") == 21


def test_a_set_without_file_has_one_line():
    eval_set = EvalSet(id="s", name="S", cases=(Case(id="a", name="A", prompt="p"),))
    assert case_lines(eval_set)["a"].of_test(3, "") == 1


def test_accepted_mutants_are_read(tmp_path: Path):
    path = tmp_path / "s.toml"
    path.write_text(FILE)
    accepted = 'id = "b"\naccepted_mutants = [{ line = "a", becomes = "b", reason = "the same" }]'
    path.write_text(FILE.replace('id = "b"', accepted))
    [after] = load(path)
    assert after.cases[1].accepted_mutants == (AcceptedMutant(line="a", becomes="b", reason="the same"),)
