"""Base and result of a run, as its repository holds them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nerv.readers.git import patch
from nerv.verification.ecosystems import pytest_suite
from nerv.verification.ecosystems.all import Project, find_projects
from nerv.verification.repository import RepositorySource, Trees, read_trees
from nerv.verification.trees import NotVerifiable
from verified_projects import make_repository, tree_of

PATCH = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+patched\n"


def test_the_result_is_the_working_tree(tmp_path):
    source = make_repository(tmp_path / "r", {"a": "one\n"}, {"a": "two\n"}, commit=False)
    trees = read_trees(source)
    assert (trees.base["a"].text, trees.result["a"].text) == ("one\n", "two\n")


def test_changes_beside_commits_are_told(tmp_path):
    source = make_repository(tmp_path / "r", {"a": "one\n"}, {"a": "two\n"})
    assert read_trees(source).uncommitted == ()
    (source.folder / "b").write_text("new\n")
    assert read_trees(source).uncommitted == ("b",)
    at_base = make_repository(tmp_path / "s", {"a": "one\n"}, {"a": "two\n"}, commit=False)
    assert read_trees(at_base).uncommitted == ()


def test_a_patch_that_the_user_names_is_the_result(tmp_path):
    (tmp_path / "p").write_text(PATCH)
    source = make_repository(tmp_path / "r", {"a": "one\n"}, {"a": "two\n"})
    assert read_trees(replace(source, patch=tmp_path / "p")).result["a"].text == "patched\n"


def test_the_patch_of_the_results_folder_counts_only_while_the_repository_is_at_its_base(tmp_path):
    (tmp_path / "p").write_text(PATCH)
    at_base = make_repository(tmp_path / "r", {"a": "one\n"}, {})
    changed = make_repository(tmp_path / "s", {"a": "one\n"}, {"a": "two\n"})
    assert read_trees(replace(at_base, fallback_patch=tmp_path / "p")).result["a"].text == "patched\n"
    assert read_trees(replace(changed, fallback_patch=tmp_path / "p")).result["a"].text == "two\n"


def test_the_changes_in_the_log_count_while_the_repository_is_at_its_base(tmp_path):
    diff = patch.parse(enumerate(PATCH.encode().splitlines(), 1), "p")
    source = make_repository(tmp_path / "r", {"a": "one\n"}, {})
    assert read_trees(replace(source, recorded=diff)).result["a"].text == "patched\n"


def test_a_single_commit_is_all_the_run_s_work(tmp_path):
    source = make_repository(tmp_path / "r", {"a": "one\n"}, {}, commit=False)
    assert read_trees(replace(source, base=None)).base is None


def test_without_a_named_base_the_root_commit_is_the_base(tmp_path):
    source = make_repository(tmp_path / "r", {"a": "one\n"}, {"a": "two\n"})
    assert read_trees(replace(source, base=None)).base["a"].text == "one\n"


def test_an_unknown_base_is_a_reason(tmp_path):
    source = make_repository(tmp_path / "r", {"a": "one\n"}, {})
    with pytest.raises(NotVerifiable, match="no such revision"):
        read_trees(replace(source, base="gone"))


def test_the_git_folder_of_a_results_folder_may_not_point_elsewhere(tmp_path):
    elsewhere = make_repository(tmp_path / "elsewhere", {"secret": "x\n"}, {})
    own = tmp_path / "results" / "repo"
    own.mkdir(parents=True)
    (own / ".git").write_text(f"gitdir: {elsewhere.folder}/.git\n")
    (own / "a").write_text("mine\n")
    trees = read_trees(RepositorySource(folder=own, is_untrusted=True))
    assert trees.base is None
    assert "secret" not in trees.result


def test_an_overlay_takes_tests_from_one_tree_and_code_from_the_other():
    base = tree_of({"calc.py": "old", "tests/test_a.py": "old", "tests/gone.json": "old", "conftest.py": "old"})
    result = tree_of({"calc.py": "new", "tests/test_a.py": "new", "tests/test_new.py": "new", "helper.py": "new"})
    trees = Trees(base=base, result=result)
    project = Project(folder="", ecosystem=pytest_suite)
    assert trees.overlay(project, result, base) == tree_of(
        {
            "calc.py": "new",
            "helper.py": "new",
            "tests/test_a.py": "old",
            "tests/gone.json": "old",
            "conftest.py": "old",
        }
    )
    assert trees.changed_files(project) == {"tests/test_a.py", "tests/gone.json", "tests/test_new.py", "conftest.py"}


def test_projects_below_the_root_count_if_the_root_has_none():
    below = tree_of(
        {"backend/go.mod": "module x\n", "backend/a_test.go": "", "web/package.json": '{"scripts": {"test": "jest"}}'}
    )
    assert [(project.folder, project.ecosystem.NAME) for project in find_projects(below)] == [
        ("backend", "go"),
        ("web", "node"),
    ]
    above = {**below, **tree_of({"test_a.py": "def test_a(): ...\n"})}
    assert [(project.folder, project.ecosystem.NAME) for project in find_projects(above, above)] == [("", "pytest")]


def test_a_changed_folder_in_another_language_is_a_project_beside_the_root_s():
    base = {
        "tests/test_a.py": "def test_a():\n    pass\n",
        "page/package.json": '{"scripts": {"test": "node --test"}}',
        "page/w.js": "1",
        "page/w.test.js": "",
        "tests/data/package.json": '{"scripts": {"test": "node --test"}}',
    }
    changed = {**base, "page/w.js": "2", "tests/data/w.js": "2"}

    def projects(*trees):
        return [(project.folder, project.ecosystem.NAME) for project in find_projects(*map(tree_of, trees))]

    assert projects(base, changed) == [("", "pytest"), ("page", "node")]
    assert projects(base, {**base, "b.py": ""}) == [("", "pytest")]


def test_make_counts_only_where_nothing_else_is_declared():
    makefile = "test:\n\tpytest\n"
    assert [project.ecosystem.NAME for project in find_projects(tree_of({"Makefile": makefile}))] == ["make"]
    both = tree_of({"Makefile": makefile, "test_a.py": "def test_a(): ...\n"})
    assert [project.ecosystem.NAME for project in find_projects(both)] == ["pytest"]
