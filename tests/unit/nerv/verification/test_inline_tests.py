"""Tests in Rust's source files, exchanged between two versions of the file."""

from __future__ import annotations

from nerv.verification import inline_tests as tests_in_files
from nerv.verification.inline_tests import exchange, inline_tests
from nerv.verification.trees import TreeFile

CODE = 'pub fn add(a: i64, b: i64) -> i64 {{\n    {}\n}}\n\nconst TEXT: &str = "#[cfg(test)] mod x {{";\n'
TESTS = (
    "#[cfg(test)]\n#[allow(unused)]\nmod tests {{\n    #[test]\n"
    "    fn adds() {{ assert_eq!(super::add(1, 2), {}); }}\n}}\n"
)


def file(body, expected=None):
    tests = "" if expected is None else "\n" + TESTS.format(expected)
    return TreeFile(content=(CODE.format(body) + tests).encode())


def test_weakened_tests_are_replaced_by_the_old_ones():
    found = exchange("src/lib.rs", file("4", "4"), file("a + b", "3"))
    assert found.text == CODE.format("4") + "\n" + TESTS.format("3")


def test_deleted_tests_come_back_and_new_ones_go():
    assert exchange("src/lib.rs", file("4"), file("a + b", "3")).text == CODE.format("4") + "\n" + TESTS.format("3")
    assert "mod tests" not in exchange("src/lib.rs", file("4", "4"), file("a + b")).text


def test_a_file_with_the_same_tests_or_none_is_left_alone():
    same = file("b + a", "3")
    assert exchange("src/lib.rs", same, file("a + b", "3")) is same
    assert exchange("src/lib.rs", file("4"), None) == file("4")
    assert exchange("a.py", TreeFile(content=b"#[cfg(test)]"), None).content == b"#[cfg(test)]"


def test_only_what_is_marked_belongs_to_the_tests():
    assert inline_tests("src/lib.rs", file("a + b")) == b""
    helper = b"#[cfg(test)]\nfn helper() {}"
    assert inline_tests("src/lib.rs", TreeFile(content=helper + b"\nmod other {}\n")) == helper
    assert inline_tests("src/lib.rs", TreeFile(content=b"#[inline]\nfn test() {}\n// #[test]\nfn other() {}\n")) == b""


def test_tests_may_stand_among_the_code():
    for mark in (b"#[test]", b"#[tokio::test]", b'#[tokio::test(flavor = "multi_thread")]', b"#[test]\n#[ignore]"):
        test = mark + b"\nfn adds() {\n    assert_eq!(add(1, 2), 3);\n}"
        before = TreeFile(content=b"pub fn add() {}\n\n" + test + b"\n\npub fn sub() {}\n")
        after = TreeFile(content=b"pub fn add() { todo!() }\n\npub fn sub() {}\n")
        assert exchange("src/lib.rs", after, before).content == after.content + b"\n" + test + b"\n"
        assert b"fn adds" not in exchange("src/lib.rs", before, after).content
        lines = len(mark.split(b"\n"))
        assert tests_in_files.test_lines("src/lib.rs", before) == frozenset(range(3, 6 + lines))


def test_a_module_of_tests_may_be_declared_whose_text_is_another_file():
    declared = b"#[cfg(test)]\nmod tests;"
    before = TreeFile(content=b"pub fn add() {}\n\n" + declared + b"\n")
    after = TreeFile(content=b"pub fn add() -> u8 { 1 }\n")
    assert exchange("src/lib.rs", after, before).content == after.content + b"\n" + declared + b"\n"
    assert b"mod tests" not in exchange("src/lib.rs", before, after).content


def test_comments_between_attributes_and_further_conditions_keep_a_module_of_tests():
    for mark in (b'#[cfg(test)]\n// for no_std\n#[cfg(feature = "alloc")]', b'#[cfg(all(test, feature = "std"))]'):
        tests = mark + b"\nmod tests {\n    #[test]\n    fn adds() {}\n}"
        code = TreeFile(content=b"pub fn add() {}\n\n" + tests + b"\n")
        assert inline_tests("src/lib.rs", code) == tests
        assert exchange("src/lib.rs", code, file("4", "4")).text.count("mod tests") == 1
    for mark in (b"#[cfg(not(test))]", b"#[cfg(any(test, fuzzing))]", b"#[cfg(all(unix, not(test)))]"):
        assert inline_tests("src/lib.rs", TreeFile(content=mark + b"\nmod checks {}\n")) == b""


MANIFEST = """[package]
name = "shop"

[dependencies]
time = "0.3"

[dev-dependencies]
rand = "%s"

[target.'cfg(unix)'.dev-dependencies.nix]
version = "%s"

[features]
std = []
"""


def test_tests_bring_the_crates_that_only_they_require():
    ours, theirs = (TreeFile(content=(MANIFEST % each).encode()) for each in (("0.8", "1"), ("0.4", "2")))
    found = exchange("Cargo.toml", ours, theirs).text
    assert found.count("dev-dependencies") == 2
    assert ('rand = "0.4"' in found, 'rand = "0.8"' in found, 'version = "2"' in found) == (True, False, True)
    assert found.index("[features]") > found.index('time = "0.3"')
    with_newer_time = TreeFile(content=theirs.content.replace(b"0.3", b"0.9"))
    assert 'time = "0.3"' in exchange("Cargo.toml", ours, with_newer_time).text
    assert exchange("Cargo.toml", ours, ours) is ours
    assert exchange("Cargo.toml", ours, None) is ours
