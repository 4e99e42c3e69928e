"""Loading eval sets: problems and their locations."""

import json

import pytest

from eval_set_texts import CASE, HEADER, problems
from forgetest import evalset


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (HEADER + CASE.replace("prompt", "promt"), '7: cases[0].promt: unknown key; did you mean "prompt"?'),
        (HEADER + CASE.replace('prompt = "p"\n', ""), "4: cases[0].prompt: missing key"),
        (HEADER + CASE.replace('"p"', '" \\n"'), "7: cases[0].prompt: must not be empty"),
        (HEADER + CASE.replace('"p"', "7"), "7: cases[0].prompt: must be a string, not the number 7"),
        (
            HEADER + CASE.replace('"p"', "1979-05-27"),
            "7: cases[0].prompt: must be a string, not a date or time",
        ),
        (HEADER.replace("name", "nmae") + CASE, '3: eval_set.nmae: unknown key; did you mean "name"?'),
        (
            HEADER + "xyzzy = 1\n" + CASE,
            "4: eval_set.xyzzy: unknown key; known here: id, name, description, ",
        ),
        (CASE, "1: eval_set: missing key"),
        ("eval_set = 3\n" + CASE, "1: eval_set: must be a table, not the number 3"),
        (HEADER, "1: cases: no case: write [[cases]], or name a file as cases_from"),
        (HEADER + "[cases]\n", "4: cases: must be a list, not a table"),
        ("cases = [3]\n" + HEADER, "1: cases[0]: must be a table, not the number 3"),
        (HEADER + CASE + CASE, '11: cases[1].id: "a" is the id of another case already (x.toml:5)'),
        (
            HEADER + CASE.replace('"p"', '"p"\ntest_file = "t"'),
            "8: cases[0].test_file: unknown key here; it belongs in [cases.expectations]",
        ),
        (
            HEADER + CASE + 'tags = ["x"]\n',
            "10: cases[0].expectations.tags: unknown key here; it belongs to the case itself, above",
        ),
        (
            HEADER + CASE.replace('"p"', '"p"\nedition = "2020"'),
            '8: cases[0].edition: "2020" is none of 2015, ',
        ),
        (
            HEADER + CASE.replace('"p"', '"p"\ntimeout_secs = 0'),
            "8: cases[0].timeout_secs: must be more than 0",
        ),
        (
            HEADER + CASE.replace('"p"', '"p"\ndependencies = [{ name = "x = 1\\n[patch]", version = "1" }]'),
            "8: cases[0].dependencies[0].name: is no crate's name: write it as on crates.io",
        ),
        (
            HEADER + CASE.replace('"p"', '"p"\ndependencies = [{ name = "x", version = "1", features = ["a b"] }]'),
            "8: cases[0].dependencies[0].features[0]: is no feature's name: write it as in the crate's manifest",
        ),
        (HEADER + CASE.replace('"p"', '"p"\ntimeout_secs = inf'), "8: cases[0].timeout_secs: must be finite"),
        (
            HEADER + CASE.replace('"p"', f'"p"\ntimeout_secs = 1{"0" * 400}'),
            "8: cases[0].timeout_secs: must be less than 2 to the power of 63",
        ),
        (
            HEADER + CASE.replace('"p"', '"p"\nmax_tokens = -5'),
            "8: cases[0].max_tokens: must be more than 0, not -5",
        ),
        (
            HEADER + CASE.replace('"p"', '"p"\nmax_tokens = true'),
            "8: cases[0].max_tokens: must be a whole number",
        ),
        (
            HEADER + CASE + "max_clippy_warnings = -1\n",
            "10: cases[0].expectations.max_clippy_warnings: must be at",
        ),
        (
            HEADER + CASE + "should_compile = 1\n",
            "10: cases[0].expectations.should_compile: must be true or false",
        ),
        (
            HEADER + CASE + "expected_types = ['A', 2]",
            "10: cases[0].expectations.expected_types[1]: must be a str",
        ),
        (
            HEADER + CASE.replace('"p"', '"p"\ndependencies = [\n  { name = "tokio" },\n]'),
            "9: cases[0].dependencies[0].version: missing key",
        ),
        (
            HEADER + "weights = { compilation = 0.5, tests = 0.6, clippy = 0.1 }\n" + CASE,
            "4: eval_set.weights: must sum to 1, not 1.2",
        ),
        (
            HEADER + "weights = { compilation = -0.5, tests = 1, clippy = 0.5 }\n" + CASE,
            "4: eval_set.weights.compilation: must be at least 0, not -0.5",
        ),
        (
            HEADER + "default_timeout_secs = -1\n" + CASE,
            "4: eval_set.default_timeout_secs: must be more than 0",
        ),
        (HEADER + 'default_language = ""\n' + CASE, "4: eval_set.default_language: must not be empty"),
        (
            HEADER + 'cases_from = "/c.jsonl"\n',
            "4: eval_set.cases_from: must name a file in the eval set's folder",
        ),
        (
            HEADER + 'cases_from = "a/../../c.jsonl"\n',
            "4: eval_set.cases_from: must name a file in the eval set",
        ),
        (
            HEADER + 'cases_from = "no.jsonl"\n',
            "4: eval_set.cases_from: no.jsonl cannot be read: No such file",
        ),
        (HEADER + CASE + "x =\n", "10: Invalid value, in column 4"),
        (HEADER + CASE + 'x = """\n\n', "10: Unterminated string, at the end of the file"),
        (HEADER + 'id = "t"\n' + CASE, "4: Cannot overwrite a value"),
        ((HEADER + CASE).encode() + b"# caf\xe9\n", "10: not UTF-8"),
        ("x = " + "[" * 5000 + "]" * 5000, " nested too deeply"),
        ("x = " + "9" * 5000, " Exceeds the limit"),
    ],
)
def test_a_problem_is_named_by_file_line_and_key(write, text, problem):
    found = problems(write(text))
    assert [line[: len("x.toml:" + problem)] for line in found] == ["x.toml:" + problem]


