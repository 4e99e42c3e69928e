"""A machine without Rust: the Python half of `quickstart` is a first run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import ordinary_user
from forgetest import config
from workbench import forgetest, report_in, without, write_samples

pytestmark = pytest.mark.skipif(
    not (shutil.which("bwrap") and shutil.which("ruff", path=config.host_environment()["PATH"])),
    reason="bwrap or ruff is not installed: run scripts/setup --dev",
)

ANSWERS = {
    "add": "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n",
    "python-add": "def add(a, b):\n    return a + b\n",
    "python-square": "def square(n):\n    return n + n\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("without-rust")
    write_samples(
        made / "samples.jsonl",
        [
            {"eval_set": "quickstart", "case_id": case, "model": "recorded/small", "code": code}
            for case, code in ANSWERS.items()
        ],
    )
    return made


@pytest.fixture(scope="module")
def environment(folder: Path) -> dict[str, str]:
    return {**without("rustc", folder), "FORGETEST_CACHE": str(config.cache_folder())}


RUN = ("run", "--eval-set", "quickstart", "--samples-from", "samples.jsonl", "--fail-on-unjudged")


def test_cases_in_rust_are_left_out_and_in_no_rate(folder: Path, environment: dict[str, str]):
    finished = forgetest(*RUN, "--format", "json,markdown", cwd=folder, env=environment)

    assert finished.returncode == 1, finished.stderr  # --fail-on-unjudged
    assert "warning: 1 case in Rust left out, and in no rate: " in finished.stderr
    assert "rustup toolchain install" in finished.stderr
    assert "1 case in Rust left out" in finished.stdout
    report = report_in(folder / "forgetest-results")
    found = {each["case_id"]: each["correct"] for each in report["results"]}
    assert found == {"python-add": True, "python-square": False}
    assert [(each["language"], each["cases"]) for each in report["settings"]["left_out"]] == [("rust", 1)]
    assert "**Left out**" in (folder / "forgetest-results" / "latest" / "report.md").read_text()


def test_a_run_that_has_only_rust_is_an_error_that_says_what_to_install(folder: Path, environment: dict[str, str]):
    finished = forgetest(*RUN, "--case", "add", cwd=folder, env=environment)
    assert finished.returncode == 2
    assert "rustup toolchain install" in finished.stderr


@pytest.mark.slow
def test_quickstart_goes_on_without_rust_and_without_root(tmp_path: Path):
    if reason := ordinary_user.missing():
        pytest.skip(reason)
    nothing = "http://127.0.0.1:9"  # neither rustup nor the embedded model can be downloaded
    command = ["env", f"RUSTUP_UPDATE_ROOT={nothing}", f"UV_INDEX_URL={nothing}", f"PIP_INDEX_URL={nothing}"]
    (tmp_path / "no-toolchain").mkdir()
    finished = ordinary_user.run(
        [*command, "./quickstart", "--help"], tmp_path / "home", timeout=300, toolchain=tmp_path / "no-toolchain"
    )
    assert "going on without Rust, so only Python is judged" in finished.stderr
    if ".venv belongs to another user" in finished.stderr:
        pytest.skip("scripts/setup has not been run in this checkout")
    assert finished.returncode == 0, finished.stderr
    assert "Ask models for code" in finished.stdout
