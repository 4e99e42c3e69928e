"""The example of an executor plugin, installed outside of this environment, passes the contract and judges a run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = Path(__file__).parents[2] / "examples" / "process-executor"
METADATA = "Metadata-Version: 2.1\nName: forgetest-process-executor\nVersion: 0.1.0\n"
ENTRY_POINTS = "[forgetest.executors]\nprocesses = forgetest_process_executor:create\n"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Variables with which a Python process finds the plugin, as if it were installed."""
    site = tmp_path_factory.mktemp("site")
    shutil.copytree(PLUGIN / "src" / "forgetest_process_executor", site / "forgetest_process_executor")
    info = site / "forgetest_process_executor-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(METADATA)
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    return {**os.environ, "PYTHONPATH": str(site)}


@pytest.mark.slow
def test_the_process_executor_passes_the_shipped_contract(environment: dict[str, str], tmp_path: Path) -> None:
    shutil.copy(PLUGIN / "tests" / "test_processes.py", tmp_path)
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", str(tmp_path)]

    ran = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=600)

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "12 passed" in ran.stdout, ran.stdout


def test_a_run_with_the_process_executor_judges_as_any_other(environment: dict[str, str], tmp_path: Path) -> None:
    samples = tmp_path / "samples.jsonl"
    samples.write_text(
        '{"case_id": "add", "model": "m/x", "code": "pub fn add(a: i32, b: i32) -> i32 { a + b }"}\n'
        '{"case_id": "add", "model": "m/y", "code": "pub fn add(a: i32, b: i32) -> i32 { a - b }"}\n'
    )
    command = [sys.executable, "-m", "forgetest", "run", "--eval-set", "quickstart", "--samples-from", str(samples)]
    command += ["--executor", "processes", "--no-cache", "--output", str(tmp_path / "out")]

    ran = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=600)

    assert ran.returncode == 0, ran.stderr
    rows = {line.split()[0]: line.split()[1] for line in ran.stdout.splitlines() if line.startswith("m/")}
    assert rows == {"m/x": "100.0%", "m/y": "0.0%"}
