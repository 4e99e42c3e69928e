"""Packages that a Python project's tests need: read from what it declares, and installed once beforehand.

Only wheels are installed, because building a source distribution runs its code.
"""

from __future__ import annotations

import ast
import configparser
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterable, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from forgetest.files import locks
from forgetest.verdict import Mount
from nerv.documents import read_toml, table
from nerv.verification.ecosystems import Host, NotPrepared, Preparation
from nerv.verification.trees import Tree, TreeFile

PACKAGES = "/packages"
_REQUIREMENT = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9._-]*\s*(\[[A-Za-z0-9._,\s-]*\])?"
    r"\s*\(?\s*((===|==|!=|<=|>=|~=|<|>)\s*[\w.*+!-]+\s*,?\s*)*\)?\s*(;[^@#\n]*)?"
)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_TEST_EXTRAS = re.compile(r"(tests?|testing|dev|develop(ment)?|all|ci)", re.I)
_REQUIREMENT_FILES = re.compile(
    r"(requirements/)?(requirements|test|tests|dev|base|requirements[-_.](test|tests|dev))\.txt"
)
_LONGEST_INSTALL_S = 600
_TEST_LIBRARIES = {
    "dateutil": "python-dateutil",
    "freezegun": "freezegun",
    "hypothesis": "hypothesis",
    "mock": "mock",
    "parameterized": "parameterized",
    "pretend": "pretend",
    "pytz": "pytz",
    "requests_mock": "requests-mock",
    "responses": "responses",
    "six": "six",
    "sortedcontainers": "sortedcontainers",
}
"""Libraries of tests that many projects name only for a tool such as tox: their packages, by the name of the import."""
_PLUGINS = frozenset(
    {"pytest-asyncio", "pytest-benchmark", "pytest-cov", "pytest-mock", "pytest-timeout", "pytest-xdist"}
)
_TEST_FILE = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_tests?|conftest|tests?/(?:.*/)?[^/]*)\.py$")


def interpreter() -> str:
    """Return the interpreter that runs the tests: nerv's own, outside its virtual environment."""
    return str(Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}")


def interpreter_mounts() -> tuple[Mount, ...]:
    """Return the mounts of the interpreter; none if it is the system's."""
    return () if sys.base_prefix == "/usr" else (Mount(source=sys.base_prefix, target=sys.base_prefix),)


def prepare(tree: Tree, host: Host, runner: Sequence[str]) -> Preparation:
    """Install the project's requirements and the test runner's; raises NotPrepared."""
    own = interpreter_mounts()
    needed, optional, refused = requirements(tree)
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
    name = _normal(_NAME.match(line)[0]) if _NAME.match(line) else ""  # type: ignore[index]
    module = re.escape(re.split(r"[.-]", name)[0])
    imports = re.compile(rf"^[ \t]*(?:import|from)[ \t]+{module}\w*\b", re.M | re.I)
    tests = (file.text for path, file in tree.items() if _TEST_FILE.search(path))
    return name in _PLUGINS or (bool(name) and not name.startswith("pytest-") and any(map(imports.search, tests)))


def install(wanted: tuple[str, ...], host: Host) -> Path:
    """Return a folder with these packages, installed now unless they were before."""
    version = f"{sys.implementation.cache_tag} {sys.platform}"
    key = hashlib.sha256("\n".join((version, *wanted)).encode()).hexdigest()[:32]
    folder = host.cache_folder / "verification" / "python" / key
    folder.parent.mkdir(parents=True, exist_ok=True)
    with locks.exclusive(folder.parent / f"{key}.lock"):
        if folder.exists():
            return folder
        with tempfile.TemporaryDirectory(dir=folder.parent, ignore_cleanup_errors=True) as unfinished:
            target = Path(unfinished, "packages")
            target.mkdir(mode=0o755)
            host.say(f"verifying: installing {', '.join(wanted)}")
            failure = _pip_install(wanted, target, host)
            if failure and not _copy_installed(wanted, target):
                raise NotPrepared(f"the packages that its tests need could not be installed: {failure}")
            target.rename(folder)
    return folder


