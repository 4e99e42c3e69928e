"""Requirements of tests, in the forms of the tools that Python projects use."""

from __future__ import annotations

import pytest

from nerv.verification.ecosystems import python_requirements, python_versions
from verified_projects import tree_of

DECLARED = {
    "groups that include others": (
        {
            "pyproject.toml": '[dependency-groups]\ndev = ["a", {include-group = "unit"}]\n'
            'unit = ["b>=1"]\nlint = ["c"]\n'
        },
        {"a", "b>=1"},
    ),
    "groups that include each other": (
        {
            "pyproject.toml": '[dependency-groups]\ndev = [{include-group = "test"}]\n'
            'test = ["a", {include-group = "dev"}]\n'
        },
        {"a"},
    ),
    "extras that consist of others": (
        {
            "pyproject.toml": '[project]\nname = "My.Calc"\n[project.optional-dependencies]\n'
            'test = ["a", "my-calc[net]"]\nnet = ["b"]\ndocs = ["c"]\n'
        },
        {"a", "b"},
    ),
    "hatch": (
        {
            "pyproject.toml": '[project]\nname = "calc"\n[project.optional-dependencies]\nfast = ["c"]\n'
            '[tool.hatch.envs.default]\ndependencies = ["a"]\nfeatures = ["fast"]\n'
            '[tool.hatch.envs.hatch-test]\nextra-dependencies = ["b"]\n[tool.hatch.envs.docs]\ndependencies = ["d"]\n'
        },
        {"a", "b", "c"},
    ),
    "pdm and uv": (
        {
            "pyproject.toml": '[tool.pdm.dev-dependencies]\ntest = ["a"]\ndoc = ["c"]\n'
            '[tool.uv]\ndev-dependencies = ["b"]\n'
        },
        {"a", "b"},
    ),
    "poetry": (
        {
            "pyproject.toml": '[tool.poetry.dev-dependencies]\na = "^1.2"\n[tool.poetry.group.test.dependencies]\n'
            'b = {version = "~2.1", extras = ["x"]}\n'
        },
        {"a>=1.2,<2", "b[x]>=2.1,<2.2"},
    ),
    "tox": (
        {
            "tox.ini": "[testenv]\nextras = net\ndeps =\n    pytest\n    py37: a<2\n    -r {toxinidir}/ci/more.txt\n"
            "    {[base]deps}\n[testenv:docs]\ndeps = d\n",
            "ci/more.txt": "b==1  # why\n-r inner.txt\n",
            "ci/inner.txt": "c\n",
            "setup.py": "from setuptools import setup\nsetup(extras_require={'net': ['e']})\n",
        },
        {"pytest", "a<2", "b==1", "c", "e"},
    ),
    "nox": (
        {
            "noxfile.py": "import nox\n\n@nox.session\ndef tests(session):\n"
            "    session.install('-e', '.[net]', 'pytest', 'a>=1')\n"
            "    session.install('-r', 'ci.txt', *session.posargs)\n",
            "pyproject.toml": '[project]\nname = "calc"\n[project.optional-dependencies]\nnet = ["b"]\n',
            "ci.txt": "c\n",
        },
        {"pytest", "a>=1", "b", "c"},
    ),
    "pipenv": ({"Pipfile": '[dev-packages]\na = "*"\nb = "==1.0"\n'}, {"a", "b==1.0"}),
    "files": (
        {"dev-requirements.txt": "-r shared.txt\na\n", "shared.txt": "b\n", "requirements/ci.txt": "c\n"},
        {"a", "b"},
    ),
}


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_what_tests_require_is_read_wherever_a_tool_looks_for_it(name):
    files, expected = DECLARED[name]
    _, optional, notes = python_requirements.requirements(tree_of(files))
    assert (set(optional), notes) == (expected, ())


def test_requirements_in_files_that_setuptools_is_told_to_read():
    files = {
        "pyproject.toml": '[tool.setuptools.dynamic]\ndependencies = {file = ["base.in"]}\n',
        "base.in": "a>=1\n",
    }
    assert python_requirements.requirements(tree_of(files))[0] == ("a>=1",)


def test_a_requirement_file_outside_of_the_project_is_not_read():
    files = {"tox.ini": "[testenv]\ndeps = -r /etc/passwd\n  -r ../other.txt\n", "requirements.txt": "-r ../../x.txt\n"}
    assert python_requirements.requirements(tree_of(files)) == ((), (), ())


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("*", ""),
        ("^1.2.3", ">=1.2.3,<2"),
        ("^0.2.3", ">=0.2.3,<0.3"),
        ("^0.0.3", ">=0.0.3,<0.0.4"),
        ("^0", ">=0,<1"),
        ("~1.2.3", ">=1.2.3,<1.3"),
        ("~1", ">=1,<2"),
        ("1.2.*", "==1.2.*"),
        ("1.4", "==1.4"),
        (">=1, <2", ">=1,<2"),
        ("^1 || ^2", ""),
        ("latest", ""),
    ],
)
def test_versions_of_poetry_are_written_as_pip_reads_them(written, read):
    assert python_versions.constraint(written) == read


def test_a_package_from_an_address_is_refused_with_a_note():
    pyproject = (
        '[tool.poetry.dependencies]\npython = "^3.9"\na = {git = "https://evil.example/a"}\nb = {path = "../b"}\n'
    )
    needed, _, notes = python_requirements.requirements(tree_of({"pyproject.toml": pyproject}))
    assert needed == ()
    assert [note.rpartition(": ")[2] for note in notes] == ["a @ elsewhere", "b @ elsewhere"]


def test_a_package_for_other_versions_of_python_has_a_marker():
    table = {"a": {"version": "^1", "python": "<3.9"}, "b": {"version": "*", "markers": "os_name == 'nt'"}}
    assert python_versions.pinned(table) == ["a>=1,<2; python_version < '3.9'", "b; os_name == 'nt'"]
