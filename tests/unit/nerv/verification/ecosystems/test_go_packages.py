"""What a Go project imports, and what of it is built beforehand."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from nerv.verification.ecosystems import Host, Preparation, TestCommand, go_packages
from nerv.verification.trees import Tree, write_tree
from verified_projects import tree_of


def test_no_version_control_address_is_asked_for_modules():
    assert go_packages._registries({"GOPROXY": "https://proxy.example,direct"}) == "https://proxy.example"
    assert go_packages._registries({"GOPROXY": "direct"}) == "https://proxy.golang.org"


SOURCE = """\
package own

import "fmt"
import (
\t"net/http" // for answers
\tyaml "gopkg.in/yaml.v3"; "strings"
\t"example.org/own/inner"
)

const not_imported = "net/smtp"
"""


def imports_built_for(files: dict[str, str], tmp_path: Path) -> list[str]:
    """Return what is built beforehand, in the order of their packages."""
    built: list[str] = []

    def build(tree: Any, folder: str, command: object, preparation: object, keep: Path) -> None:
        assert folder == ""
        (keep / "gocache").mkdir()
        built.extend(file.text.split('"')[1] for path, file in sorted(tree.items()) if path.endswith(".go"))

    host = Host(cache_folder=tmp_path, environment={}, say=lambda _: None, build=build)
    go_packages._build_imports(tree_of(files), "go1", Preparation(), host)
    return built


def test_what_a_project_imports_beyond_the_usual_packages_is_built_once(tmp_path):
    files = {"go.mod": "module example.org/own\n", "own.go": SOURCE}
    assert imports_built_for(files, tmp_path) == ["gopkg.in/yaml.v3", "net/http"]
    assert imports_built_for(files, tmp_path) == []


def test_a_project_that_imports_nothing_else_builds_nothing(tmp_path):
    usual = 'package own\n\nimport (\n\t"C"\n\t"fmt"\n\t"strings"\n)\n'
    assert imports_built_for({"go.mod": "module own\n", "own.go": usual}, tmp_path) == []
    assert imports_built_for({"own.go": SOURCE}, tmp_path) == []


@pytest.mark.skipif(shutil.which("go") is None, reason="Go is not installed")
def test_what_cannot_be_found_keeps_nothing_else_from_being_built(tmp_path):
    cache = tmp_path / "gocache"

    def build(tree: Tree, folder: str, command: TestCommand, preparation: object, keep: Path) -> None:
        write_tree(tree, tmp_path / "project")
        environment = {**os.environ, **go_packages._ENVIRONMENT, "GOPROXY": "off", "GOCACHE": str(cache)}
        subprocess.run(command.argv, cwd=tmp_path / "project", env=environment, capture_output=True, check=False)
        (keep / "gocache").mkdir()

    source = 'package own\n\nimport (\n\t"container/ring"\n\t"example.net/gone"\n\t"internal/syscall/windows"\n)\n'
    files = {"go.mod": "module example.org/own\n\ngo 1.20\n", "own_windows.go": source}
    host = Host(cache_folder=tmp_path / "kept", environment={}, say=lambda _: None, build=build)
    go_packages._build_imports(tree_of(files), "go1", Preparation(), host)
    archives = [content for file in cache.rglob("*-d") if (content := file.read_bytes()).startswith(b"!<arch>")]
    assert any(b"container/ring" in content for content in archives)
