"""Python tests that pytest runs."""

from __future__ import annotations

import configparser
import fnmatch
import re
from pathlib import PurePosixPath
from typing import Any

from forgetest.verdict import Execution
from nerv.documents import read_toml, table
from nerv.verification.ecosystems import (
    PROJECT,
    REPORTS,
    Host,
    Preparation,
    SuiteReport,
    TestCommand,
    check_control,
    host_note,
    junit,
    needs_host,
    python_packages,
    python_requirements,
    report_of,
    unreported,
)
from nerv.verification.trees import Tree, TreeFile

NAME = "pytest"
REPORT = "junit.xml"
_TEST_FILE = re.compile(r"(^|/)(test_[^/]*|[^/]*_test|tests?)\.py$")
_TEST_FOLDER = re.compile(r"(^|/)tests?/")
_MACHINERY = re.compile(r"(^|/)(conftest\.py|pytest\.ini|\.pytest\.ini|tox\.ini|sitecustomize\.py|usercustomize\.py)$")
_BUILD_FILES = ("setup.py", "pyproject.toml", "setup.cfg", "meson.build", "CMakeLists.txt", "Cargo.toml")
_COMPILES = re.compile(
    r"\bext_modules\b|\bExtension\(|\bcythonize\(|\bcffi_modules\b|ext-modules|maturin|setuptools[-_]rust|mesonpy"
    r"|scikit[-_]build|extension_module\(|pybind11_add_module|nanobind_add_module"
)
"""What the files of a build have where it compiles modules of the project."""
_SYNTAX_ERROR = re.compile(r"(Syntax|Indentation|Tab)Error\b")
_PLACE = re.compile(r'File "([^"]+)", line (\d+)')
_CONTROL = """def {name}():
    assert [1, {value}] == [1, 0]
"""
_KEPT_OPTIONS = re.compile(r"--(?:import-mode|asyncio-mode|ds)(?==|$)|-p(?!no:)")
"""Of a project's own options: those without which its tests cannot be found or loaded."""


def is_declared(tree: Tree) -> bool:
    """Return whether there are Python tests, and pytest is configured, required or imported."""
    options = _ini_options(tree)
    if not any(path.endswith(".py") and (is_test_file(path) or _is_configured(path, options)) for path in tree):
        return False
    if {"pytest.ini", ".pytest.ini", "conftest.py"} & {PurePosixPath(path).name for path in tree}:
        return True
    return bool(options) or python_requirements.mentions(tree, "pytest") or _has_plain_tests(tree)


def is_test_file(path: str) -> bool:
    """Return whether a file belongs to the tests."""
    return any(pattern.search(path) for pattern in (_TEST_FILE, _TEST_FOLDER, _MACHINERY))


def prepare(tree: Tree, host: Host) -> Preparation:
    """Install pytest, and what the project requires."""
    return python_packages.prepare(tree, host, ("pytest",))


def command(tree: Tree, tests: Tree, control: str) -> TestCommand:
    """Run everything that the configuration names, whatever else its `addopts` ask for."""
    options = _ini_options(tests)
    paths = _existing(_words(options.get("testpaths")) or ["."], tree)
    file, function = _control_file(options, control), _control_function(options, control)
    words = [
        *("-m", "pytest", "-q", "--color=no", "-p", "no:cacheprovider"),
        *("-o", "addopts=", "-o", "junit_family=xunit1", f"--junitxml={REPORTS}/{REPORT}"),
        *_kept_options(_words(options.get("addopts"))),
        "--continue-on-collection-errors",
    ]
    value = int(control[-4:], 16) + 1
    # pytest 8 runs nothing else of a folder if a file in it is named beside it
    named = paths if "." in paths else [*paths, file]
    return TestCommand(
        # -P: a module of the project named pytest must not take the place of the real one
        argv=(python_packages.interpreter(), "-P", *words, *named),
        shown=f"python -m pytest {' '.join(paths)}".removesuffix(" ."),
        added={
            **python_packages.metadata_files(tree),
            **({f"{control}/__init__.py": TreeFile()} if "/" in file else {}),
            file: TreeFile(content=_CONTROL.format(name=function, value=value).encode()),
        },
        environment=environment(),
        reports=(REPORT,),
    )


