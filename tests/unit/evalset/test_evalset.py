"""Loading eval sets: their values, and their hash."""

from dataclasses import fields
from pathlib import Path

import pytest

from eval_set_texts import CASE, HEADER
from forgetest import evalset, language
from forgetest.evalset import Case, ContextFile, Dependency, EvalSet, Expectations, Weights, keys
from forgetest.evalset.file_names import to_file

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


def test_every_key_of_a_file_is_read_into_its_field(write):
    (loaded,) = evalset.load(write(FULL))
    assert loaded == EvalSet(
        id="my-evals",
        name="My evals",
        description="All keys",
        weights=Weights(compilation=0.2, tests=0.7, lint=0.1),
        cases=(
            Case(
                id="fibonacci",
                name="Fibonacci",
                prompt="Write fibonacci.",
                description="The nth number",
                language="rust",
                tags=("algorithms", "basics"),
                options={"edition": "2018"},
                dependencies=(Dependency(name="tokio", version="1", features=("full",)),),
                timeout_secs=1.5,
                max_tokens=4096,
                context=(ContextFile(path="src/lib.rs", content=""),),
                reference_solution="fn fibonacci() {}",
                expectations=Expectations(
                    test_file="fn main() {}",
                    expected_functions=("fn fibonacci(n: u64) -> u64",),
                    expected_types=("Memo",),
                    max_lint_warnings=3,
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


EXPECTATIONS = next(key.kind for key in keys.case_table().keys if key.name == "expectations")


@pytest.mark.parametrize(
    ("table", "value", "elsewhere"),
    [
        (
            keys.HEADER,
            EvalSet,
            {"default_language", "default_timeout_secs", "default_unsafe_code", "cases_from", "cases", "path", "hash"},
        ),
        (keys.case_table(language.find("rust")), Case, {"edition", "options"}),
        (EXPECTATIONS, Expectations, set()),
        (keys.dependency_table(), Dependency, set()),
        (keys.CONTEXT_FILE, ContextFile, set()),
        (keys.WEIGHTS, Weights, set()),
    ],
)
def test_the_key_table_and_the_dataclasses_have_the_same_fields(table, value, elsewhere):
    assert {key.name for key in table.keys} ^ set(to_file({field.name: field for field in fields(value)})) == elsewhere


def test_cases_inherit_language_and_timeout_from_the_set(write):
    header = HEADER + 'default_language = "python"\ndefault_timeout_secs = 5\n'
    (loaded,) = evalset.load(write(header + CASE))
    assert (loaded.cases[0].language, loaded.cases[0].timeout_secs) == ("python", 5.0)


def test_the_language_is_rust_and_the_timeout_a_minute_by_default(write):
    (loaded,) = evalset.load(write(HEADER + CASE))
    assert (loaded.cases[0].language, loaded.cases[0].timeout_secs) == ("rust", 60.0)
    assert loaded.weights == Weights()


def test_eval_sets_of_the_rust_tool_are_read_unchanged(write):
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
    assert (case.timeout_secs, case.max_tokens, case.options) == (90.0, 2048, {})
    assert case.expectations.expected_functions == ("with_timeout",)
    assert case.prompt.startswith("Write:\n\n```rust\npub async")


def test_a_case_that_must_not_compile_needs_no_tests(write):
    (loaded,) = evalset.load(write(HEADER + CASE.replace('test_file = "t"', "should_compile = false")))
    assert loaded.cases[0].expectations == Expectations(should_compile=False)


def test_a_byte_order_mark_and_windows_line_endings_are_accepted(write):
    plain = evalset.load(write(HEADER + CASE, "plain.toml"))[0]
    windows = evalset.load(write(b"\xef\xbb\xbf" + (HEADER + CASE).replace("\n", "\r\n").encode(), "crlf.toml"))[0]
    assert windows.hash == plain.hash


def test_the_hash_depends_on_the_content_only(write):
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


def test_writing_a_default_explicitly_does_not_change_the_hash(write):
    plain = evalset.load(write(HEADER + CASE))[0]
    spelt = CASE.replace('"p"', '"p"\nedition = "2021"\ntags = []\ntimeout_secs = 60\nlanguage = "rust"')
    assert evalset.load(write(HEADER + 'description = ""\n' + spelt))[0].hash == plain.hash


def test_packages_of_python_may_be_written_as_texts(tmp_path: Path) -> None:
    case = CASE.replace(
        'prompt = "p"\n', 'prompt = "p"\nlanguage = "python"\ndependencies = ["numpy==2.1.0", "a[x, y]"]\n'
    )
    file = tmp_path / "set.toml"
    file.write_text(HEADER + case)
    [eval_set] = evalset.load(file)
    assert eval_set.cases[0].dependencies == (
        Dependency(name="numpy", version="==2.1.0"),
        Dependency(name="a", version="*", features=("x", "y")),
    )
