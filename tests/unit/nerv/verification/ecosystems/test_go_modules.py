"""Modules of a Go project: workspaces, folders that stand for modules, and what the registry has to provide."""

from __future__ import annotations

import pytest

from nerv.verification.ecosystems import go_modules
from nerv.verification.ecosystems.all import find_projects
from verified_projects import tree_of

TEST = "package a\n\nfunc TestA(t *testing.T) {}\n"
WORKSPACE = {
    "go.work": "go 1.22\n\nuse (\n\t./app // the program\n\t./lib\n\t../outside\n)\nuse ./gone\n",
    "app/go.mod": "module example.org/app\n\ngo 1.21\n\nrequire example.org/lib v0.0.0\nrequire example.com/x v1.2.3\n",
    "app/a_test.go": TEST,
    "lib/go.mod": "module example.org/lib\n\ngo 1.22.1\n\nrequire (\n\texample.com/y v0.1.0 // indirect\n)\n",
    "lib/l_test.go": TEST,
    "tool/go.mod": "module example.org/tool\n",
    "tool/t_test.go": TEST,
}


def test_a_workspace_has_the_modules_that_it_names_and_that_are_there():
    tree = tree_of(WORKSPACE)
    assert go_modules.tested_folders(tree) == ("app", "lib")
    assert go_modules.test_files(tree) == ["app/a_test.go", "lib/l_test.go"]
    assert go_modules.requirements(tree) == (
        "module prepared\ngo 1.22.1\nrequire example.com/x v1.2.3\nrequire example.com/y v0.1.0\n"
    )


@pytest.mark.parametrize("folder", ["./lib", "../lib", "/elsewhere"])
def test_what_a_folder_provides_is_not_asked_of_the_registry(folder):
    manifest = (
        "module example.org/own\n\nrequire (\n\texample.org/lib v0.0.0\n\texample.com/x v1.0.0\n)\n"
        f"replace (\n\texample.org/lib => {folder}\n\texample.com/x v1.0.0 => example.com/fork v1.0.1\n)\n"
    )
    files = {"go.mod": manifest, "lib/go.mod": "module example.org/lib\n\nrequire example.com/z v0.2.0\n"}
    required = go_modules.requirements(tree_of(files))
    assert "example.org/lib" not in required
    assert "require example.com/x v1.0.0\n" in required
    assert "replace example.com/x v1.0.0 => example.com/fork v1.0.1\n" in required
    assert ("example.com/z" in required) is (folder == "./lib")


def test_an_address_or_an_option_in_a_manifest_is_left_out():
    manifest = "module own\nrequire example.com/x --help\nrequire $(x) v1.0.0\nreplace example.com/x => a@b v1 v2\n"
    assert go_modules.requirements(tree_of({"go.mod": manifest})) == ""


@pytest.mark.parametrize("path", ["testdata/a_test.go", "vendor/x/a_test.go", "_old/a_test.go", ".x/a_test.go"])
def test_folders_that_go_leaves_out_have_no_tests(path):
    assert go_modules.test_files(tree_of({"go.mod": "module own\n", path: TEST})) == []


def test_a_module_below_another_is_a_project_of_its_own_unless_the_workspace_has_it():
    root = {"go.mod": "module example.org/root\n", "a_test.go": TEST}
    below = {"lib/go.mod": "module example.org/lib\n", "lib/l_test.go": TEST}
    changed = {**below, "lib/l.go": "package lib\n"}
    apart = find_projects(tree_of({**root, **below}), tree_of({**root, **changed}))
    assert [project.folder for project in apart] == ["", "lib"]
    work = {"go.work": "go 1.21\nuse (\n.\n./lib\n)\n"}
    together = find_projects(tree_of({**root, **work, **below}), tree_of({**root, **work, **changed}))
    assert [project.folder for project in together] == [""]