def _kept_options(words: list[str]) -> list[str]:
    found: list[str] = []
    for index, word in enumerate(words):
        following = words[index + 1 : index + 2]
        if word == "-p" or (_KEPT_OPTIONS.fullmatch(word) and word.startswith("--")):
            found += [word, *following] if following and not following[0].startswith("no:") else []
        elif _KEPT_OPTIONS.match(word):
            found.append(word)
    return found


def _control_file(options: dict[str, Any], control: str) -> str:
    """Return a file that pytest collects."""
    patterns = [each.rpartition("/")[2] for each in _words(options.get("python_files")) or ["test_*.py"]]
    pattern = next((each for each in patterns if "*" in each), patterns[0])
    return _filled(pattern, control) if "*" in pattern else f"{control}/{pattern}"


def _control_function(options: dict[str, Any], control: str) -> str:
    """Return the name of a function that pytest collects: after one of its patterns, or of its beginnings."""
    chosen = (_words(options.get("python_functions")) or ["test"])[0]
    return _filled(chosen, control) if "*" in chosen else f"{chosen}_{control}"


def _filled(pattern: str, word: str) -> str:
    return re.sub(r"\[[^]]*\]|\?", "x", pattern).replace("*", word, 1).replace("*", "")


def _is_configured(path: str, options: dict[str, Any]) -> bool:
    """Return whether a file has a name that the project gives its tests."""
    folders = [folder.strip("./") for folder in _words(options.get("testpaths"))]
    is_below = not folders or any(not folder or path.startswith(f"{folder}/") for folder in folders)
    patterns = _words(options.get("python_files"))
    return is_below and any(fnmatch.fnmatch(path.rpartition("/")[2], pattern) for pattern in patterns)


def environment() -> dict[str, str]:
    """Return the variables that both kinds of Python tests need."""
    return {
        "PYTHONPATH": f"{python_packages.PACKAGES}:{PROJECT}/src:{PROJECT}/lib:{PROJECT}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
    }


def read_report(tree: Tree, execution: Execution, control: str) -> SuiteReport:
    """Read the JUnit file; a file that could not be loaded is an entry of its own."""
    document = report_of(execution, REPORT)
    cases = junit.parse(document) if document is not None else None
    if cases is None:
        return SuiteReport(problem=unreported(execution))
    check_control(case.outcome for case in cases if control in case.name)
    cases = [case for case in cases if control not in case.name and control not in case.classname]
    offline = {_node_id(case) for case in cases if case.outcome == "failed" and needs_host(case.details)}
    unloadable = [case for case in cases if _is_unloadable(case)]
    nothing_loads = bool(cases) and len(unloadable) == len(cases)
    undeclared = [name for case in unloadable if (name := _undeclared_module(case, tree))]
    unbuilt = [name for case in unloadable if (name := _unbuilt_module(case, tree))]
    problem = ""
    if unbuilt and len(unbuilt) == len(unloadable):
        problem = (
            f"the tests need the module {unbuilt[0]}, which the project's build would compile, and builds are not run"
        )
    elif undeclared and len(undeclared) == len(unloadable):
        problem = f"the tests need the module {undeclared[0]}, which nothing that the project declares provides"
    elif nothing_loads:
        problem = f"no test file can be loaded: {_last_line(unloadable[0].details)}"
    return SuiteReport(
        outcomes={
            **junit.worst_by_name((_node_id(case), case.outcome) for case in cases),
            **dict.fromkeys(offline, "skipped"),
        },
        notes=host_note(offline),
        files={_node_id(case): case.file for case in cases},
        problem=problem if nothing_loads else "",
        broken_build=nothing_loads and not undeclared and not unbuilt,
        unavailable=nothing_loads and len(unbuilt) == len(unloadable),
        unloadable=frozenset(_node_id(case) for case in unloadable),
    )


