"""`doctor`, `list-models` and `--help`, which a new user tries first."""

from __future__ import annotations

import json
import tempfile
from importlib.metadata import version
from pathlib import Path

import pytest

import workbench
from workbench import forgetest, forgetest_here, needs_judging

COMMANDS = ("run", "compare", "validate", "regrade", "init", "list-models", "doctor")


@needs_judging
def test_doctor_shows_what_is_installed_and_that_the_sandbox_holds(tmp_path: Path) -> None:
    finished = forgetest("doctor", cwd=tmp_path)

    assert finished.returncode == 0, finished.stdout
    for what in (version("forgetest"), "bubblewrap", "network: held back", "rustc", "clippy", "quickstart", "acme"):
        assert what in finished.stdout
    assert "!!" not in finished.stdout


@pytest.fixture(scope="module")
def in_long_folder_without_rust(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The output of one doctor, because a probe takes seconds: no Rust, and a long path for temporary files."""
    place = tmp_path_factory.mktemp("without-rust")
    with tempfile.TemporaryDirectory(prefix="long" * 25) as folder:  # longer than the address of a socket
        Path(folder).chmod(0o755)  # the sandbox's user must be able to enter it
        finished = forgetest("doctor", cwd=place, env={**workbench.without("rustc", place), "TMPDIR": folder})
    assert finished.returncode == 1, finished.stdout + finished.stderr
    return finished.stdout


@needs_judging
def test_a_temporary_folder_with_a_long_path_does_not_keep_the_sandbox_from_being_probed(
    in_long_folder_without_rust: str,
) -> None:
    assert "network: held back" in in_long_folder_without_rust


@needs_judging
def test_doctor_says_how_to_install_rust(in_long_folder_without_rust: str) -> None:
    (ill,) = [line for line in in_long_folder_without_rust.splitlines() if line.startswith("!!")]
    assert ill.startswith("!!  toolchain    rust: no Rust compiler was found")
    assert "rustup" in ill


def test_doctor_shows_all_problems_at_once(tmp_path: Path) -> None:
    (tmp_path / "forgetest.toml").write_text("parallelism = 0\n")

    finished = forgetest("doctor", cwd=tmp_path, env=workbench.without("bwrap", tmp_path))

    assert finished.returncode == 1
    config, sandbox = [line for line in finished.stdout.splitlines() if line.startswith("!!")]
    assert "forgetest.toml:1: parallelism" in config
    assert "apt-get install bubblewrap" in sandbox
    assert "ok  eval sets" in finished.stdout
    assert finished.stderr == ""


def test_list_models_shows_the_models_of_plugins_under_their_configured_names(tmp_path: Path) -> None:
    (tmp_path / "forgetest.toml").write_text('[providers.other]\ntype = "acme"\n[providers.third]\ntype = "nobody"\n')

    as_text = forgetest("list-models", cwd=tmp_path)
    as_json = forgetest("list-models", "--json", cwd=tmp_path)

    assert (as_text.returncode, as_json.returncode) == (0, 0)
    assert "acme/steady" in as_text.stdout
    assert "right at every other attempt" in as_text.stdout
    assert "warning: third: provider nobody: not installed" in as_text.stderr
    assert "cannot be loaded: No module named 'acme_missing'" in as_text.stderr
    assert {"acme/steady", "other/steady"} <= {row["model"] for row in json.loads(as_json.stdout)}


def test_list_models_takes_another_configuration_and_a_single_provider(tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text('[providers.mine]\ntype = "acme"\n')

    finished = forgetest("list-models", "--config", "other.toml", "--provider", "mine", "--json", cwd=tmp_path)
    unknown = forgetest("list-models", "--provider", "acne", cwd=tmp_path)
    no_file = forgetest("list-models", "--config", "gone.toml", cwd=tmp_path)

    assert {row["model"].partition("/")[0] for row in json.loads(finished.stdout)} == {"mine"}
    assert finished.stderr == ""
    assert unknown.returncode == no_file.returncode == 2
    assert '--provider acne: neither configured nor installed; did you mean "acme"?' in unknown.stderr
    assert "gone.toml" in no_file.stderr


def test_help_names_every_command_and_the_exit_codes(tmp_path: Path) -> None:
    output = forgetest("--help", cwd=tmp_path).stdout

    for command in COMMANDS:
        assert f"\n  {command} " in output
    assert "Exit codes: 0 done; 1 a gate failed; 2 the input is wrong" in output
    assert "forgetest run --eval-set quickstart" in " ".join(output.split())


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_shows_an_example(tmp_path: Path, command: str) -> None:
    finished = forgetest_here(command, "-h", cwd=tmp_path)

    assert finished.returncode == 0
    assert f"\n    forgetest {command}" in finished.stdout


def test_the_version_is_that_of_the_package(tmp_path: Path) -> None:
    assert version("forgetest") in forgetest("--version", cwd=tmp_path).stdout
