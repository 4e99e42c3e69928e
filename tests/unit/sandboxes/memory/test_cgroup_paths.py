"""Folders for memory cgroups, from what the kernel reports on machines of all sorts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from forgetest.sandboxes.memory import cgroup_paths
from forgetest.sandboxes.memory.cgroup import CgroupV1, CgroupV2, MemoryCgroup
from forgetest.sandboxes.memory.cgroup_paths import parse
from forgetest.sandboxes.memory.pool import CgroupPool


def mounted(kind: str, point: Path, *, root: str = "/", options: str = "rw") -> str:
    return (
        f"35 31 0:32 {root} {str(point).replace(' ', chr(92) + '040')} rw,relatime shared:5 - {kind} {kind} {options}\n"
    )


def cgroup(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name.replace("__", ".")).write_text(content)
    return folder


def test_in_version_1_cgroups_go_below_our_own(tmp_path: Path):
    mounts = (
        mounted("tmpfs", tmp_path)
        + mounted("cgroup", tmp_path / "pids", options="rw,pids")
        + mounted("cgroup", tmp_path / "memory", options="rw,memory")
    )
    found = parse(mounts, "8:pids:/a\n4:memory:/jobs/7\n0::/\n")
    assert [(parent.version, parent.folder, parent.own) for parent in found] == [
        (1, tmp_path / "memory/jobs/7", tmp_path / "memory/jobs/7")
    ]


def test_a_container_sees_only_a_part_of_the_hierarchy(tmp_path: Path):
    mounts = mounted("cgroup", tmp_path, root="/docker/abc", options="rw,memory")
    assert [parent.folder for parent in parse(mounts, "4:memory:/docker/abc/inner\n")] == [tmp_path / "inner"]


def test_a_part_of_the_hierarchy_without_us_is_ignored(tmp_path: Path):
    mounts = mounted("cgroup", tmp_path, root="/docker/abc", options="rw,memory")
    assert parse(mounts, "4:memory:/docker/other\n") == []


def test_a_mount_point_may_have_spaces(tmp_path: Path):
    point = tmp_path / "a b"
    found = parse(mounted("cgroup", point, options="rw,cpu,memory"), "4:cpu,memory:/\n")
    assert [parent.folder for parent in found] == [point]


def test_controllers_that_are_not_mounted_are_ignored():
    assert parse("", "4:memory:/\n0::/\n") == []


def test_version_2_without_a_memory_controller_is_ignored(tmp_path: Path):
    cgroup(tmp_path, cgroup__controllers="hugetlb", cgroup__subtree_control="")
    assert parse(mounted("cgroup2", tmp_path), "0::/\n") == []


def test_in_a_session_of_version_2_cgroups_go_beside_our_own(tmp_path: Path):
    cgroup(tmp_path / "app.slice", cgroup__controllers="memory pids", cgroup__subtree_control="memory pids")
    own = cgroup(tmp_path / "app.slice/shell.scope", cgroup__controllers="memory pids", memory__max="max\n")
    found = parse(mounted("cgroup2", tmp_path), "0::/app.slice/shell.scope\n")
    assert [parent.folder for parent in found] == [own, own.parent]
    assert {(parent.version, parent.own) for parent in found} == {(2, own)}


def test_cgroups_do_not_go_beside_our_own_if_it_has_a_limit(tmp_path: Path):
    cgroup(tmp_path / "jobs", cgroup__controllers="memory", cgroup__subtree_control="memory")
    own = cgroup(tmp_path / "jobs/7", cgroup__controllers="memory", memory__max="2147483648\n")
    assert [parent.folder for parent in parse(mounted("cgroup2", tmp_path), "0::/jobs/7\n")] == [own]


def test_the_root_of_version_2_may_have_processes_and_children(tmp_path: Path):
    cgroup(tmp_path, cgroup__controllers="cpu memory", cgroup__subtree_control="cpu memory")
    assert [parent.folder for parent in parse(mounted("cgroup2", tmp_path), "0::/\n")] == [tmp_path]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine of 8 GB whose kernel reports what the test writes."""
    (tmp_path / "meminfo").write_text("MemTotal:        8388608 kB\nMemFree:  1 kB\n")
    for name, file in (("_MOUNTS", "mountinfo"), ("_MEMBERSHIP", "membership"), ("_MEMINFO", "meminfo")):
        (tmp_path / file).touch()
        monkeypatch.setattr(cgroup_paths, name, tmp_path / file)
    return tmp_path


def test_without_limits_the_memory_is_the_machines(machine: Path):
    assert cgroup_paths.memory_bytes() == 8 << 30


def test_a_limit_of_version_1_reduces_the_memory(machine: Path):
    own = cgroup(machine / "m", memory__stat=f"cache 1\nhierarchical_memory_limit {2 << 30}\n")
    (machine / "mountinfo").write_text(mounted("cgroup", own, options="rw,memory"))
    (machine / "membership").write_text("4:memory:/\n")
    assert cgroup_paths.memory_bytes() == 2 << 30