def _node_id(case: junit.JUnitCase) -> str:
    """Return the name that pytest itself gives a test: `tests/test_a.py::TestB::test_c[1]`; for a file, its path."""
    if _is_unloadable(case):
        return case.file
    module = case.file.removesuffix(".py").replace("/", ".")
    inner = case.classname.removeprefix(module).strip(".").replace(".", "::")
    return "::".join(part for part in (case.file, inner, case.name) if part)


def _is_unloadable(case: junit.JUnitCase) -> bool:
    return case.error and not case.classname


def _undeclared_module(case: junit.JUnitCase, tree: Tree) -> str:
    """Return the module that could not be imported, if it is no part of the project."""
    match = re.search(r"ModuleNotFoundError: No module named '([\w.]+)'", case.details)
    if match is None:
        return ""
    name = match[1].split(".")[0]
    own = re.compile(rf"(^|/){re.escape(name)}(\.py$|/)")
    return "" if any(own.search(path) for path in tree) else name


def _unbuilt_module(case: junit.JUnitCase, tree: Tree) -> str:
    """Return the module of the project that could not be imported because a build would compile it."""
    match = re.search(
        r"ModuleNotFoundError: No module named '([\w.]+)'|ImportError: cannot import name '(\w+)' from", case.details
    )
    if match is None:
        return ""
    name = str(match[1] or match[2])
    stem = re.escape(name.rpartition(".")[2])
    python = re.compile(rf"(^|/){stem}(\.py$|/__init__\.py$)")
    source = re.compile(rf"(^|/){stem}(module)?\.(c|cc|cpp|cxx|pyx|pyi|f90)$")
    names = [path for path in tree if source.search(path)]
    builds = any(_COMPILES.search(tree[path].text) for path in _BUILD_FILES if path in tree)
    is_compiled = bool(names) or any(name in tree[path].text for path in _BUILD_FILES if path in tree)
    return name if builds and is_compiled and not any(map(python.search, tree)) else ""


def _last_line(details: str) -> str:
    """Return the error of a file that cannot be loaded, with its place if that is known."""
    lines = [line.strip() for line in details.splitlines() if line.strip()]
    reason = re.sub(r"^E\s+", "", lines[-1])[:200] if lines else "no reason is reported"
    places = _PLACE.findall(details) if _SYNTAX_ERROR.match(reason) else []
    return f"{places[-1][0]}:{places[-1][1]}: {reason}" if places else reason


def _ini_options(tree: Tree) -> dict[str, Any]:
    """Return pytest's own configuration, from the first file that has it, in pytest's order."""
    for name, section in (
        ("pytest.ini", "pytest"),
        (".pytest.ini", "pytest"),
        ("pyproject.toml", ""),
        ("tox.ini", "pytest"),
        ("setup.cfg", "tool:pytest"),
    ):
        if name not in tree:
            continue
        options = _toml_options(tree[name].text) if not section else _section(tree[name].text, section)
        if options:
            return options
    return {}


def _toml_options(text: str) -> dict[str, Any]:
    return table(table(table(read_toml(text), "tool"), "pytest"), "ini_options")


def _section(text: str, section: str) -> dict[str, Any]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return {}
    return dict(parser.items(section)) if parser.has_section(section) else {}


def _words(value: Any) -> list[str]:
    if isinstance(value, str):
        return value.split()
    return [str(each) for each in value] if isinstance(value, list) else []


def _existing(paths: list[str], tree: Tree) -> list[str]:
    """Keep the paths that exist: pytest stops at one that does not."""
    kept = [path for path in paths if not path.startswith("-") and (path == "." or _is_in(path, tree))]
    return kept or ["."]


def _is_in(path: str, tree: Tree) -> bool:
    folder = path.strip("/") + "/"
    return path in tree or any(each.startswith(folder) for each in tree)


def _has_plain_tests(tree: Tree) -> bool:
    """Return whether some test is a plain function, which unittest would not find."""
    plain = re.compile(r"^(async )?def test_|^class Test\w*(\(object\))?:", re.M)
    return any(
        path.endswith(".py") and _TEST_FILE.search(path) and plain.search(file.text) for path, file in tree.items()
    )
