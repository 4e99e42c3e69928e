"""The engines' command lines, and the rules for a container's first process."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from forgetest.errors import UserError
from forgetest.sandboxes.container import engines, init
from forgetest.sandboxes.container.engines import ContainerSpec, Docker, Podman
from forgetest.verdict import Step

SPEC = ContainerSpec(
    name="forgetest-0",
    owner="1-2-3",
    root=Path("/stage/root"),
    gate=Path("/stage/gate"),
    mounts=[('/a, "b"', "/tc")],
    writable=[("/kept", "/w")],
    sizes={"/tmp": 1024},
    processes=7,
)
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8


def value(argv: list[str], option: str) -> str:
    return argv[argv.index(option) + 1]


@pytest.mark.parametrize("kind", [Podman, Docker])
def test_every_engine_is_asked_for_the_same_isolation(kind: type[Podman | Docker]):
    argv = kind(path="/engine", environment={}).run_command(SPEC, ["/x/init"])
    assert argv[:2] == ["/engine", "run"]
    assert {"--rm", "--read-only"} <= set(argv)
    assert [value(argv, option) for option in ("--network", "--cap-drop", "--log-driver")] == ["none", "ALL", "none"]
    assert "no-new-privileges" in argv
    assert value(argv, "--label") == "forgetest.owner=1-2-3"
    assert value(argv, "--pids-limit") == "8"  # the first process is one more
    assert "size=1024" in value(argv, "--tmpfs")
    assert argv[-1] == "/x/init"


def test_a_path_with_commas_and_quotes_stays_one_path():
    argv = Podman(path="/engine", environment={}).run_command(SPEC, [])
    assert next(csv.reader([value(argv, "--mount")])) == ["type=bind", 'source=/a, "b"', "target=/tc", "readonly"]


def test_podman_starts_on_a_folder_and_docker_from_an_image_that_is_not_fetched():
    assert value(Podman(path="/p", environment={}).run_command(SPEC, []), "--rootfs") == "/stage/root"
    argv = Docker(path="/d", environment={}).run_command(SPEC, [])
    assert value(argv, "--pull") == "never"
    assert "/stage/root" not in argv


def test_podman_is_tried_with_each_runtime_and_without_cgroups_last(tmp_path: Path):
    for name in ("crun", "runc"):
        (tmp_path / name).touch(mode=0o755)
    variants = list(Podman(path="/p", environment={"PATH": str(tmp_path)}).variants())
    assert [(variant.cgroups, variant.runtime) for variant in variants] == [
        (cgroups, runtime) for cgroups in ("limited", "enabled", "disabled") for runtime in ("", "crun", "runc")
    ]
    assert [*variants[-1].command("run")] == ["/p", "--runtime", "runc", "run"]
    assert value(variants[-1].run_command(SPEC, []), "--cgroups") == "disabled"
    assert "--pids-limit" not in variants[-1].run_command(SPEC, [])


def test_an_engine_that_cannot_start_anything_is_reported_with_its_first_error_and_advice(tmp_path: Path):
    (tmp_path / "runc").touch(mode=0o755)
    broken = tmp_path / "podman"
    broken.write_text('#!/bin/sh\necho "Error: $*" | cut -c 1-12 >&2\necho "see --help" >&2\nexit 125\n')
    broken.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    with pytest.raises(UserError, match=r"podman cannot start a container here: Error: run -?; \S+"):
        engines.find_working_variant(Podman(path=str(broken), environment=environment), SPEC, [])


def test_landlock_is_asked_for_the_rights_its_version_knows():
    assert [init.landlock_rights(abi) for abi in (-1, 0, 1)] == [0, 0, 0]
    assert [init.landlock_rights(abi).bit_length() for abi in (2, 3, 4, 5, 7)] == [14, 15, 15, 16, 16]


def test_a_step_may_open_what_it_lists_and_its_own_folders():
    step = Step(name="s", argv=("/x",))
    rules = dict(init.landlock_rules(step, readable={"/tc": True, "/file": False}))
    assert rules["/tc"] == EXECUTE | READ_FILE | READ_DIR
    assert rules["/file"] == EXECUTE | READ_FILE
    assert rules["/dev/null"] == READ_FILE | WRITE_FILE
    assert rules["/w"] & WRITE_FILE
    assert not {"/x", "/proc", "/"} & set(rules)
    assert "/proc" in dict(init.landlock_rules(Step(name="s", argv=("/x",), proc=True), readable={}))
