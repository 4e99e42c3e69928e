"""Loading eval sets: what they become, and how every problem is named."""

import json
from dataclasses import fields
from pathlib import Path

import pytest

from forgetest import evalset, evalset_keys
from forgetest.errors import InvalidInput, UserError
from forgetest.evalset import Case, ContextFile, Dependency, EvalSet, Expectations, Weights

HEADER = '[eval_set]\nid = "s"\nname = "S"\n'
CASE = '[[cases]]\nid = "a"\nname = "A"\nprompt = "p"\n[cases.expectations]\ntest_file = "t"\n'

FULL = """
[eval_set]
id = "my-evals"
name = "My evals"
description = "All keys"
default_language = "rust"
default_timeout_secs = 30
default_unsafe_code = "forbidden"
weights = { compilation = 0.2, tests = 0.7, clippy = 0.1 }

[[cases]]
id = "fibonacci"
name = "Fibonacci"
prompt = "Write fibonacci."
description = "The nth number"
language = "rust"
tags = ["algorithms", "basics"]
edition = "2018"
dependencies = [{ name = "tokio", version = "1", features = ["full"] }]
timeout_secs = 1.5
max_tokens = 4096
context = [{ path = "src/lib.rs", content = "" }]
reference_solution = "fn fibonacci() {}"

[cases.expectations]
should_compile = true
should_pass_tests = true
test_file = "fn main() {}"
expected_functions = ["fn fibonacci(n: u64) -> u64"]
expected_types = ["Memo"]
max_clippy_warnings = 3
custom_check = "grep -q fn"
unsafe_code = "allowed"

[[cases]]
id = "plain"
name = "Plain"
prompt = "Write anything."
expectations = { should_pass_tests = false }
"""


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Writes a file into an empty working folder and gives its name."""
    monkeypatch.chdir(tmp_path)

    def write_file(content: str | bytes, name: str = "x.toml") -> str:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return write_file


def problems(path: str, **options: list[str]) -> list[str]:
    with pytest.raises(InvalidInput) as caught:
        evalset.load(path, **options)
    return str(caught.value).split("\n")


def test_every_key_arrives_in_its_place(write):
    (loaded,) = evalset.load(write(FULL))
    assert loaded == EvalSet(
        id="my-evals",
        name="My evals",
        description="All keys",
        weights=Weights(compilation=0.2, tests=0.7, clippy=0.1),
        cases=(
            Case(
                id="fibonacci",
                name="Fibonacci",
                prompt="Write fibonacci.",
                description="The nth number",
                language="rust",
                tags=("algorithms", "basics"),
                edition="2018",
                dependencies=(Dependency(name="tokio", version="1", features=("full",)),),
                timeout_secs=1.5,
                max_tokens=4096,
                context=(ContextFile(path="src/lib.rs", content=""),),
                reference_solution="fn fibonacci() {}",
                expectations=Expectations(
                    test_file="fn main() {}",
                    expected_functions=("fn fibonacci(n: u64) -> u64",),
                    expected_types=("Memo",),
                    max_clippy_warnings=3,
                    custom_check="grep -q fn",
                    unsafe_code="allowed",
                ),
            ),
            Case(
                id="plain",
                name="Plain",
                prompt="Write anything.",
                timeout_secs=30.0,
                expectations=Expectations(should_pass_tests=False, unsafe_code="forbidden"),
            ),
        ),
        path="x.toml",
        hash=loaded.hash,
    )


@pytest.mark.parametrize(
    ("table", "value", "elsewhere"),
    [
        (
            evalset_keys.HEADER,
            EvalSet,
            {"default_language", "default_timeout_secs", "default_unsafe_code", "cases_from", "cases", "path", "hash"},
        ),
        (evalset_keys.CASE, Case, set()),
        (evalset_keys.EXPECTATIONS, Expectations, set()),
        (evalset_keys.DEPENDENCY, Dependency, set()),
        (evalset_keys.CONTEXT_FILE, ContextFile, set()),
        (evalset_keys.WEIGHTS, Weights, set()),
    ],
)
def test_the_table_of_keys_and_the_values_agree(table, value, elsewhere):
    assert {key.name for key in table.keys} ^ {field.name for field in fields(value)} == elsewhere


def test_cases_take_language_and_timeout_from_the_set(write):
    header = HEADER + 'default_language = "python"\ndefault_timeout_secs = 5\n'
    (loaded,) = evalset.load(write(header + CASE))
    assert (loaded.cases[0].language, loaded.cases[0].timeout_secs) == ("python", 5.0)


def test_without_any_default_it_is_rust_and_a_minute(write):
    (loaded,) = evalset.load(write(HEADER + CASE))
    assert (loaded.cases[0].language, loaded.cases[0].timeout_secs) == ("rust", 60.0)
    assert loaded.weights == Weights()


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
            HEADER + CASE.replace('test_file = "t"\n', ""),
            "8: cases[0].expectations.test_file: missing, though",
        ),
        (HEADER + CASE.replace('"t"', '"\\n"'), "9: cases[0].expectations.test_file: missing, though"),
        (
            HEADER + CASE.split("[cases.")[0],
            "4: cases[0].expectations.test_file: missing, though the case asks",
        ),
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
        (HEADER + CASE.replace('"p"', '"p"\ntimeout_secs = inf'), "8: cases[0].timeout_secs: must be finite"),
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


def test_all_problems_are_named_at_once_in_the_order_of_the_file(write):
    text = HEADER.replace('"s"', "1") + CASE.replace("name", "nmae").replace("test_file", "test_fil") + CASE
    assert [line.split(": ")[:2] for line in problems(write(text))] == [
        ["x.toml:2", "eval_set.id"],
        ["x.toml:6", "cases[0].nmae"],
        ["x.toml:9", "cases[0].expectations.test_fil"],
        ["x.toml:11", "cases[1].id"],
    ]


def test_files_of_the_rust_tool_parse_unchanged(write):
    text = '''
[eval_set]
id = "rust-async"
name = "Rust Async"
description = "Tasks with tokio"
default_language = "rust"
default_timeout_secs = 120

# --- 1. Timeout ---

[[cases]]
id = "timeout"
name = "Timeout"
description = "Wrap a future"
dependencies = [{ name = "tokio", version = "1", features = ["full"] }]
prompt = """
Write:

