"""Our lexer and rustc's find the same tokens in every text that we call unambiguous."""

from __future__ import annotations

import json
import random
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from corpus import SAMPLES
from external_data import external
from forgetest.toolchains.rust.source.ambiguity import ambiguity
from forgetest.toolchains.rust.source.lexer import code_start, tokens
from rustc_lexer import balanced, our_tokens, rustc_tokens, without_doc_texts

pytestmark = pytest.mark.slow

EDITIONS = ("2018", "2021", "2024")
MOST_PUBLISHED_CHARS = 4_000_000
ROOT = Path(__file__).resolve().parents[2]
# fmt: off
PIECES = [
    # names, lifetimes, characters
    "fn", "r#fn", "r#_x", "x1", "_", "größe", "日本", "e\u0301", "'a", "'static", "'r#a", "'_", "'x'", "'\\''", "'\"'",
    "'\\\\'", "'\\u{1F980}'", "'\\u{4_______________1}'", "'\\x41'", "'🦀'", "'/'", "b'\\n'", "b'x'", "b'\"'",
    "' '", "r",
    "b", "c", "br", "cr", "rb", "e", "E5", "\u00b7", "\u200d", "\u212a", "ª", "\U0001d4b3", "\ufeff",
    # numbers
    "1", "1.5e3", "0xFF_u8", "1.", "1..2", "1.0.0", "0b1_0", "0o17", "0x", "0b2", "1e", "1e+5", "1e-_5",
    "1_000", "2usize",
    "1.e5", "t.0.1", "0e0", "1.0f64", "0x1.5", "0xe+1", ".5", "7u_8", "3_", "1E", "00", "0_",
    # strings
    '"a"', '"\\""', '"\\\\"', 'r"\\"', 'r#"a"b"#', 'r##""#"##', 'b"x"', 'br#"y"#', 'c"z"', 'cr#"w"#', '"a\nb"',
    '"\\\n  b"',
    '"//"', '"/*"', '"*/"', "\"'\"", '"x"r', '"\\u{41}"', '"\\q"', '"\r\n"', '"é"', 'b"é"', 'r#"', '"', "'", "#",
    # comments and white space
    "//c\n", "/*c*/", "/*a/*b*/c*/", "///d\n", "//!e\n", "/**f*/", "/*!g*/", "/***/", "/**/", "////h\n",
    "// \"\n", "/*'*/",
    "/* \u200e */", " ", " ", " ", "\n", "\r\n", "\t", "\x0b", "\x0c", "\u0085", "\u200e", "\u200f", "\u2028",
    "\u2029",
    "\u00a0", "\u3000", "\ufeff", "\r", "/*", "*/", "/",
    # punctuation
    "::", "->", "=>", "==", "!=", "..", "..=", "...", "&", "&&", "<", "<<=", ">", "!", "[", "]", "{", "}", "(",
    ")", ";",
    ",", "$", "?", "@", "~", "%", "^", "|", "+", "-", "*", "=", ".", ":", "\\", "`", "\0", "🦀", "#!", "##",
    '#"', "#[",
]
# fmt: on


def corpus() -> Iterator[str]:
    """Yield real Rust: our own files, the hostile corpus, and code by people and models where it is at hand."""
    listed = subprocess.run(["git", "ls-files", "*.rs"], cwd=ROOT, check=True, capture_output=True, text=True)
    paths = {ROOT / name for name in listed.stdout.split()} | set(SAMPLES)
    yield from (path.read_bytes().decode(errors="replace") for path in sorted(paths))
    for path in sorted((ROOT / "eval-sets").rglob("*.toml")):
        yield from re.findall(r"'''\n(.*?)'''", path.read_text(encoding="utf-8"), re.DOTALL)
    for file in sorted({*external("").glob("*rust*.jsonl"), *external("").glob("*/*rust*.jsonl"), *_rust_recordings()}):
        for line in file.read_text(encoding="utf-8").splitlines():
            yield from _texts(json.loads(line))


def published_code(edition: str) -> Iterator[str]:
    """Yield a third of the files of crates that were fetched before, another one for each edition, up to a limit."""
    registry = Path.home() / ".cargo" / "registry" / "src"
    chars = 0
    for path in sorted(registry.rglob("*.rs"))[EDITIONS.index(edition) :: len(EDITIONS)]:
        text = path.read_bytes().decode(errors="replace")
        chars += len(text)
        if chars > MOST_PUBLISHED_CHARS:
            return
        yield text


def _rust_recordings() -> Iterator[Path]:
    yield from external("").glob("*_rs_*.jsonl")
    yield from external("").glob("*/*-rs.jsonl")


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, str) and "fn " in value:
        yield value