def requirements(tree: Tree) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return what the project requires, what its extras for tests require, and a note for each refused line."""
    needed: list[str] = []
    optional: list[str] = []
    if "pyproject.toml" in tree:
        _read_pyproject(tree["pyproject.toml"].text, needed, optional)
    if "setup.cfg" in tree:
        _read_setup_cfg(tree["setup.cfg"].text, needed, optional)
    if "setup.py" in tree:
        _read_setup_py(tree["setup.py"].text, needed, optional)
    for path in sorted(tree):
        if _REQUIREMENT_FILES.fullmatch(path):
            lines = [re.sub(r"(^|\s)#.*|\s+--hash=\S+|\\$", "", line) for line in tree[path].text.splitlines()]
            (needed if path == "requirements.txt" else optional).extend(lines)
    optional += _undeclared_libraries(
        tree, {_normal(name[0]) for line in (*needed, *optional) if (name := _NAME.match(line))}
    )
    refused = [line.strip() for line in (*needed, *optional) if line.strip() and not _is_acceptable(line)]
    refused = [line for line in refused if not re.match(r"-(r|c|e|-)", line) and line != "."]
    notes = tuple(f"not installed, because only packages of the registry are: {line[:80]}" for line in refused)
    return _acceptable(needed), _acceptable(optional), notes


def _undeclared_libraries(tree: Tree, declared: Collection[str]) -> list[str]:
    """Return the packages of test libraries that tests import and the project does not declare."""
    tests = [file.text for path, file in tree.items() if _TEST_FILE.search(path)]
    folders = {path.partition("/")[0].removesuffix(".py") for path in tree}
    return [
        package
        for name, package in _TEST_LIBRARIES.items()
        if package not in declared
        and name not in folders
        and any(re.search(rf"^[ \t]*(?:import|from)[ \t]+{name}\b", text, re.M) for text in tests)
    ]


def metadata_files(tree: Tree) -> Tree:
    """Return what an installation would leave beside the project, for code that asks for its own version."""
    project = table(read_toml(tree["pyproject.toml"].text), "project") if "pyproject.toml" in tree else {}
    name, version = str(project.get("name", "")), str(project.get("version", "0"))
    if not _NAME.fullmatch(name) or not re.fullmatch(r"[\w.+!-]+", version):
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


def mentions(tree: Tree, package: str) -> bool:
    """Return whether the project requires, configures or imports a package."""
    needed, optional, _ = requirements(tree)
    if any(_normal(_NAME.match(line)[0]) == package for line in (*needed, *optional) if _NAME.match(line)):  # type: ignore[index]
        return True
    pattern = re.compile(rf"^\s*(import|from)\s+{re.escape(package)}\b", re.M)
    return any(path.endswith(".py") and pattern.search(file.text) for path, file in tree.items())


def _acceptable(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.strip() for line in lines if _is_acceptable(line)))


def _is_acceptable(line: str) -> bool:
    """Return whether a line names a package of the registry: no option, address or path, which the agent chose."""
    return _REQUIREMENT.fullmatch(line.strip()) is not None


def _read_pyproject(text: str, needed: list[str], optional: list[str]) -> None:
    document = read_toml(text)
    project = table(document, "project")
    needed += _texts(project.get("dependencies"))
    for key, tables in (
        ("project", table(project, "optional-dependencies")),
        ("", table(document, "dependency-groups")),
    ):
        for name, lines in tables.items():
            if _TEST_EXTRAS.fullmatch(name):
                own = str(project.get("name", "")) if key else ""
                optional += [line for line in _texts(lines) if not own or not line.startswith(f"{own}[")]
    poetry = table(table(document, "tool"), "poetry")
    needed += [name for name in table(poetry, "dependencies") if name != "python"]
    for group in (poetry, *table(poetry, "group").values()):
        if isinstance(group, dict):
            optional += list(table(group, "dev-dependencies"))
            optional += list(table(group, "dependencies")) if group is not poetry else []


def _read_setup_cfg(text: str, needed: list[str], optional: list[str]) -> None:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    needed += parser.get("options", "install_requires", fallback="").splitlines()
    if parser.has_section("options.extras_require"):
        for name, lines in parser.items("options.extras_require"):
            if _TEST_EXTRAS.fullmatch(name):
                optional += re.sub(r"\\\n\s*", "", lines).splitlines()


def _read_setup_py(text: str, needed: list[str], optional: list[str]) -> None:
    """Read the lists that `setup()` is given literally or by a name that stands for a literal; the file is not run."""
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    assigned = {
        target.id: node.value
        for node in module.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(module):
        if not isinstance(node, ast.keyword) or node.arg not in ("install_requires", "tests_require", "extras_require"):
            continue
        value = assigned.get(node.value.id, node.value) if isinstance(node.value, ast.Name) else node.value
        try:
            literal = ast.literal_eval(value)
        except (ValueError, TypeError, RecursionError):
            continue
        if node.arg == "extras_require":
            extras = literal if isinstance(literal, dict) else {}
            optional += [line for name in extras if _TEST_EXTRAS.fullmatch(str(name)) for line in _texts(extras[name])]
        else:
            (needed if node.arg == "install_requires" else optional).extend(_texts(literal))


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
        name = _normal(line.strip())
        if name in done:
            continue
        if not _NAME.fullmatch(name):
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
        left += [match[0] for each in unconditional if (match := _NAME.match(each))]
    return True


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _texts(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list | tuple) else []