def test_all_problems_are_reported_at_once_in_the_order_of_the_file(write):
    text = HEADER.replace('"s"', "1") + CASE.replace("name", "nmae").replace("test_file", "test_fil") + CASE
    assert [line.split(": ")[:2] for line in problems(write(text))] == [
        ["x.toml:2", "eval_set.id"],
        ["x.toml:6", "cases[0].nmae"],
        ["x.toml:9", "cases[0].expectations.test_fil"],
        ["x.toml:11", "cases[1].id"],
    ]


def test_a_language_is_checked_only_if_the_known_ones_are_given(write):
    name = write(HEADER + 'default_language = "ruts"\n' + CASE.replace('"p"', '"p"\nlanguage = "cobol"'))
    assert evalset.load(name)[0].cases[0].language == "cobol"
    assert problems(name, languages=["rust", "go"]) == [
        'x.toml:4: eval_set.default_language: unknown language "ruts"; did you mean "rust"?',
        'x.toml:9: cases[0].language: unknown language "cobol"; known: go, rust',
    ]


def test_problems_in_a_file_of_cases_are_named_by_the_lines_of_that_file(write):
    lines = [
        {"id": "a", "name": "B", "prompt": "p", "expectations": {"test_file": "t"}},
        {"id": "b", "name": "B", "promt": "p", "expectations": {"test_file": 1}},
        "not an object",
    ]
    write("\n".join(json.dumps(line) for line in lines) + "\n\n{\n\xff", "cases.jsonl")
    assert problems(write(HEADER + 'cases_from = "cases.jsonl"\n' + CASE)) == [
        'cases.jsonl:1: id: "a" is the id of another case already (x.toml:6)',
        'cases.jsonl:2: promt: unknown key; did you mean "prompt"?',
        "cases.jsonl:2: expectations.test_file: must be a string, not the number 1",
        "cases.jsonl:3: must be an object, { … }, as every line",
        "cases.jsonl:5: not JSON: Input data was truncated",
        "cases.jsonl:6: not JSON: JSON is malformed: invalid character (byte 0)",
    ]


def test_the_problems_of_all_files_in_a_folder_are_reported(write):
    write(HEADER, "sets/a.toml")
    write(HEADER + CASE + "x", "sets/b.toml")
    write(HEADER + CASE, "sets/c.toml")
    assert problems("sets") == [
        "sets/a.toml:1: cases: no case: write [[cases]], or name a file as cases_from",
        "sets/b.toml:10: Expected '=' after a key in a key/value pair, at the end of the file",
        'sets/c.toml:2: eval_set.id: "s" is the id of another eval set already (sets/a.toml)',
    ]


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        (HEADER + CASE.replace('test_file = "t"\n', ""), "8: cases[0].expectations.test_file: missing, though"),
        (HEADER + CASE.replace('"t"', '"\\n"'), "9: cases[0].expectations.test_file: missing, though"),
        (HEADER + CASE.split("[cases.")[0], "4: cases[0].expectations.test_file: missing, though the case asks"),
    ],
)
def test_a_case_without_tests_is_accepted_with_a_warning(write, text, warning):
    warnings = []
    path = write(text)
    (loaded,) = evalset.load(path, warn=warnings.append)
    assert len(loaded.cases) == 1
    (message,) = map(str, warnings)
    assert message.startswith(f"{path}:{warning}")


@pytest.mark.parametrize("key", ["should_pass_tests", "should_compile"])
def test_a_case_that_asks_for_no_tests_is_accepted_without_a_warning(write, key):
    warnings = []
    evalset.load(write(HEADER + CASE.replace('test_file = "t"', f"{key} = false")), warn=warnings.append)
    assert warnings == []


def test_a_misspelt_key_of_a_language_is_named_with_the_one_that_was_meant(write):
    assert problems(write(HEADER + CASE.replace('"p"', '"p"\neditoin = "2021"')))[0].endswith(
        'cases[0].editoin: unknown key; did you mean "edition"?'
    )


def test_a_key_of_one_language_is_unknown_in_another(write):
    text = HEADER + 'default_language = "python"\n' + CASE.replace('"p"', '"p"\nedition = "2021"')
    assert "cases[0].edition: unknown key" in problems(write(text))[0]
