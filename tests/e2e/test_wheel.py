"""What is installed from the wheel is whole: nothing is found only in a checkout."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from workbench import needs_judging

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@needs_judging
def test_the_wheel_alone_judges_a_built_in_set(tmp_path: Path) -> None:
    uv = shutil.which("uv")
    if uv is None:
        pytest.skip("uv, which builds the wheel, is not on the PATH")
    run(uv, "build", "--quiet", "--wheel", "--out-dir", tmp_path / "dist", ROOT)
    run(uv, "venv", "--quiet", tmp_path / "venv")
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    run(uv, "pip", "install", "--quiet", "--python", tmp_path / "venv" / "bin" / "python", wheel)

    solved = run(
        tmp_path / "venv" / "bin" / "forgetest", "validate", "--eval-set", "quickstart", "--solve", cwd=tmp_path
    )

    assert "6 of 6 reference solutions score 1.0" in solved
    assert str(tmp_path) in solved, "the set comes from the wheel, not from the checkout"


def run(*words: object, cwd: Path = ROOT) -> str:
    finished = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, cwd=cwd)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout
