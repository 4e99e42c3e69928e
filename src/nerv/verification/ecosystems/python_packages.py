"""Packages that a Python project's tests need, installed once beforehand.

Only wheels are installed, because building a source distribution runs its code.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from forgetest.verdict import Mount
from nerv.documents import read_toml, table
from nerv.verification.ecosystems import Host, NotPrepared, Preparation, python_requirements
from nerv.verification.ecosystems.python_requirements import NAME, TEST_FILE, normal_name
from nerv.verification.trees import Tree, TreeFile

PACKAGES = "/packages"
_LONGEST_INSTALL_S = 600
_PLUGINS = frozenset(
    {"pytest-asyncio", "pytest-benchmark", "pytest-cov", "pytest-mock", "pytest-timeout", "pytest-xdist"}
)


def interpreter() -> str:
    """Return the interpreter that runs the tests: nerv's own, outside its virtual environment."""
    return str(Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}")


def interpreter_mounts() -> tuple[Mount, ...]:
    """Return the mounts of the interpreter; none if it is the system's."""
    return () if sys.base_prefix == "/usr" else (Mount(source=sys.base_prefix, target=sys.base_prefix),)


def prepare(tree: Tree, host: Host, runner: Sequence[str]) -> Preparation:
    """Install the project's requirements and the test runner's; raises NotPrepared."""
    own = interpreter_mounts()
    needed, optional, refused = python_requirements.requirements(tree)
    if not (needed or optional or runner):
        return Preparation(mounts=own, notes=refused)
    imported = [line for line in optional if _is_used(line, tree)]
    choices = [optional, imported, ()] if len(imported) < len(optional) else [optional, ()]
    attempts = list(dict.fromkeys((*runner, *needed, *chosen) for chosen in choices))
    notes = refused
    for attempt in attempts:
        try:
            folder = install(tuple(sorted(set(attempt))), host)
        except NotPrepared as error:
            reason = error
            continue
        if attempt != attempts[0]:
            notes = (*notes, f"left out: {', '.join(line for line in optional if line not in attempt)}")
        return Preparation(mounts=(*own, Mount(source=str(folder), target=PACKAGES)), notes=notes)
    raise reason


def _is_used(line: str, tree: Tree) -> bool:
    """Return whether tests import a package, by the name of its module, or it is a plugin that tests need unseen."""
    name = normal_name(NAME.match(line)[0]) if NAME.match(line) else ""  # type: ignore[index]
    module = re.escape(re.split(r"[.-]", name)[0])
    imports = re.compile(rf"^[ \t]*(?:import|from)[ \t]+{module}\w*\b", re.M | re.I)
    tests = (file.text for path, file in tree.items() if TEST_FILE.search(path))
    return name in _PLUGINS or (bool(name) and not name.startswith("pytest-") and any(map(imports.search, tests)))


def install(wanted: tuple[str, ...], host: Host) -> Path:
    """Return a folder with these packages, installed now unless they were before."""
    version = f"{sys.implementation.cache_tag} {sys.platform}"
    key = hashlib.sha256("\n".join((version, *wanted)).encode()).hexdigest()[:32]

    def make(unfinished: Path) -> Path:
        target = unfinished / "packages"
        target.mkdir(mode=0o755)
        host.say(f"verifying: installing {', '.join(wanted)}")
        failure = _pip_install(wanted, target, host)
        if failure and not _copy_installed(wanted, target):
            raise NotPrepared(f"the packages that its tests need could not be installed: {failure}")
        return target

    return host.keep("python", key, make)


def metadata_files(tree: Tree) -> Tree:
    """Return what an installation would leave beside the project, for code that asks for its own version."""
    project, name, version = _described(tree)
    if not NAME.fullmatch(name) or not re.fullmatch(r"[\w.+!-]+", version):
        return {}
    folder = f"{re.sub('[-.]+', '_', name)}-{version}.dist-info"
    tables = {**table(project, "entry-points"), "console_scripts": table(project, "scripts")}
    lines = [
        line
        for group, entries in tables.items()
        for line in (f"[{group}]", *(f"{key} = {value}" for key, value in table(tables, group).items() if entries))
    ]
    return {
        f"{folder}/METADATA": TreeFile(content=f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode()),
        f"{folder}/entry_points.txt": TreeFile(content="\n".join(lines).encode()),
    }


def _described(tree: Tree) -> tuple[dict[str, Any], str, str]:
    """Return the table that describes the project, its name and its version: "0" if only a build would tell it."""
    document = read_toml(tree["pyproject.toml"].text) if "pyproject.toml" in tree else {}
    poetry = table(table(document, "tool"), "poetry")
    project = table(document, "project") or poetry
    name = str(project.get("name") or python_requirements.name_in_setup_cfg(tree))
    stated = project.get("version") or poetry.get("version")
    return project, name, str(stated or _version_in_code(tree, name) or "0")


def _version_in_code(tree: Tree, name: str) -> str:
    package = re.sub("[-.]+", "_", name)
    for folder in (f"src/{package}", package):
        for file in ("__about__.py", "_version.py", "version.py", "__init__.py"):
            text = tree[f"{folder}/{file}"].text if f"{folder}/{file}" in tree else ""
            if match := re.search(r"^(?:__version__|version)\s*(?::[^=]+)?=\s*[\"']([\w.+!-]+)[\"']", text, re.M):
                return match[1]
    return ""


def _pip_install(wanted: Sequence[str], target: Path, host: Host) -> str:
    """Install wheels; return the reason if that failed."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
    if subprocess.run([sys.executable, "-c", "import pip"], capture_output=True, check=False).returncode:
        program = shutil.which("uv", path=host.environment.get("PATH"))
        if program is None:
            return "nerv's Python has no pip, and there is no uv on the PATH; install one of them"
        command = [program, "pip", "install", "--quiet", "--python", sys.executable]
    with tempfile.TemporaryDirectory() as empty:
        try:
            finished = subprocess.run(
                [*command, "--only-binary", ":all:", "--target", str(target), "--", *wanted],
                cwd=empty,
                env=dict(host.environment),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_LONGEST_INSTALL_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"the registry did not answer within {_LONGEST_INSTALL_S} seconds"
    if finished.returncode == 0:
        return ""
    lines = [line.strip() for line in finished.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    reason = next((line for line in reversed(lines) if "ERROR" in line), lines[-1] if lines else "pip failed")
    return re.sub(r"^(ERROR|cause): ", "", reason)[:300]


def _copy_installed(wanted: Sequence[str], target: Path) -> bool:
    """Copy the packages from nerv's own environment, if they are there and no version of them is asked for."""
    shutil.rmtree(target)
    target.mkdir(mode=0o755)
    left, done = list(wanted), set[str]()
    while left:
        line = left.pop()
        name = normal_name(line.strip())
        if name in done:
            continue
        if not NAME.fullmatch(name):
            return False
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            return False
        done.add(name)
        for file in distribution.files or ():
            source = Path(str(distribution.locate_file(file)))
            if ".." not in file.parts and source.is_file():
                (target / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target / file)
        unconditional = [each for each in distribution.requires or () if ";" not in each]
        left += [match[0] for each in unconditional if (match := NAME.match(each))]
    return True
