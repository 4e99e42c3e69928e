"""Mutants are chosen from what the run wrote, spread over it, and never from its tests."""

from __future__ import annotations

from nerv.verification.mutants import Mutation, choose, in_order, written_lines
from verified_projects import tree_of


def per_line(path, text, lines):
    """Two mutations of each line."""
    return [
        Mutation(path=path, line=line, before="a", after=after, content=after.encode())
        for line in sorted(lines)
        for after in ("b", "c")
    ]


def chosen(base, result, most):
    found = choose(per_line, None if base is None else tree_of(base), tree_of(result), lambda p: "test" in p, most)
    return [(each.path, each.line, each.after) for each in found]


def test_only_new_and_changed_lines_count():
    assert written_lines("a\nb\nc\n", "a\nB\nc\nd\n") == {2, 4}
    assert chosen({"a.py": "a\nb\n"}, {"a.py": "a\nB\n", "b.py": ""}, 9) == [("a.py", 2, "b"), ("a.py", 2, "c")]


def test_tests_are_left_alone_also_inside_of_rust_files():
    assert chosen({}, {"test_a.py": "a\n"}, 9) == []
    rust = "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n"
    assert {line for _, line, _ in chosen({}, {"lib.rs": rust}, 9)} == {1, 2}


def test_scripts_are_changed_only_if_nothing_else_was_written():
    assert {path for path, _, _ in chosen({}, {"bin/update.py": "a\n", "shop.py": "a\n"}, 9)} == {"shop.py"}
    assert {path for path, _, _ in chosen({}, {"bin/update.py": "a\n"}, 9)} == {"bin/update.py"}


def test_different_lines_come_before_a_second_change_to_the_same_line():
    assert chosen(None, {"a.py": "1\n2\n3\n"}, 3) == [("a.py", 1, "b"), ("a.py", 2, "b"), ("a.py", 3, "b")]
    assert len(chosen(None, {"a.py": "1\n2\n3\n"}, 5)) == 5


def test_a_selection_is_spread_over_all_lines_and_the_same_each_time():
    text = "x\n" * 100
    lines = [line for _, line, _ in chosen(None, {"a.py": text}, 4)]
    assert lines == [1, 26, 51, 76]


def test_a_file_that_is_no_text_is_left_out():
    tree = tree_of({"a.py": "a\n"})
    broken = {path: type(file)(content=b"\xff\xfe") for path, file in tree.items()}
    assert choose(per_line, None, broken, lambda _: False, 9) == ()


def test_the_order_is_mixed_and_the_same_each_time():
    lines = [Mutation(path="a.py", line=line, before="a", after="b", content=b"%d" % line) for line in range(50)]
    assert sorted(in_order(lines), key=lambda each: each.line) == lines
    assert in_order(lines) == in_order(lines[::-1])
    assert {each.line // 10 for each in in_order(lines)[:12]} == {0, 1, 2, 3, 4}
