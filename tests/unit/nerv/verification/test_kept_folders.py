"""The cache of packages and builds: made once, limited in size, and safe beside other processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from nerv.verification import kept_folders
from nerv.verification.kept_folders import FoldersInUse, get_or_make, prune

MB = 1_000_000


def fill(root: Path, key: str, used_s: float, megabytes: int = 1) -> Path:
    """Make a folder that nobody uses any more; `used_s`: when it was used last."""
    in_use = FoldersInUse()
    folder = get_or_make(root, "python", key, in_use, lambda empty: made(empty, megabytes))
    in_use.close()
    os.utime(root / "python" / f"{key}.used", (used_s, used_s))
    return folder


def made(empty: Path, megabytes: int = 1) -> Path:
    target = empty / "packages"
    target.mkdir()
    (target / "content").write_bytes(os.urandom(megabytes * MB))
    return target


def test_a_folder_is_made_once(tmp_path):
    calls: list[Path] = []

    def make(empty: Path) -> Path:
        calls.append(empty)
        return made(empty)

    in_use = FoldersInUse()
    found = {get_or_make(tmp_path, "node", "a", in_use, make) for _ in range(3)}
    in_use.close()
    assert found == {tmp_path / "node" / "a"}
    assert len(calls) == 1
    assert not calls[0].exists()


def test_what_could_not_be_made_leaves_nothing(tmp_path):
    def fail(empty: Path) -> Path:
        (empty / "half").mkdir()
        raise RuntimeError

    with pytest.raises(RuntimeError):
        get_or_make(tmp_path, "node", "a", FoldersInUse(), fail)
    assert not [path for path in (tmp_path / "node").iterdir() if path.is_dir()]


def test_the_least_recently_used_go_until_the_others_fit(tmp_path):
    old, middle, new = (fill(tmp_path, key, used_s) for key, used_s in (("c", 100), ("a", 200), ("b", 300)))
    prune(tmp_path, 10 * MB)
    assert old.exists()
    prune(tmp_path, int(2.5 * MB))
    assert (old.exists(), middle.exists(), new.exists()) == (False, True, True)
    get_or_make(tmp_path, "python", "a", FoldersInUse(), made)  # used again
    prune(tmp_path, int(1.5 * MB))
    assert (middle.exists(), new.exists()) == (True, False)


def test_a_removed_folder_is_made_again(tmp_path):
    fill(tmp_path, "a", 100)
    prune(tmp_path, 0)
    assert not (tmp_path / "python" / "a").exists()
    assert fill(tmp_path, "a", 100).exists()


def test_a_folder_in_use_stays_however_full_the_cache_is(tmp_path):
    in_use = FoldersInUse()
    used = get_or_make(tmp_path, "go", "a", in_use, made)
    unused = fill(tmp_path, "b", 1e12)
    prune(tmp_path, 0)
    assert (used.exists(), unused.exists()) == (True, False)
    in_use.close()
    prune(tmp_path, 0)
    assert not used.exists()


USE = """
import sys
from pathlib import Path
from nerv.verification.kept_folders import FoldersInUse, get_or_make
in_use = FoldersInUse()
get_or_make(Path(sys.argv[1]), "go", "a", in_use, None)
print("used", flush=True)
sys.stdin.read()
"""


def test_a_folder_that_another_process_uses_stays_and_goes_once_that_has_ended(tmp_path):
    in_use = FoldersInUse()
    folder = get_or_make(tmp_path, "go", "a", in_use, made)
    in_use.close()
    with subprocess.Popen(
        [sys.executable, "-c", USE, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "used\n"
        assert get_or_make(tmp_path, "go", "a", in_use, made) == folder  # at the same time
        in_use.close()
        prune(tmp_path, 0)
        assert folder.exists()
        other.kill()
    prune(tmp_path, 0)
    assert not folder.exists()


def test_a_folder_that_is_being_made_stays(tmp_path):
    def make(empty: Path) -> Path:
        target = made(empty)
        prune(tmp_path, 0)
        assert target.exists()
        return target

    assert get_or_make(tmp_path, "go", "a", FoldersInUse(), make).exists()


def test_folders_of_older_versions_are_measured_and_limited(tmp_path):
    older = tmp_path / "cargo" / "a"
    older.mkdir(parents=True)
    (older / "content").write_bytes(os.urandom(MB))
    (tmp_path / "cargo" / "a.lock").touch()
    prune(tmp_path, 10 * MB)
    assert int((tmp_path / "cargo" / "a.used").read_text()) >= MB
    prune(tmp_path, 0)
    assert not older.exists()


def test_what_killed_processes_left_goes_after_a_day(tmp_path):
    left, fresh = tmp_path / "node" / "tmpabc", tmp_path / "node" / "tmpdef"
    for folder in (left, fresh):
        (folder / "inner").mkdir(parents=True)
    os.utime(left, (1, 1))
    prune(tmp_path, 10 * MB)
    assert (left.exists(), fresh.exists()) == (False, True)


def test_other_files_of_the_cache_are_left_alone(tmp_path):
    (tmp_path / "suites").mkdir()
    (tmp_path / "suites" / "a.json").write_text("{}")
    (tmp_path / "etc").mkdir()
    prune(tmp_path, 0)
    assert (tmp_path / "suites" / "a.json").exists()
    assert (tmp_path / "etc").exists()
    kept_folders.prune(tmp_path / "not-there", 0)
