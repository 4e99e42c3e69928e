"""Material for a judge, cut by importance."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from nerv.judge.material import diff_part
from nerv.readers.git import patch


def diff_of(*files):
    lines = []
    for path, count in files:
        lines += [f"diff --git a/{path} b/{path}", "--- /dev/null", f"+++ b/{path}", f"@@ -0,0 +1,{count} @@"]
        lines += [f"+line {number} of {path}" for number in range(count)]
    return patch.parse(enumerate((line.encode() for line in lines), 1), "p")


def test_a_small_diff_is_whole():
    part = diff_part(diff_of(("a.py", 3), ("b.md", 2)), 10_000)
    assert part.left_out == ""
    assert "+line 2 of a.py" in part.text
    assert "added b.md +2 -0" in part.text


def test_source_comes_before_tests_and_documents():
    part = diff_part(diff_of(("src/a.py", 200), ("tests/test_a.py", 200), ("notes.md", 200)), 6_000)
    assert part.text.count("of src/a.py") > 2 * part.text.count("of notes.md")
    assert "of 3 changed files" in part.left_out


def test_every_file_is_named_even_if_none_fits():
    part = diff_part(diff_of(*((f"src/f{number}.py", 400) for number in range(30))), 20_000)
    assert all(f"added src/f{number}.py +400 -0" in part.text for number in range(30))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a.py", "tests/t.py", "x.md", "deep/er/file.ts", "b.rs", "c.lock"]), st.integers(1, 300)
        ),
        unique_by=lambda pair: pair[0],
    ),
    st.integers(4_000, 40_000),
)
def test_no_diff_is_larger_than_its_budget(files, budget):
    assert len(diff_part(diff_of(*files), budget).text) <= budget