```rust
pub async fn with_timeout<T>() -> Result<T, &'static str>
```
"""
tags = ["async"]
max_tokens = 2048
timeout_secs = 90

[cases.expectations]
should_compile = true
should_pass_tests = true
test_file = """
#[tokio::test]
async fn works() { assert_eq!("\\"", "\\""); }
"""
expected_functions = ["with_timeout"]
'''
    (loaded,) = evalset.load(write(text))
    (case,) = loaded.cases
    assert (case.timeout_secs, case.max_tokens, case.edition) == (90.0, 2048, "2021")
    assert case.expectations.expected_functions == ("with_timeout",)
    assert case.prompt.startswith("Write:\n\n```rust\npub async")


def test_a_language_is_only_checked_against_those_that_are_given(write):
    name = write(HEADER + 'default_language = "ruts"\n' + CASE.replace('"p"', '"p"\nlanguage = "cobol"'))
    assert evalset.load(name)[0].cases[0].language == "cobol"
    assert problems(name, languages=["rust", "go"]) == [
        'x.toml:4: eval_set.default_language: unknown language "ruts"; did you mean "rust"?',
        'x.toml:9: cases[0].language: unknown language "cobol"; known: go, rust',
    ]


def test_a_case_that_must_not_compile_needs_no_tests(write):
    (loaded,) = evalset.load(write(HEADER + CASE.replace('test_file = "t"', "should_compile = false")))
    assert loaded.cases[0].expectations == Expectations(should_compile=False)


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(write):
    plain = evalset.load(write(HEADER + CASE, "plain.toml"))[0]
    windows = evalset.load(write(b"\xef\xbb\xbf" + (HEADER + CASE).replace("\n", "\r\n").encode(), "crlf.toml"))[0]
    assert windows.hash == plain.hash


def test_more_cases_come_from_a_file_beside_the_set(write):
    line = {"id": "b", "name": "B", "prompt": "p", "expectations": {"test_file": "t"}, "timeout_secs": 2}
    write(f"{json.dumps(line)}\n\n", "sets/more/cases.jsonl")
    (loaded,) = evalset.load(write(HEADER + 'cases_from = "more/cases.jsonl"\n' + CASE, "sets/x.toml"))
    assert [(case.id, case.language, case.timeout_secs) for case in loaded.cases] == [
        ("a", "rust", 60),
        ("b", "rust", 2),
    ]


def test_problems_in_that_file_are_named_by_its_lines(write):
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


def test_a_file_of_no_cases_is_no_set(write):
    write("\n", "cases.jsonl")
    assert problems(write(HEADER + 'cases_from = "cases.jsonl"\n')) == [
        "x.toml:4: eval_set.cases_from: no case, neither there nor here"
    ]


def test_cases_are_never_read_from_outside_the_folder_of_the_set(write):
    write("{}", "secret.jsonl")
    name = write(HEADER + 'cases_from = "link.jsonl"\n', "sets/x.toml")
    Path("sets/link.jsonl").symlink_to("../secret.jsonl")
    assert problems(name) == ["sets/x.toml:4: eval_set.cases_from: sets/link.jsonl leads out of the eval set's folder"]


def test_a_folder_is_all_the_sets_in_it(write):
    write(HEADER.replace('"s"', '"two"') + CASE, "sets/b.toml")
    write(HEADER.replace('"s"', '"one"') + CASE, "sets/a.toml")
    write("not even TOML", "sets/.b.toml")
    write("nor this", "sets/readme.md")
    assert [loaded.id for loaded in evalset.load("sets")] == ["one", "two"]
    assert [loaded.path for loaded in evalset.load(Path("sets"))] == ["sets/a.toml", "sets/b.toml"]


def test_problems_of_all_files_in_a_folder_are_named(write):
    write(HEADER, "sets/a.toml")
    write(HEADER + CASE + "x", "sets/b.toml")
    write(HEADER + CASE, "sets/c.toml")
    assert problems("sets") == [
        "sets/a.toml:1: cases: no case: write [[cases]], or name a file as cases_from",
        "sets/b.toml:10: Expected '=' after a key in a key/value pair, at the end of the file",
        'sets/c.toml:2: eval_set.id: "s" is the id of another eval set already (sets/a.toml)',
    ]


def test_an_empty_folder_is_said_to_be_empty(tmp_path):
    with pytest.raises(UserError, match=r"no eval set \(\*\.toml\) in this folder"):
        evalset.load(tmp_path)


def test_a_name_is_a_built_in_set():
    (loaded,) = evalset.load("quickstart")
    assert loaded.id == "quickstart"
    assert loaded.path == str(evalset.built_in()["quickstart"])


def test_a_name_wins_over_a_file_of_that_name(write):
    write("#!/bin/sh\n", "quickstart")
    assert evalset.load("quickstart")[0].id == "quickstart"
    with pytest.raises(InvalidInput):
        evalset.load("./quickstart")


def test_a_name_nobody_knows_is_answered_with_those_that_exist(write):
    write("")
    with pytest.raises(UserError) as caught:
        evalset.load("quikstart.toml")
    assert 'no built-in eval set of that name; did you mean "quickstart"? (built in: ' in str(caught.value)


def test_the_hash_is_of_the_content_alone(write):
    loaded = evalset.load(write(FULL))[0]
    moved = "# a comment\n" + FULL.replace('name = "My evals"\n', "").replace(
        '\nid = "my-evals"', "\nname = '''My evals'''\nid = 'my-evals'"
    )
    assert evalset.load(write(moved, "y.toml"))[0].hash == loaded.hash
    earlier = FULL.replace('unsafe_code = "allowed"\n', "").replace('default_unsafe_code = "forbidden"\n', "")
    # pinned: reports and journals of earlier versions hold it
    assert (
        evalset.load(write(earlier, "z.toml"))[0].hash
        == "9518e90641e8ce44e7018055f96519cfd0c91f59e79964cec3a4471badf837ef"
    )


@pytest.mark.parametrize(
    "change",
    [
        ('"my-evals"', '"other"'),
        ("0.2, tests = 0.7", "0.3, tests = 0.6"),
        ("1.5", "1.6"),
        ("basics", "basic"),
    ],
)
def test_the_hash_changes_with_the_content(write, change):
    before, after = evalset.load(write(FULL))[0], evalset.load(write(FULL.replace(*change), "y.toml"))[0]
    assert before.hash != after.hash


def test_writing_out_a_default_changes_no_hash(write):
    plain = evalset.load(write(HEADER + CASE))[0]
    spelt = CASE.replace('"p"', '"p"\nedition = "2021"\ntags = []\ntimeout_secs = 60\nlanguage = "rust"')
    assert evalset.load(write(HEADER + 'description = ""\n' + spelt))[0].hash == plain.hash