def agreement(texts: Sequence[str], edition: str) -> tuple[int, int]:
    """Compare the tokens of all texts that are unambiguous; return how many texts and tokens were compared."""
    # rustc's interface for macros knows no first line for the operating system; it is tested by compiling
    plain = [text for text in texts if code_start(text) <= 1]
    chosen = [text for text in dict.fromkeys(plain) if ambiguity(text, edition) is None]
    compared = 0
    for text, theirs in zip(chosen, rustc_tokens(chosen, edition), strict=True):
        assert theirs is not None, f"rustc does not accept {text!r}"
        ours = our_tokens(text)
        assert without_doc_texts(ours) == without_doc_texts(theirs), repr(text)
        compared += len(ours)
    return len(chosen), compared


def token_soup(chance: random.Random) -> str:
    """Return random pieces, with brackets that match."""
    return balanced("".join(chance.choices(PIECES, k=chance.randint(1, 12))))


def mutated(chance: random.Random, lines: list[str]) -> str:
    """Return a few lines of real code with some characters replaced, moved or left out."""
    start = chance.randrange(len(lines))
    text = "\n".join(lines[start : start + chance.randint(1, 12)])
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(text) + 1)
        match chance.randrange(3):
            case 0:
                text = text[:at] + chance.choice(PIECES) + text[at:]
            case 1:
                text = text[:at] + text[at + chance.randint(1, 3) :]
            case _:
                other = chance.randrange(len(text) + 1)
                text = text[:at] + text[other : other + 3] + text[at:]
    return balanced(text)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_tokens_of_real_code_are_those_of_rustc(edition: str, record_property: Callable[[str, object], None]):
    texts = list(dict.fromkeys([*corpus(), *published_code(edition)]))
    compared, count = agreement(texts, edition)
    record_property("compared", f"{compared} of {len(texts)} texts, {count} tokens")
    assert compared > 0.6 * len(texts)  # much of the hostile corpus is ambiguous


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_tokens_of_random_text_are_those_of_rustc(edition: str, record_property: Callable[[str, object], None]):
    chance = random.Random(edition)  # each edition has texts of its own: the same ones would show little more
    lines = "\n".join(corpus()).split("\n")
    texts = [token_soup(chance) for _ in range(30_000)] + [mutated(chance, lines) for _ in range(15_000)]
    compared, count = agreement(texts, edition)
    record_property("compared", f"{compared} of {len(texts)} texts, {count} tokens")
    assert compared > 10_000


FIRST_LINES = [
    *(
        "",
        "#!",
        "#!/bin/x",
        "#! /bin/x",
        "#!/*",
        "#!//",
        "#!///",
        "#!//!",
        "#!/**",
        "#!/*!",
        "#!/**/",
        "#!'",
        '#!"',
        '#!r#"',
    ),
    *(
        "#![allow(x)]",
        "#! [allow(x)]",
        "#! /* c */ [allow(x)]",
        "#!/** d */ [allow(x)]",
        "#!\u200e[allow(x)]",
        "#!\u00a0[",
    ),
    *(
        "#!\r",
        "#! // c",
        "#!/// d",
        "#!\\",
        "#!'a'",
        "#!/x [",
        "#!/x \u200e",
        "---",
        "--- x",
        " #!/x",
        "// #!/x",
        "/*#!*/",
    ),
]
SECOND_LINES = [
    "",
    "[allow(x)]",
    "/* c */ [allow(x)]",
    "// c\n[allow(x)]",
    "/*",
    "*/",
    "[",
    "---",
    '"',
    "'",
    "#!/x",
    "x",
]


def test_first_lines_are_read_as_rustc_reads_them(tmp_path: Path):
    """Whether `compile_error!` is code is what rustc says when it compiles the text."""
    file, decided = tmp_path / "first.rs", 0
    for mark in ("", "\ufeff"):
        for first in FIRST_LINES:
            for second in SECOND_LINES:
                text = f'{mark}{first}\n{second}\ncompile_error!("seen"); // */ \' "#\n'
                file.write_bytes(text.encode())
                call = ["rustc", "--crate-type=lib", "--emit=metadata", f"-o{tmp_path}/first.rmeta", str(file)]
                reported = subprocess.run(call, check=False, capture_output=True, text=True).stderr
                errors = set(re.findall(r"^error(?:\[\w+\])?: (?!aborting)(.*)$", reported, re.MULTILINE))
                ours = any(token.text == "compile_error" for token in tokens(text))
                if errors <= {"seen"}:  # no other error keeps rustc from expanding macros
                    decided += 1
                    assert ours == ("seen" in errors), repr(text)
                elif "seen" in errors:
                    assert ours, repr(text)
    assert decided > 40
