"""What a Python project requires, read from the files in which it may say so; none of them is run."""

from __future__ import annotations

import ast
import configparser
import posixpath
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from nerv.documents import read_toml, table
from nerv.verification.ecosystems import python_versions
from nerv.verification.trees import Tree

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
TEST_FILE = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_tests?|conftest|tests?/(?:.*/)?[^/]*)\.py$")
_REQUIREMENT = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9._-]*\s*(\[[A-Za-z0-9._,\s-]*\])?"
    r"\s*\(?\s*((===|==|!=|<=|>=|~=|<|>)\s*[\w.*+!-]+\s*,?\s*)*\)?\s*(;[^@#\n]*)?"
)
_TEST_EXTRAS = re.compile(
    r"((unit|dev|all|ci)[-_.]?)?(tests?|testing|dev|develop(ment)?|all|ci|pytest)([-_.]\w+)?", re.I
)
_REQUIREMENT_FILES = re.compile(
    r"(requirements/)?(requirements|tests?|testing|dev|base|requirements[-_.](tests?|testing|dev|ci)"
    r"|(tests?|dev)[-_.]requirements)\.txt"
)
_OWN_EXTRAS = re.compile(r"([\w.-]+)\[([\w., -]+)\]$")
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


@dataclass(slots=True, kw_only=True)
class _Found:
    """What was read so far."""

    tree: Tree
    name: str = ""
    """The project's own name, which its extras may be asked for by."""
    needed: list[str] = field(default_factory=list)
    optional: list[str] = field(default_factory=list)
    """For tests."""
    extras: dict[str, list[str]] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)
    """Requirement files that were read, and extras that were taken."""


def requirements(tree: Tree) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return what the project requires, what its tests require beyond that, and a note for each refused line."""
    found = _Found(tree=tree)
    if "pyproject.toml" in tree:
        _read_pyproject(tree["pyproject.toml"].text, found)
    if "setup.cfg" in tree:
        _read_setup_cfg(tree["setup.cfg"].text, found)
    if "setup.py" in tree:
        _read_setup_py(tree["setup.py"].text, found)
    if "Pipfile" in tree:
        document = read_toml(tree["Pipfile"].text)
        found.needed += python_versions.pinned(table(document, "packages"))
        found.optional += python_versions.pinned(table(document, "dev-packages"))
    for extra in [name for name in found.extras if _TEST_EXTRAS.fullmatch(name)]:
        _take_extra(extra, found)
    if "tox.ini" in tree:
        _read_tox(tree["tox.ini"].text, found)
    if "noxfile.py" in tree:
        _read_noxfile(tree["noxfile.py"].text, found)
    for path in sorted(tree):
        if _REQUIREMENT_FILES.fullmatch(path):
            _read_file(path, found.needed if path == "requirements.txt" else found.optional, found)
    needed, optional = found.needed, found.optional
    optional += _undeclared_libraries(
        tree, {normal_name(name[0]) for line in (*needed, *optional) if (name := NAME.match(line))}
    )
    refused = [line.strip() for line in (*needed, *optional) if line.strip() and not _is_acceptable(line)]
    refused = [line for line in refused if not re.match(r"-(r|c|e|-)", line) and line != "."]
    notes = tuple(f"not installed, because only packages of the registry are: {line[:80]}" for line in refused)
    return _acceptable(needed), _acceptable(optional), notes


def mentions(tree: Tree, package: str) -> bool:
    """Return whether the project requires, configures or imports a package."""
    needed, optional, _ = requirements(tree)
    if any(normal_name(NAME.match(line)[0]) == package for line in (*needed, *optional) if NAME.match(line)):  # type: ignore[index]
        return True
    pattern = re.compile(rf"^\s*(import|from)\s+{re.escape(package)}\b", re.M)
    return any(path.endswith(".py") and pattern.search(file.text) for path, file in tree.items())


def normal_name(name: str) -> str:
    """Return the name of a package as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _undeclared_libraries(tree: Tree, declared: Collection[str]) -> list[str]:
    """Return the packages of test libraries that tests import and the project does not declare."""
    tests = [file.text for path, file in tree.items() if TEST_FILE.search(path)]
    folders = {path.partition("/")[0].removesuffix(".py") for path in tree}
    return [
        package
        for name, package in _TEST_LIBRARIES.items()
        if package not in declared
        and name not in folders
        and any(re.search(rf"^[ \t]*(?:import|from)[ \t]+{name}\b", text, re.M) for text in tests)
    ]


def _acceptable(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.strip() for line in lines if _is_acceptable(line)))


def _is_acceptable(line: str) -> bool:
    """Return whether a line names a package of the registry: no option, address or path, which the agent chose."""
    return _REQUIREMENT.fullmatch(line.strip()) is not None


def _take_extra(name: str, found: _Found) -> None:
    """Add what an extra of the project requires, with the others that it consists of."""
    key = f"[{normal_name(name)}]"
    if key in found.read:
        return
    found.read.add(key)
    for extra, lines in found.extras.items():
        if normal_name(extra) == normal_name(name):
            _take_lines(lines, found)


def _take_lines(lines: Iterable[str], found: _Found) -> None:
    """Add lines of which some may ask for the project itself with extras, or for a requirement file."""
    for line in lines:
        own = _OWN_EXTRAS.match(line.strip())
        file = re.match(r"(?:-r|--requirement)[ =]*(\S+)", line.strip())
        if own and (own[1] == "." or (found.name and normal_name(own[1]) == normal_name(found.name))):
            for name in own[2].split(","):
                _take_extra(name.strip(), found)
        elif file:
            _read_file(posixpath.normpath(file[1].replace("{toxinidir}", ".")), found.optional, found)
        else:
            found.optional.append(line)


