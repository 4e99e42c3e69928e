"""Loading cases that are tested by input and output."""

import json

import pytest

from eval_set_texts import HEADER, problems
from forgetest import evalset
from forgetest.evalset.io_tests import CheckerProgram, DataFile, IoTest, IoTests

CASE = '[[cases]]\nid = "a"\nname = "A"\nprompt = "p"\nlanguage = "python"\n'
IO = CASE + '[cases.io]\n[[cases.io.tests]]\ninput = "1"\noutput = "2"\n'


def test_tests_in_the_file_have_names_and_are_hidden_unless_they_say_otherwise(write):
    text = IO + '[[cases.io.tests]]\nname = "sample"\nvisible = true\ninput = "3"\noutput = "4"\n'
    ((case,),) = [loaded.cases for loaded in evalset.load(write(HEADER + text))]
    assert case.io == IoTests(
        tests=(
            IoTest(name="test 1", input="1", output="2"),
            IoTest(name="sample", visible=True, input="3", output="4"),
        )
    )


def test_large_tests_are_files_of_which_only_the_hash_is_read(write, tmp_path):
    (tmp_path / "big.in").write_bytes(b"\xff" * 100)
    text = CASE + '[cases.io]\n[[cases.io.tests]]\ninput_file = "big.in"\noutput = ""\n'
    ((case,),) = [loaded.cases for loaded in evalset.load(write(HEADER + text))]
    given = case.io.tests[0].input
    assert isinstance(given, DataFile)
    assert (given.name, given.size, given.path) == ("big.in", 100, str(tmp_path / "big.in"))


def test_the_hash_of_a_set_covers_its_files_and_not_where_they_are(tmp_path):
    hashes = []
    for folder, content in (("one", "1"), ("two", "1"), ("three", "2")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "big.in").write_text(content)
        text = CASE + '[cases.io]\n[[cases.io.tests]]\ninput_file = "big.in"\noutput = ""\n'
        (tmp_path / folder / "x.toml").write_text(HEADER + text)
        hashes += [loaded.hash for loaded in evalset.load(tmp_path / folder / "x.toml")]
    assert hashes[0] == hashes[1] != hashes[2]


def test_calls_hold_their_arguments_and_results_as_json(write):
    text = (
        CASE + '[cases.io]\ncall = "Solution.solve"\nchecker = "floats"\nabsolute_tolerance = 0.5\n'
        "[[cases.io.tests]]\narguments = [1, [2.5], { a = true }]\nreturns = 100000000000000000000000\n"
    )
    ((case,),) = [loaded.cases for loaded in evalset.load(write(HEADER + text))]
    assert case.io.call == "Solution.solve"
    assert case.io.absolute_tolerance == 0.5
    assert json.loads(case.io.tests[0].input) == [1, [2.5], {"a": True}]
    assert json.loads(case.io.tests[0].output) == 10**23


def test_a_checker_program_is_in_the_set_or_in_a_file_beside_it(write, tmp_path):
    (tmp_path / "check.py").write_text("print('accepted')")
    program = '[cases.io.checker_program]\nlanguage = "python"\nfile = "check.py"\n'
    text = CASE + f'[cases.io]\nchecker = "program"\n{program}[[cases.io.tests]]\ninput = "1"\n'
    ((case,),) = [loaded.cases for loaded in evalset.load(write(HEADER + text))]
    assert case.io.checker_program == CheckerProgram(language="python", code="print('accepted')")


def test_date_and_source_are_read_and_a_toml_date_is_a_date(write):
    text = CASE + 'date = 2024-05-31\nsource = "somewhere"\n'
    ((case,),) = [loaded.cases for loaded in evalset.load(write(HEADER + text))]
    assert (case.date, case.source) == ("2024-05-31", "somewhere")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (CASE + "[cases.io]\ntests = []\n", "9: cases[0].io.tests: no test: write [[cases.io.tests]]"),
        (CASE + "[cases.io]\nchecker = 'tokens'\n", "9: cases[0].io.tests: missing key"),
        (CASE + "[[cases.io.tests]]\ninput = '1'\n", "9: cases[0].io.tests[0].output: missing key: write `output`, or"),
        (IO + "output_file = 'x'\n", "12: cases[0].io.tests[0].output: given twice"),
        (IO + "arguments = [1]\n", "13: cases[0].io.tests[0].arguments: only with a function to `call`"),
        (
            CASE + "[cases.io]\ncall = 'f'\n[[cases.io.tests]]\ninput = '1'\narguments = []\nreturns = 1\n",
            "12: cases[0].io.tests[0].input: not for a function that is called",
        ),
        (
            CASE + "[cases.io]\ncall = 'f'\n[[cases.io.tests]]\narguments = []\n",
            "11: cases[0].io.tests[0].returns: missing key",
        ),
        (
            CASE + "[cases.io]\ncall = 'f'\n[[cases.io.tests]]\narguments = [1979-05-27]\nreturns = 1\n",
            "12: cases[0].io.tests[0].arguments[0]: must be a JSON value",
        ),
        (CASE + "[cases.io]\ncall = 'f()'\ntests = []\n", "10: cases[0].io.call: must name a function"),
        (IO.replace("[cases.io]\n", "[cases.io]\nchecker = 'fuzzy'\n"), '10: cases[0].io.checker: "fuzzy" is none of'),
        (
            IO.replace("[cases.io]\n", "[cases.io]\nabsolute_tolerance = 1\n"),
            '10: cases[0].io.absolute_tolerance: only for checker = "floats"',
        ),
        (
            IO.replace("[cases.io]\n", "[cases.io]\nchecker = 'program'\n"),
            '10: cases[0].io.checker_program: missing, though checker = "program"',
        ),
        (
            IO + "[cases.io.checker_program]\nlanguage = 'python'\ncode = '1'\n",
            '13: cases[0].io.checker_program: only for checker = "program"',
        ),
        (
            IO + "[[cases.io.tests]]\nname = 'test 1'\noutput = '2'\n",
            '14: cases[0].io.tests[1].name: "test 1" is the name of another test',
        ),
        (
            IO + "[[cases.io.tests]]\noutput_file = '../x'\n",
            "14: cases[0].io.tests[1].output_file: must name a file in",
        ),
        (
            IO + "[[cases.io.tests]]\noutput_file = 'no'\n",
            "14: cases[0].io.tests[1].output_file: no cannot be read: No",
        ),
        (IO + "[cases.expectations]\ntest_file = 't'\n", "14: cases[0].expectations.test_file: has no meaning beside"),
        (CASE + "checker = 'tokens'\n", "9: cases[0].checker: unknown key here; it belongs in [cases.io]"),
        (CASE + "date = '2024-5-1'\n", "9: cases[0].date: must be a day, as in 2024-05-31"),
        (CASE + "date = 2024-05-01T10:00:00\n", "9: cases[0].date: must be a day, as in 2024-05-31"),
    ],
)
def test_every_mistake_has_its_line_and_key(write, text, problem):
    found = problems(write(HEADER + text))
    assert any(line.startswith(f"x.toml:{problem}") for line in found), found


def test_a_language_without_programs_is_a_mistake_that_says_which_have_them(write):
    text = IO.replace('"python"', '"lua"')
    [problem] = problems(write(HEADER + text), languages=["lua", "python"])
    assert '9: cases[0].io: the toolchain of "lua" does not run programs; use a language that does' in problem
