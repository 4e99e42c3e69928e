"""Translating a step's paths where nothing can be mounted."""

from __future__ import annotations

from pathlib import Path

import pytest

from forgetest.errors import MachineryError
from forgetest.sandboxes.filesystem import path_translation
from forgetest.verdict import Mount, Step


def lay_out(step: Step, root: Path) -> path_translation.Layout:
    return path_translation.lay_out(step, root, lambda source: source)


@pytest.fixture
def tool(tmp_path: Path) -> Path:
    folder = tmp_path / "tool"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "cc").write_text("cc")
    return folder


def test_paths_in_arguments_and_environment_are_translated(tmp_path: Path, tool: Path):
    root = tmp_path / "root"
    root.mkdir()
    step = Step(
        name="s",
        argv=("/tc/bin/cc", "-o/w/out", "--sysroot=/tc", "--map=/w/a.rs=a", "keep/tc", "/tcx", "/w2"),
        env={"P": "/tc:/w", "Q": "x/w"},
        mounts=(Mount(source=str(tool), target="/tc"),),
        files={"a.rs": b"include /w/a.rs, not /w/b.rs"},
        stdin=b"/w/a.rs /tc",
    )
    got = lay_out(step, root)
    assert got.step.argv == (
        f"{root}/tc/bin/cc",
        f"-o{root}/w/out",
        f"--sysroot={root}/tc",
        f"--map={root}/w/a.rs=a",
        "keep/tc",
        "/tcx",
        "/w2",
    )
    assert got.step.env == {"P": f"{root}/tc:{root}/w", "Q": "x/w"}
    assert (root / "w" / "a.rs").read_text() == f"include {root}/w/a.rs, not /w/b.rs"
    assert got.step.stdin == f"{root}/w/a.rs /tc".encode()
    assert (root / "tc" / "bin" / "cc").read_text() == "cc"
    assert path_translation.translate_back(f"{root}/w/out {root}/tc".encode(), got) == b"/w/out /tc"


def test_a_mount_inside_another_mount_covers_it(tmp_path: Path, tool: Path):
    root, other = tmp_path / "root", tmp_path / "other"
    root.mkdir()
    other.write_text("another cc")
    mounts = (Mount(source=str(tool / "bin"), target="/t"), Mount(source=str(other), target="/t/cc"))
    lay_out(Step(name="s", argv=("/t/cc",), mounts=mounts), root)
    assert (root / "t" / "cc").read_text() == "another cc"
    assert (tool / "bin" / "cc").read_text() == "cc", "the host's own file is unchanged"


def test_a_mount_at_its_own_path_is_not_translated(tmp_path: Path):
    step = Step(name="s", argv=("/usr/bin/env",), mounts=(Mount(source="/usr", target="/usr"),))
    assert lay_out(step, tmp_path).step.argv == ("/usr/bin/env",)


def test_a_missing_mount_is_an_error_unless_it_is_optional(tmp_path: Path):
    missing = Mount(source="/no/such", target="/x-missing")
    with pytest.raises(MachineryError, match="/no/such"):
        lay_out(Step(name="s", argv=("a",), mounts=(missing,)), tmp_path)
