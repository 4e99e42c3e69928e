"""Folders that are built once: what code of others leaves there is not trusted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nerv.verification.ecosystems import Host, Preparation, TestCommand
from nerv.verification.ecosystems.built_once import build_once


def build_with(leave: Callable[[Path], object] | None, tmp_path: Path, of: str = "a") -> Path | None:
    """Build something whose command leaves files in its work folder."""

    def build(tree: Any, folder: str, command: object, preparation: object, keep: Path) -> None:
        assert leave is not None
        leave(keep)

    host = Host(cache_folder=tmp_path / "cache", environment={}, say=lambda _: None, build=leave and build)
    command = TestCommand(argv=("x",), shown="x")
    built = "/w/project/target"
    return build_once(host, "some crates", [of], tree={}, command=command, preparation=Preparation(), built=built)


def leave_target(work: Path) -> None:
    (work / "project" / "target").mkdir(parents=True)
    (work / "project" / "target" / "crate").write_text("built")


def test_it_is_built_the_first_time_alone(tmp_path):
    folder = build_with(leave_target, tmp_path)
    assert folder is not None
    assert (folder / "crate").read_text() == "built"
    assert build_with(lambda _: pytest.fail("built again"), tmp_path) == folder
    assert build_with(leave_target, tmp_path, of="b") != folder


def test_without_a_sandbox_nothing_is_built_beforehand(tmp_path):
    assert build_with(None, tmp_path) is None


def test_a_link_in_the_place_of_the_folder_leads_nowhere(tmp_path):
    secret = tmp_path / "secret"
    (secret / "target").mkdir(parents=True)

    def link_folder(work: Path) -> None:
        (work / "project").mkdir()
        (work / "project" / "target").symlink_to(secret)

    def link_parent(work: Path) -> None:
        (work / "project").symlink_to(secret)

    for index, leave in enumerate((link_folder, link_parent, lambda _: None)):
        folder = build_with(leave, tmp_path, of=str(index))
        assert folder is not None
        assert (list(folder.iterdir()), folder.is_symlink()) == ([], False)
    assert (secret / "target").is_dir()
