from __future__ import annotations

import sys
from pathlib import Path

import pytest

from forgetest import plugins
from forgetest.errors import UserError
from forgetest.executors import local
from forgetest.plugins import Kind


@pytest.mark.parametrize(
    ("kind", "ours"),
    [
        ("providers", "embedded"),
        ("toolchains", "rust"),
        ("sandboxes", "bubblewrap"),
        ("executors", "local"),
        ("renderers", "json"),
    ],
)
def test_our_own_implementations_are_found_as_plugins(kind: Kind, ours: str) -> None:
    assert ours in plugins.names(kind)
    assert plugins.find(kind, ours) is not None


def test_a_plugin_is_the_object_that_its_entry_point_names() -> None:
    assert plugins.find("executors", "local") is local.create


def test_a_plugin_that_is_not_installed_is_an_error_with_the_nearest_name() -> None:
    with pytest.raises(UserError, match='renderer markdwn: not installed; did you mean "markdown"'):
        plugins.find("renderers", "markdwn")
    with pytest.raises(UserError, match="toolchain haskell: not installed; there are: "):
        plugins.find("toolchains", "haskell")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install another distribution on the path."""
    info = tmp_path / "others-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[forgetest.executors]\nfarm = others_plugin:create\nbroken = others_missing:create\n"
    )
    (tmp_path / "others_plugin.py").write_text("def create(parallelism):\n    return parallelism\n")
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_a_plugin_is_imported_when_it_is_used_and_not_before(installed: Path) -> None:
    assert {"farm", "local"} <= set(plugins.names("executors"))
    assert "others_plugin" not in sys.modules

    assert plugins.find("executors", "farm")(7) == 7


def test_a_plugin_that_cannot_be_imported_does_not_hide_the_others(installed: Path) -> None:
    assert "broken" in plugins.names("executors")
    assert plugins.find("executors", "local") is local.create
    with pytest.raises(UserError, match=r"cannot be loaded: .*others_missing"):
        plugins.find("executors", "broken")
