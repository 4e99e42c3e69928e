"""A whole Rust toolchain that only root may read, as root installs it under the umask 077."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import ordinary_user
from workbench import FORGETEST, environment, forgetest

SOLVE = ("validate", "--eval-set", "quickstart", "--solve")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def toolchain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    if reason := ordinary_user.missing():
        pytest.skip(reason)
    made = tmp_path_factory.mktemp("closed") / "rust"
    for part in ("bin", "lib"):
        shutil.copytree(ordinary_user.sysroot() / part, made / part, symlinks=True)
    for path in (made, *made.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & 0o700)
    yield made
    shutil.rmtree(made)


def test_root_can_judge_with_a_toolchain_that_only_root_may_read(toolchain: Path, tmp_path: Path):
    path = f"{toolchain}/bin:{os.environ['PATH']}"
    finished = forgetest(*SOLVE, cwd=tmp_path, env=environment(PATH=path, FORGETEST_CACHE=str(tmp_path / "cache")))
    assert finished.returncode == 0, finished.stderr
    assert "12 of 12 reference solutions" in finished.stdout


@pytest.mark.parametrize("opened", [(), ("bin",), ("bin", "bin/rustc", "bin/clippy-driver")])
def test_an_ordinary_user_gets_an_error_with_the_remedy(toolchain: Path, tmp_path: Path, opened: tuple[str, ...]):
    places = [toolchain, *(toolchain / name for name in opened)] if opened else []
    for place in places:
        place.chmod(0o755)
    finished = ordinary_user.run((FORGETEST, *SOLVE), tmp_path / "home", timeout=600, toolchain=toolchain)
    for place in places:
        place.chmod(0o700)
    assert finished.returncode == 2, finished.stderr
    assert "chmod -R a+rX" in finished.stderr
    assert "rustup toolchain install" in finished.stderr
