"""Files that only root may read can be shown to a sandbox of root's, which runs as another user."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from forgetest.errors import UserError
from forgetest.sandboxes import Sandbox
from forgetest.sandboxes.container.sandbox import Container
from forgetest.sandboxes.factory import open_sandbox
from forgetest.sandboxes.filesystem import idmapped_mounts
from forgetest.verdict import Execution, Mount, Step

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user's sandboxes read what that user can read")
SLOW, CONTAINERS = pytest.mark.slow, ("podman", "docker")
SYSTEM = tuple(Mount(source=path, target=path, optional=True) for path in ("/usr", "/bin", "/lib", "/lib64"))


@pytest.fixture(params=["mounted", "copied"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    monkeypatch.setenv("FORGETEST_CACHE", str(tmp_path / "cache"))
    if request.param == "copied":  # as on a filesystem without such mounts

        def refuse(*_: object) -> None:
            raise OSError(22, "Invalid argument")

        monkeypatch.setattr(idmapped_mounts, "mount", refuse)
    return str(request.param)


@pytest.fixture(params=["bubblewrap", "landlock", "none", *(pytest.param(name, marks=SLOW) for name in CONTAINERS)])
def sandbox(request: pytest.FixtureRequest, way: str) -> Iterator[Sandbox]:
    try:
        made = open_sandbox(request.param)
    except UserError as error:
        pytest.skip(str(error))
    yield made
    made.close()


@pytest.fixture
def toolchain(tmp_path: Path) -> Path:
    """A toolchain that root installed under the umask 077."""
    made = tmp_path / "home" / "toolchain"
    (made / "lib" / "deep").mkdir(parents=True)
    (made / "lib" / "deep" / "data").write_text("read\n")
    (made / "lib" / "link").symlink_to("deep/data")
    (made / "tool").write_text('#!/bin/sh\ncat "$1"\n')
    for path in (made.parent, made, *made.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o700 if path.is_dir() or path.name == "tool" else 0o600)
    return made


def use(sandbox: Sandbox, toolchain: Path, script: str) -> Execution:
    mounts = (*SYSTEM, Mount(source=str(toolchain), target="/tc"))
    return sandbox.run(
        Step(name="use", argv=("/bin/sh", "-c", script), mounts=mounts, env={"PATH": "/usr/bin:/bin", "TC": "/tc"})
    )


def test_a_folder_that_only_root_may_read_is_read_and_run(sandbox: Sandbox, toolchain: Path):
    execution = use(sandbox, toolchain, '"$TC/tool" "$TC/lib/deep/data"; cat "$TC/lib/link"; ls "$TC/lib"')
    assert (execution.stdout, execution.stderr) == (b"read\nread\ndeep\nlink\n", b"")


def test_one_file_that_only_root_may_read_is_run(sandbox: Sandbox, toolchain: Path):
    tool = Mount(source=str(toolchain / "tool"), target="/tc/bin/tool")
    data = Mount(source=str(toolchain / "lib/deep/data"), target="/tc/data")
    step = Step(name="use", argv=("/tc/bin/tool", "/tc/data"), mounts=(*SYSTEM, tool, data))
    execution = sandbox.run(step)
    assert (execution.stdout, execution.stderr) == (b"read\n", b"")


@pytest.mark.parametrize("way", ["mounted"], indirect=True)
def test_unreadable_files_in_a_readable_folder_can_be_read(
    sandbox: Sandbox, toolchain: Path, monkeypatch: pytest.MonkeyPatch
):
    if isinstance(sandbox, Container) and not sandbox.engine.sees_our_mounts:
        pytest.skip("a daemon does not see our mounts; only what is unreadable as a whole is copied for it")
    for folder in (toolchain, toolchain / "lib", toolchain / "lib/deep"):
        folder.chmod(0o755)
    mount, refused = idmapped_mounts.mount, list[OSError]()

    def note_refusals(source: Path, target: Path, owner: tuple[int, int], user: int) -> None:
        try:
            mount(source, target, owner, user)
        except OSError as error:
            refused.append(error)
            raise

    monkeypatch.setattr(idmapped_mounts, "mount", note_refusals)
    execution = use(sandbox, toolchain, 'cat "$TC/lib/deep/data"')
    if refused:
        pytest.skip(f"this file system has no id-mapped mounts: {refused[0]}")
    assert execution.stdout == b"read\n"


def test_it_cannot_be_changed(sandbox: Sandbox, toolchain: Path):
    script = 'cd "$TC"; echo x >tool; chmod 777 tool; rm -f tool; touch new; echo x >lib/deep/data; true'
    use(sandbox, toolchain, script)
    assert (toolchain / "tool").read_text() == '#!/bin/sh\ncat "$1"\n'
    assert (toolchain / "lib/deep/data").read_text() == "read\n"
    assert sorted(path.name for path in toolchain.iterdir()) == ["lib", "tool"]


def test_on_the_host_it_stays_unreadable_for_others(sandbox: Sandbox, toolchain: Path):
    use(sandbox, toolchain, "true")
    assert {path.lstat().st_mode & 0o077 for path in (toolchain, *toolchain.rglob("*")) if not path.is_symlink()} == {0}
    assert {path.lstat().st_uid for path in (toolchain, *toolchain.rglob("*"))} == {0}


def test_private_files_of_system_folders_are_never_shown(
    sandbox: Sandbox, toolchain: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(idmapped_mounts, "SYSTEM_FOLDERS", idmapped_mounts.SYSTEM_FOLDERS | {str(toolchain)})
    for folder in (toolchain, toolchain / "lib", toolchain / "lib/deep"):
        folder.chmod(0o755)
    execution = use(sandbox, toolchain, 'cat "$TC/lib/deep/data"')
    assert execution.stdout == b""
    assert b"denied" in execution.stderr


@pytest.mark.parametrize("way", ["copied"], indirect=True)
def test_a_copy_is_made_once_and_replaced_when_a_file_changes(sandbox: Sandbox, toolchain: Path, tmp_path: Path):
    copies = tmp_path / "cache" / "readable"
    use(sandbox, toolchain, "true")
    first = list(copies.iterdir())
    other = open_sandbox("bubblewrap")
    use(other, toolchain, "true")
    other.close()
    assert list(copies.iterdir()) == first

    (toolchain / "lib/deep/data").write_text("changed\n")
    (toolchain / "lib/deep/data").chmod(0o600)
    later = open_sandbox("bubblewrap")
    assert use(later, toolchain, 'cat "$TC/lib/deep/data"').stdout == b"changed\n"
    later.close()
    assert len(first) == len(list(copies.iterdir())) == 1
    assert list(copies.iterdir()) != first
