"""Rust text → tokens."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.toolchains.rust.source.endings import dangling_end
from forgetest.toolchains.rust.source.lexer import (
    closing_bracket,
    next_landmark,
    tokens,
    without_test_modules,
)
from forgetest.toolchains.rust.source.literals import string_value

PIECES = st.sampled_from(
    [
        *("fn", "r#fn", "x1", "größe", "'a", "'static", "'x'", "'\\''", "'\\u{1F980}'", "b'\\n'", "1.5e3", "0xFF_u8"),
        *('"a"', '"\\""', '"\\\\"', 'r"\\"', 'r#"a"b"#', 'r##""#"##', 'b"x"', 'br#"y"#', 'c"z"', '"a\nb"'),
        *("//c\n", "/*c*/", "/*a/*b*/c*/", "///d\n", " ", "\n", "\r\n", "\t"),
        *("::", "->", "=>", "==", "!=", "..", "&", "<", ">", "#", "!", "[", "]", "{", "}", "(", ")", "\\", "\0", "🦀"),
        *("/*", "*/", '"', "'", 'r#"', "/"),
    ]
)
RUST_LIKE = st.lists(PIECES).map("".join)
TEXT = RUST_LIKE | st.text()


def texts(text: str) -> list[str]:
    return [token.text for token in tokens(text)]


@given(TEXT)
def test_any_text_can_be_read_and_every_token_is_where_it_says(text: str):
    at = 0
    for token in tokens(text):
        assert text[token.start : token.end] == token.text != ""
        assert token.start >= at
        at = token.end


@given(TEXT)
def test_between_tokens_there_is_only_white_space_and_comments(text: str):
    found = tokens(text)
    ends = [0, *(token.end for token in found)]
    starts = [*(token.start for token in found), len(text)]
    for start, end in zip(ends, starts, strict=True):
        assert tokens(text[start:end]) == []


@given(RUST_LIKE)
def test_tokens_on_separate_lines_are_the_same_tokens(text: str):
    whole = texts(text)
    assert texts("\n".join(whole[:-1])) == whole[:-1]  # the last may be one that is not closed


@pytest.mark.parametrize("opened", ['r#"', '\\"', '"\\', "'\\u{", "/*", "b'", 'r"\\', "'a", "#[", "cfg_attr("])
def test_no_text_takes_quadratic_time(opened: str):
    started = time.thread_time()
    tokens(opened * 100_000)  # far too long for a look at the rest from each place
    assert time.thread_time() - started < 10


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a::b->c=>d==e!=f", ["a", "::", "b", "->", "c", "=>", "d", "==", "e", "!=", "f"]),
        ("'a 'b' '\\'' '\\x41' '\\u{41}' b'x'", ["'a", "'b'", "'\\''", "'\\x41'", "'\\u{41}'", "b'x'"]),
        ("&'a str, 'a'", ["&", "'a", "str", ",", "'a'"]),
        ("x<'a,'b>", ["x", "<", "'a", ",", "'b", ">"]),
        ('"a \\" b" c', ['"a \\" b"', "c"]),
        ('"\\\\" c', ['"\\\\"', "c"]),
        ('r#"a " b"# c', ['r#"a " b"#', "c"]),
        ('r##"a"# b"##', ['r##"a"# b"##']),
        ('r"\\" c', ['r"\\"', "c"]),
        ('br"x" b"y" cr#"z"# c"w"', ['br"x"', 'b"y"', 'cr#"z"#', 'c"w"']),
        ("r#type rtype r", ["r#type", "rtype", "r"]),
        ("a /* b /* c */ d */ e", ["a", "e"]),
        ("a // b\nc", ["a", "c"]),
        ("a //", ["a"]),
        ("a /* open", ["a"]),
        ('a "open b', ["a", '"open b']),
        ('a r#"open" b', ["a", 'r#"open" b']),
        ("1.0 1..2 0xFFu8 1e5 t.0.1", ["1.0", "1", ".", ".", "2", "0xFFu8", "1e5", "t", ".", "0.1"]),
        ('"// no comment" /* "no string" */', ['"// no comment"']),
        ("größe 日本", ["größe", "日本"]),
    ],
)
def test_text_is_split_into_tokens(text: str, found: list[str]):
    assert texts(text) == found


@pytest.mark.parametrize(("token", "is_name"), [("x", True), ("r#fn", True), ("_", True), ("größe", True)])
def test_identifiers_and_keywords_are_names(token: str, is_name: bool):
    assert tokens(token)[0].is_name == is_name


@pytest.mark.parametrize("token", ["1", '"x"', 'r"x"', 'b"x"', 'r#"x"#', "b'x'", "'x'", "'a", "::", "{"])
def test_literals_and_punctuation_are_not_names(token: str):
    assert not tokens(token)[0].is_name


def test_the_closing_bracket_is_found_across_literals():
    found = tokens("( [ { \")\" } ] ')' ) x")
    assert found[closing_bracket(found, 0)].text == ")"
    assert closing_bracket(found, 0) == 7
    assert closing_bracket(found, 1) == 5


def test_an_unclosed_bracket_extends_to_the_last_token():
    found = tokens("( a b")
    assert closing_bracket(found, 0) == 2


@pytest.mark.parametrize(
    ("token", "value"),
    [
        ('"plain"', "plain"),
        ('""', ""),
        (r'"\"quoted\" \\ \n\t\r\0 \'"', '"quoted" \\ \n\t\r\0 \''),
        (r'"\x41\u{42}\u{1F980}\u{1_F980}"', "AB🦀🦀"),
        ('"one \\\n      line"', "one line"),
        ('"one \\\r\n      line"', "one line"),
        ('r"no \\n escape"', "no \\n escape"),
        ('r#"a "quoted" word"#', 'a "quoted" word'),
        ('b"bytes"', "bytes"),
    ],
)
def test_the_value_of_a_string_literal(token: str, value: str):
    assert string_value(token) == value


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\r")))
def test_an_escaped_string_has_the_original_value(value: str):
    named = {"\n": r"\n", "\t": r"\t", "\0": r"\0", '"': r"\"", "\\": r"\\"}
    token = '"' + "".join(named.get(character, character) for character in value) + '"'
    assert texts(token) == [token]
    assert string_value(token) == value


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_every_character_can_be_escaped_by_its_number(value: str):
    assert string_value('"' + "".join(f"\\u{{{ord(character):x}}}" for character in value) + '"') == value


@given(st.text(alphabet='\\xu{}0Fn"\n_ '))
def test_any_string_literal_has_a_value(inside: str):
    for token in texts(f'"{inside}"'):
        if token.endswith('"') and len(token) > 1:
            string_value(token)


@given(st.text(alphabet='a"#\\\n'))
def test_the_value_of_a_raw_string_is_its_text(value: str):
    token = f'r####"{value}"####'
    if '"####' not in value:
        assert texts(token) == [token]
        assert string_value(token) == value


@pytest.mark.parametrize(
    ("end", "left"),
    [
        ("/* open", "an open comment"),
        ("/* /* nested */", "an open comment"),
        ("// a /* b\n/*", "an open comment"),
        ("/* closed */ // /* a remark", None),
        ('const A: &str = "open', "an open string"),
        ('const A: &str = r#"open"', "an open string"),
        ('const A: &str = r#"closed"#', None),
        ("/// a doc comment", "a doc comment"),
        ("//// a ruler", None),
        ("/** doc */", "a doc comment"),
        ("/**/ /*** ruler */", None),
        ("#[cfg(any())]", "an attribute"),
        ("#[cfg(any())] // and a remark", "an attribute"),
        ("const A: [u8; 1] = [0]", None),
        ("pub", "a visibility"),
        ("pub(crate)", "a visibility"),
        ("swallow! {", "an open macro call"),
        ("macro_rules! swallow { (", "an open macro call"),
        ("fn cut_off() { if x {", None),
        ("", None),
    ],
)
def test_the_end_of_a_text_may_leave_something_open(end, left):
    assert dangling_end("fn f() {}\n" + end) == left


@given(st.text(alphabet="/*\"'#[]{}()!pub rn\\\n", max_size=40))
def test_the_end_of_any_text_can_be_classified(text):
    assert dangling_end(text) is None or isinstance(dangling_end(text), str)


@pytest.mark.parametrize(
    ("code", "kept"),
    [
        ("#[cfg(test)] mod tests { a } b", "b"),
        ("a #[cfg(test)] pub(crate) mod tests { b { } } c", "a c"),
        ("#[cfg(test)] #[allow(x)] mod tests { a } b", "b"),
        ("#[cfg(test)] mod a { } #[cfg(test)] mod b { } c", "c"),
        ("#[cfg(test)] mod tests { a", ""),
        ("#[cfg(test)] use x; mod real { a }", "# [ cfg ( test ) ] use x ; mod real { a }"),
        ("#[cfg(test)] fn f() { }", "# [ cfg ( test ) ] fn f ( ) { }"),
        ("#[cfg(not(test))] mod real { }", "# [ cfg ( not ( test ) ) ] mod real { }"),
        ("mod tests { a }", "mod tests { a }"),
    ],
)
def test_only_modules_marked_as_tests_are_left_out(code: str, kept: str):
    assert " ".join(token.text for token in without_test_modules(tokens(code))) == kept


@pytest.mark.parametrize(
    ("text", "landmark"),
    [
        ("a + (", ("bracket", "(")),
        ("let x = 1;", ("semicolon", ";")),
        ("a\n  \nb", ("blank_line", "\n  ")),
        ("a // (\n;", ("comment", "// (")),
        ("a /* ( /* */ ) */ ;", ("comment", "/* ( /* */ ) */")),
        ("a /* open", ("comment", "/* open")),
        ('a "(\\"" ;', ("literal", '"(\\""')),
        ('a r#"("# ;', ("literal", 'r#"("#')),
        ("a '(' ;", ("literal", "'('")),
        ("it isn't ;", ("literal", "'t")),
    ],
)
def test_the_next_landmark_of_a_text(text: str, landmark: tuple[str, str]):
    found = next_landmark(text, 0, len(text))
    assert found is not None
    assert (found.kind, text[found.start : found.end]) == landmark


def test_a_landmark_behind_the_limit_is_not_found():
    assert next_landmark("abc (", 0, 4) is None


@given(TEXT)
def test_brackets_are_landmarks_exactly_if_they_are_tokens(text: str):
    brackets = [token.start for token in tokens(text) if token.text in ("(", ")", "[", "]", "{", "}")]
    landmarks, position = [], 0
    while (found := next_landmark(text, position, len(text))) is not None:
        landmarks += [found.start] if found.kind == "bracket" else []
        position = found.end
    assert landmarks == brackets
