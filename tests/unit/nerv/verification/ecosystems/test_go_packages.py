"""What a Go project imports, and what of it is built beforehand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nerv.verification.ecosystems import Host, Preparation, go_packages
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
