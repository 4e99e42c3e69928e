"""Trees: read from commits, working trees, folders and patches."""

from __future__ import annotations

import io
import os
import tarfile

import pytest

from nerv.verification.trees import (
    NotVerifiable,
    TreeFile,
    archive,
    commit_tree,
    folder_tree,
    patched_tree,
    working_tree,
)
from verified_projects import make_repository


def texts(tree):
    return {path: file.text for path, file in tree.items()}


def test_a_commit_is_read_without_checking_it_out(tmp_path):
    source = make_repository(tmp_path / "r", {"a.txt": "one\n", "dir/ä b.txt": "two\n"}, {"a.txt": "three\n"})
    assert texts(commit_tree(source.folder, "base")) == {"a.txt": "one\n", "dir/ä b.txt": "two\n"}
    assert texts(commit_tree(source.folder, "HEAD"))["a.txt"] == "three\n"


def test_attributes_of_the_repository_hide_nothing(tmp_path):
    source = make_repository(tmp_path / "r", {".gitattributes": "test_a.py export-ignore\n", "test_a.py": "x\n"}, {})
    assert "test_a.py" in commit_tree(source.folder, "base")


def test_a_working_tree_has_new_files_but_none_that_are_ignored(tmp_path):
    source = make_repository(
        tmp_path / "r", {"a": "1\n", ".gitignore": "*.log\n"}, {"b": "2\n", "x.log": "3\n"}, commit=False
    )
    assert sorted(working_tree(source.folder)) == [".gitignore", "a", "b"]


def test_a_deleted_file_is_not_in_the_working_tree(tmp_path):
    source = make_repository(tmp_path / "r", {"a": "1\n", "b": "2\n"}, {"b": None}, commit=False)
    assert sorted(working_tree(source.folder)) == ["a"]


def test_links_pipes_and_modes_are_kept_apart(tmp_path):
    (tmp_path / "plain").write_text("x")
    (tmp_path / "run").write_text("x")
    (tmp_path / "run").chmod(0o755)
    (tmp_path / "link").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "pipe")
    tree = folder_tree(tmp_path)
    assert tree == {
        "plain": TreeFile(content=b"x"),
        "run": TreeFile(content=b"x", executable=True),
        "link": TreeFile(link="/etc/passwd"),
    }


def test_a_linked_folder_is_not_entered(tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_text("x")
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "way").symlink_to(tmp_path / "outside")
    assert [path for path in folder_tree(tmp_path / "inside") if "secret" in path] == []


def test_a_patch_is_applied_to_the_base(tmp_path):
    patch = b"--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+two\n--- /dev/null\n+++ b/dir/b\n@@ -0,0 +1 @@\n+new\n"
    tree = {"a": TreeFile(content=b"one\n"), "l": TreeFile(link="a")}
    found = patched_tree(tree, patch)
    assert (found["a"].content, found["dir/b"].content, found["l"].link) == (b"two\n", b"new\n", "a")


@pytest.mark.parametrize(
    "patch",
    [
        b"--- a/a\n+++ b/a\n@@ -1 +1 @@\n-other\n+two\n",
        b"--- /dev/null\n+++ b/../outside\n@@ -0,0 +1 @@\n+new\n",
        b"--- /dev/null\n+++ b/.git/hooks/x\n@@ -0,0 +1 @@\n+new\n",
        b"no patch at all",
    ],
)
def test_a_patch_that_does_not_apply_or_leads_out_is_refused(patch):
    with pytest.raises(NotVerifiable):
        patched_tree({"a": TreeFile(content=b"one\n")}, patch)


def test_an_archive_has_the_files_with_their_modes_and_the_same_bytes_each_time():
    tree = {"b/run": TreeFile(content=b"x", executable=True), "a": TreeFile(link="b/run")}
    content = archive(tree)
    assert content == archive(dict(reversed(tree.items())))
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        entries = {entry.name: (entry.mode, entry.linkname) for entry in tar}
    assert entries == {"a": (0o644, "b/run"), "b/run": (0o755, "")}
