"""Changes that a log records, applied to the base commit."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerv.readers.git import patch
from nerv.verification.recorded_changes import changed_tree
from nerv.verification.trees import NotVerifiable
from verified_projects import tree_of


def diff_of(base, result):
    """Return the changes between two trees, as a reader gets them from a patch."""
    lines = []
    for path in sorted({*base, *result}):
        old, new = base.get(path), result.get(path)
        if old != new:
            names = ("/dev/null" if old is None else f"a/{path}", "/dev/null" if new is None else f"b/{path}")
            sides = ((old or "").splitlines(), (new or "").splitlines())
            lines += difflib.unified_diff(*sides, *names, lineterm="")
    return patch.parse(enumerate((line.encode() for line in lines), 1), "p")


text = st.lists(st.sampled_from("abc"), min_size=1, max_size=30).map(
    lambda lines: "".join(f"{line}\n" for line in lines)
)


@given(text, text)
def test_a_changed_file_is_the_one_that_the_diff_was_made_from(old, new):
    found = changed_tree(tree_of({"f": old}), diff_of({"f": old}, {"f": new}))
    assert found["f"].text == new


def test_files_are_added_and_deleted():
    base, result = {"a": "1\n", "b": "2\n"}, {"a": "1\n", "dir/c": "3\n4\n"}
    assert changed_tree(tree_of(base), diff_of(base, result)) == tree_of(result)


@pytest.mark.parametrize("base", [{"f": "other\n"}, {}])
def test_a_change_that_does_not_fit_the_base_is_a_reason(base):
    diff = diff_of({"f": "one\ntwo\n"}, {"f": "one\nthree\n"})
    with pytest.raises(NotVerifiable, match="does not fit"):
        changed_tree(tree_of(base), diff)