def _read_file(path: str, lines: list[str], found: _Found) -> None:
    """Read a requirement file, and those that it includes."""
    if path in found.read or path not in found.tree:
        return
    found.read.add(path)
    for line in found.tree[path].text.splitlines():
        included = re.match(r"\s*(?:-r|--requirement)[ =]*(\S+)", line)
        if included:
            inner = posixpath.normpath(posixpath.join(posixpath.dirname(path), included[1]))
            _read_file(inner, found.needed if inner == "requirements.txt" else lines, found)
        else:
            lines.append(re.sub(r"(^|\s)#.*|\s+--hash=\S+|\\$", "", line))


def _read_pyproject(text: str, found: _Found) -> None:
    document = read_toml(text)
    project, tool = table(document, "project"), table(document, "tool")
    found.name = str(project.get("name", ""))
    found.needed += _texts(project.get("dependencies"))
    found.extras.update({name: _texts(lines) for name, lines in table(project, "optional-dependencies").items()})
    dynamic = table(table(table(tool, "setuptools"), "dynamic"), "dependencies").get("file")
    for path in [dynamic] if isinstance(dynamic, str) else _texts(dynamic):
        _read_file(path, found.needed, found)
    groups = table(document, "dependency-groups")
    for name in groups:
        if _TEST_EXTRAS.fullmatch(name):
            _take_lines(_group(name, groups, frozenset()), found)
    for name, lines in table(table(tool, "pdm"), "dev-dependencies").items():
        found.optional += _texts(lines) if _TEST_EXTRAS.fullmatch(name) else []
    found.optional += _texts(table(tool, "uv").get("dev-dependencies"))
    for name, settings in table(table(tool, "hatch"), "envs").items():
        if isinstance(settings, dict) and (name == "default" or re.search(r"test|dev|ci", name)):
            asked = [f".[{feature}]" for feature in _texts(settings.get("features"))]
            lines = (*_texts(settings.get("dependencies")), *_texts(settings.get("extra-dependencies")))
            _take_lines((*lines, *asked), found)
    tox = table(tool, "tox")
    _take_lines(_texts(table(tox, "env_run_base").get("deps")), found)
    if isinstance(tox.get("legacy_tox_ini"), str):
        _read_tox(tox["legacy_tox_ini"], found)
    poetry = table(tool, "poetry")
    found.needed += python_versions.pinned(table(poetry, "dependencies"))
    found.optional += python_versions.pinned(table(poetry, "dev-dependencies"))
    for settings in table(poetry, "group").values():
        found.optional += python_versions.pinned(table(settings, "dependencies")) if isinstance(settings, dict) else []


def _group(name: str, groups: dict[str, Any], around: frozenset[str]) -> list[str]:
    """Return the lines of a dependency group, with those of the groups that it includes."""
    entries = groups.get(name)
    found: list[str] = []
    for entry in entries if isinstance(entries, list) and name not in around else ():
        if isinstance(entry, str):
            found.append(entry)
        elif isinstance(entry, dict):
            found += _group(str(entry.get("include-group")), groups, around | {name})
    return found


def _parsed(text: str) -> configparser.ConfigParser | None:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return None
    return parser


def name_in_setup_cfg(tree: Tree) -> str:
    """Return the project's name as setup.cfg has it; empty if it has none."""
    parser = _parsed(tree["setup.cfg"].text) if "setup.cfg" in tree else None
    return "" if parser is None else parser.get("metadata", "name", fallback="")


def _read_setup_cfg(text: str, found: _Found) -> None:
    parser = _parsed(text)
    if parser is None:
        return
    found.name = found.name or parser.get("metadata", "name", fallback="")
    found.needed += parser.get("options", "install_requires", fallback="").splitlines()
    if parser.has_section("options.extras_require"):
        for name, lines in parser.items("options.extras_require"):
            found.extras[name] = re.sub(r"\\\n\s*", "", lines).splitlines()


def _read_tox(text: str, found: _Found) -> None:
    parser = _parsed(text)
    for section in parser.sections() if parser is not None else ():
        if parser is None or not re.fullmatch(r"testenv(:(tests?|py|unit|pytest)\w*)?", section):
            continue
        lines = parser.get(section, "deps", fallback="").splitlines()
        # `py311,dev: package` is for some environments only; a value of another section is not looked up
        lines = [re.sub(r"^\s*[\w!{},.*-]+:\s+", "", line) for line in lines if "{[" not in line]
        extras = re.split(r"[,\s]+", parser.get(section, "extras", fallback=""))
        _take_lines([line.strip() for line in (*lines, *(f".[{each}]" for each in extras if each))], found)


def _read_noxfile(text: str, found: _Found) -> None:
    """Read what sessions install, as far as it is written out."""
    module = _syntax_tree(text)
    for node in ast.walk(module) if module is not None else ():
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "install"):
            continue
        words = [word.value for word in node.args if isinstance(word, ast.Constant) and isinstance(word.value, str)]
        joined = re.sub(r"(?<!\S)(-r|--requirement) ", r"\1=", " ".join(words))
        _take_lines([word for word in joined.split() if re.match(r"-r=|--requirement=|[^-]", word)], found)


def _syntax_tree(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _read_setup_py(text: str, found: _Found) -> None:
    """Read the lists that `setup()` is given literally or by a name that stands for a literal."""
    module = _syntax_tree(text)
    if module is None:
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
            found.extras.update({str(name): _texts(lines) for name, lines in extras.items()})
        else:
            (found.needed if node.arg == "install_requires" else found.optional).extend(_texts(literal))


def _texts(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list | tuple) else []