def test_the_lowest_limit_of_version_2_up_the_tree_counts(machine: Path):
    cgroup(machine / "m", cgroup__controllers="memory", memory__max="max\n")
    cgroup(machine / "m/a", cgroup__controllers="memory", memory__max=f"{3 << 30}\n")
    cgroup(machine / "m/a/b", cgroup__controllers="memory", memory__max=f"{4 << 30}\n")
    (machine / "mountinfo").write_text(mounted("cgroup2", machine / "m"))
    (machine / "membership").write_text("0::/a/b\n")
    assert cgroup_paths.memory_bytes() == 3 << 30


def test_an_ordinary_folder_is_not_mistaken_for_a_cgroup(machine: Path):
    own = cgroup(machine / "m", cgroup__controllers="memory")
    (machine / "mountinfo").write_text(mounted("cgroup2", own))
    (machine / "membership").write_text("0::/\n")
    pool = CgroupPool()
    assert not pool.is_usable
    assert "cgroup.subtree_control: No such file" in pool.description
    assert sorted(path.name for path in own.iterdir()) == ["cgroup.controllers"]


class Made(MemoryCgroup):
    """A cgroup in an ordinary folder, with the files that the kernel would make."""

    def _open_file(self, name: str, flags: int = os.O_RDONLY) -> int:
        (self.folder / name).touch()
        return super()._open_file(name, flags)


class Made2(Made, CgroupV2):
    """Of version 2."""

    def _configure(self) -> None:
        cgroup(self.folder, memory__max="max", memory__swap__max="max", memory__oom__group="0", cgroup__procs="")
        cgroup(self.folder, memory__events="low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\noom_group_kill 0\n")
        super()._configure()


class Made1(Made, CgroupV1):
    """Of version 1, with swap."""

    def _configure(self) -> None:
        cgroup(self.folder, memory__limit_in_bytes="9223372036854771712", memory__max_usage_in_bytes="0\n", tasks="")
        cgroup(self.folder, memory__memsw__limit_in_bytes="9", memory__memsw__max_usage_in_bytes="0\n")
        cgroup(self.folder, memory__oom_control="oom_kill_disable 0\nunder_oom 0\noom_kill 0\n")
        super()._configure()


def test_a_cgroup_of_version_2_has_a_limit_no_swap_and_ends_as_a_whole(tmp_path: Path):
    cgroup = Made2(tmp_path / "0", 256 << 20)
    assert (cgroup.folder / "memory.max").read_text() == str(256 << 20)
    assert (cgroup.folder / "memory.swap.max").read_text()[:1] == "0"
    assert (cgroup.folder / "memory.oom.group").read_text() == "1"
    cgroup.add_process(4711)
    assert (cgroup.folder / "cgroup.procs").read_text() == "4711"


def test_a_cgroup_of_version_1_has_the_same_limit_with_and_without_swap(tmp_path: Path):
    cgroup = Made1(tmp_path / "0", 1 << 30, -1)
    assert (cgroup.folder / "memory.limit_in_bytes").read_text()[:10] == str(1 << 30)
    assert (cgroup.folder / "memory.memsw.limit_in_bytes").read_text() == str(1 << 30)


@pytest.mark.parametrize(
    ("events", "exhausted", "kills"),
    [
        ("oom 0\noom_kill 0\n", False, 0),
        ("max 90\noom 1\noom_kill 3\n", True, 3),
        ("max 9\noom 0\noom_kill 1\n", False, 1),  # by a cgroup around it
    ],
)
def test_version_2_distinguishes_its_own_limit_from_the_machines(
    tmp_path: Path, events: str, exhausted: bool, kills: int
):
    cgroup = Made2(tmp_path / "0", 256 << 20)
    (cgroup.folder / "memory.events").write_text(f"low 0\n{events}")
    assert (cgroup.reached_limit() and cgroup.kill_count() > 0, cgroup.kill_count()) == (exhausted, kills)


@pytest.mark.parametrize(
    ("most", "kills", "exhausted"),
    [(5 << 20, 0, False), (64 << 20, 1, True), ((64 << 20) - 8192, 1, True), (64 << 20, 0, False), (9 << 20, 2, False)],
)
def test_version_1_distinguishes_its_own_limit_from_the_machines(
    tmp_path: Path, most: int, kills: int, exhausted: bool
):
    cgroup = Made1(tmp_path / "0", 64 << 20, -1)
    (cgroup.folder / "memory.memsw.max_usage_in_bytes").write_text(f"{most}\n")
    (cgroup.folder / "memory.oom_control").write_text(f"oom_kill_disable 0\nunder_oom 0\noom_kill {kills}\n")
    assert (cgroup.reached_limit() and cgroup.kill_count() > 0, cgroup.kill_count()) == (exhausted, kills)


def test_a_seat_that_cannot_tell_is_none(tmp_path: Path):
    class Old(Made1):
        def _configure(self) -> None:
            super()._configure()
            (self.folder / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\n")

        def remove(self) -> bool:
            return True

    with pytest.raises(OSError, match="does not count `oom_kill`"):
        Old(tmp_path / "0", 1 << 30, -1)
