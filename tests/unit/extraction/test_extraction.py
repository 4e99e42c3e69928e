"""Finding code in a model's answer."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.extraction import extract

CORPUS = Path(__file__).parent / "corpus"
ANSWERS = sorted(CORPUS.glob("*.answer.md"))

ITEMS = [
    "use std::collections::{HashMap, hash_map::Entry as E};\n",
    "/// Doc with a fence:\n///\n/// ```\n/// let x = 1;\n/// ```\npub fn one() -> i32 {\n    1\n}\n",
    "#[derive(Debug)]\nstruct Point<'a> {\n    name: &'a str,\n}\n",
    "impl<'a> Point<'a> {\n    fn name(&self) -> &'a str {\n        self.name\n    }\n}\n",
    'const BRACES: &str = "}{ \\" // no comment";\n',
    'static RAW: &str = r#"" } fn fake() {"#;\n',
    "fn quote() -> char {\n    '\\'' // it's a quote {\n}\n",
    "/* a /* nested */ comment } */\nenum Side {\n    Left,\n    Right,\n}\n",
    "macro_rules! twice {\n    ($e:expr) => {\n        $e * 2\n    };\n}\n",
    "pub(crate) async fn later<T>(t: T) -> T\nwhere\n    T: Clone,\n{\n    t\n}\n",
    "#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn works() {}\n}\n",
]
PROSE = [
    "Here is the code:\n",
    "It isn't hard; don't worry.\n",
    "- a point (with brackets\n",
    "# Heading\n",
    "use the function below.\n",
    '5" is an inch\n',
]
SHREDS = [
    *ITEMS,
    *PROSE,
    "```\n",
    "```rust\n",
    "````md\n",
    "~~~\n",
    "> ",
    "  ",
    "\n",
    "}",
    "{",
    '"',
    "'",
    'r#"',
    "/*",
    "*/",
]
SHREDS += ["<think>", "</think>\n", "fn x(", "#[", "let x = (\n", "x", "\r\n", "\ufeff", ";\n"]

programs = st.lists(st.sampled_from(ITEMS), unique=True).map(lambda items: "\n".join([*items, "fn main() {}\n"]))
prose = st.lists(st.sampled_from(PROSE)).map("".join)
shreds = st.lists(st.sampled_from(SHREDS), max_size=12).map("".join)


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda path: path.name.removesuffix(".answer.md"))
def test_each_awkward_answer_of_the_corpus_gives_the_expected_code(answer):
    expected = answer.with_name(answer.name.replace(".answer.md", ".expected.rs"))
    code = expected.read_bytes().decode() if expected.exists() else None
    assert extract(answer.read_bytes().decode()) == code


def test_every_expected_file_in_the_corpus_belongs_to_an_answer():
    names = {path.name.removesuffix(".answer.md") for path in ANSWERS}
    assert len(names) >= 40
    assert {path.name.removesuffix(".expected.rs") for path in CORPUS.glob("*.expected.rs")} <= names


@given(st.one_of(st.text(), shreds), st.sampled_from(["rust", "python", "cobol"]))
def test_extraction_never_raises_and_never_returns_empty_code(text, language):
    code = extract(text, language)
    assert code is None or (code.strip() and code.endswith("\n"))


@given(
    program=programs,
    fence=st.sampled_from(["```", "````", "~~~", "~~~~~"]),
    tag=st.sampled_from(["rust", "Rust", "rs", "", " rust", "rust,no_run"]),
    indent=st.sampled_from(["", "  ", "\t", "> "]),
    before=prose,
    after=prose,
)
def test_a_fenced_program_comes_back_unchanged(program, fence, tag, indent, before, after):
    block = "".join(indent + line for line in f"{fence}{tag}\n{program}{fence}\n".splitlines(keepends=True))
    assert extract(f"{before}\n{block}\n{after}") == program


@given(programs, prose, prose)
def test_a_program_without_fences_is_separated_from_the_prose_around_it(program, before, after):
    assert extract(f"{before}\n{program}\n{after}") == program


@given(shreds.filter(lambda text: "```" not in text and "~~~" not in text))
def test_extracting_again_from_extracted_code_changes_nothing(text):
    code = extract(text)
    assert code is None or extract(code) == code


@given(programs)
def test_code_inside_a_reasoning_block_is_not_the_answer(program):
    assert extract(f"<think>\n```rust\n{program}```\n</think>\nI can't.") is None


@pytest.mark.parametrize(
    ("language", "answer", "code"),
    [
        ("python", "```python\ndef f():\n    return 1\n```\n```bash\npython f.py\n```", "def f():\n    return 1\n"),
        ("python", "1. x\n\n   ```py\n   def f():\n       return 1\n   ```", "def f():\n    return 1\n"),
        ("python", "```\nx = 1\n```\n```\nx = 1\ny = 2\n```", "x = 1\ny = 2\n"),
        ("go", "```golang\nfunc f() {}\n```", "func f() {}\n"),
        ("zig", "```zig\nfn f() void {}\n```", "fn f() void {}\n"),
        ("python", "import os\n\ndef f():\n    return os.name\n", "import os\n\ndef f():\n    return os.name\n"),
        ("python", "I cannot do that.\nSorry.", None),
        ("python", "", None),
    ],
)
def test_other_languages_are_found_by_their_tag(language, answer, code):
    assert extract(answer, language) == code


@pytest.mark.parametrize(
    "shred", ["fn x(\n", "```rust\n", "impl a\n", "let x = (\n", "use {, ", "/*", "#[", "'", "(", "pub "]
)
def test_the_time_for_a_hostile_answer_does_not_grow_quadratically(shred):
    small, large = (cpu_time_of_extracting(shred * repeats) for repeats in (250, 4000))

    assert large < 64 * small + 0.3  # 16 times the text: 16 times the time if linear, 256 times if quadratic


def cpu_time_of_extracting(answer):
    before = time.thread_time()
    extract(answer)
    return time.thread_time() - before


def test_the_last_blocks_of_an_answer_with_very_many_blocks_are_kept():
    answer = "".join(f"```rust\nfn f{number}() {{}}\n```\n" for number in range(1000))
    code = extract(answer)
    assert code is not None
    assert code.endswith("fn f999() {}\n")
