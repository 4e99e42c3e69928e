"""A language that comes as a package of its own, installed from outside the repository."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = Path(__file__).parents[2] / "examples" / "lua-toolchain"

pytestmark = pytest.mark.skipif(
    not (shutil.which("lua5.4") and shutil.which("luacheck") and shutil.which("bwrap")),
    reason="lua5.4, luacheck or bwrap is not installed: run scripts/setup --dev",
)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """With the plugin on the path, as an installer leaves it there."""
    site = tmp_path / "site"
    shutil.copytree(PLUGIN / "src" / "forgetest_lua", site / "forgetest_lua")
    metadata = site / "forgetest_lua-0.1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: forgetest-lua\nVersion: 0.1.0\n")
    (metadata / "entry_points.txt").write_text("[forgetest.toolchains]\nlua = forgetest_lua\n")
    return {**os.environ, "PYTHONPATH": str(site)}


def run(environment: dict[str, str], folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=300)


def test_samples_of_a_plugins_language_are_graded_and_are_not_called_verified(
    environment: dict[str, str], tmp_path: Path
):
    right = "Sure!\n```lua\nfunction percentage(n)\n    return math.max(0, math.min(n, 100))\nend\n```\n"
    wrong = "```lua\nfunction percentage(n)\n    return math.min(n, 100)\nend\n```\n"
    forged = "```lua\nfunction percentage() return 1 end\nfunction assert() end\n```\n"
    samples = tmp_path / "samples.jsonl"
    answers = {"a": right, "b": wrong, "c": forged}
    rows = [{"case_id": "percentage", "model": model, "answer": text} for model, text in answers.items()]
    samples.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = run(
        environment,
        tmp_path,
        *("forgetest", "run", "--eval-set", str(PLUGIN / "lua-quickstart.toml"), "--samples-from", str(samples)),
        *("--output", "out", "--format", "json,html,sarif"),
    )
    assert done.returncode == 0, done.stderr
    report = tmp_path / "out" / "latest" / "report.json"
    first, second, third = json.loads(report.read_text())["results"]
    assert (first["correct"], first["score"]["overall"], first["verified"]) == (True, 1.0, False)
    assert first["integrity"][0]["concern"] == "unsound"
    assert (first["controls"]["asked"], first["controls"]["passed"], first["controls"]["without"]) == (3, 0, 0)
    assert (second["correct"], second["test_execution"]["failed"]) == (False, 1)
    assert (third["correct"], third["test_execution"]["failed"]) == (False, 3)
    assert {finding["kind"] for finding in third["integrity"]} == {"passed_a_control"}
    assert list(report.parent.glob("samples/lua-quickstart/percentage/*/1.lua"))


def test_the_plugins_reference_solution_is_right(environment: dict[str, str], tmp_path: Path):
    done = run(
        environment, tmp_path, "forgetest", "validate", "--eval-set", str(PLUGIN / "lua-quickstart.toml"), "--solve"
    )
    assert done.returncode == 0, done.stderr + done.stdout


@pytest.mark.slow
def test_the_plugin_passes_the_shipped_contract(environment: dict[str, str], tmp_path: Path):
    shutil.copytree(PLUGIN / "tests", tmp_path / "tests")
    done = run(environment, tmp_path, "pytest", "-q", "-p", "no:cacheprovider", "tests")
    assert done.returncode == 0, done.stdout
    assert "43 passed, 3 skipped" in done.stdout  # it has no static signatures, and nothing else is missing
