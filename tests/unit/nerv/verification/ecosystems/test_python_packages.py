"""Requirements of Python projects: read from files that an agent wrote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerv.verification.ecosystems import Host, NotPrepared, python_packages, python_requirements
from verified_projects import tree_of


def test_requirements_are_read_from_every_file_that_declares_them():
    needed, optional, notes = python_requirements.requirements(
        tree_of(
            {
                "pyproject.toml": (
                    '[project]\nname = "calc"\ndependencies = ["a>=1", "b[x]; python_version > \'3\'"]\n'
                    '[project.optional-dependencies]\ntest = ["c", "calc[extra]"]\ndocs = ["not-wanted"]\n'
                    '[dependency-groups]\ndev = ["d", {include-group = "x"}]\n'
                ),
                "setup.cfg": "[options]\ninstall_requires =\n    e\n[options.extras_require]\ntests =\n    f\n",
                "setup.py": "from setuptools import setup\nsetup(install_requires=['g'], tests_require=['h'])\n",
                "requirements.txt": "i==1.0 --hash=sha256:00  # why\n\n",
                "requirements-dev.txt": "j~=2.0\n",
            }
        )
    )
    assert needed == ("a>=1", "b[x]; python_version > '3'", "e", "g", "i==1.0")
    assert sorted(optional) == ["c", "d", "f", "h", "j~=2.0"]
    assert notes == ()


@pytest.mark.parametrize(
    "line",
    [
        "--index-url https://evil.example/simple",
        "-r /etc/passwd",
        "git+https://evil.example/x.git",
        "x @ https://evil.example/x.whl",
        "./local",
        "../outside",
        "file:///etc/passwd",
        "-e .",
        "a\\",
        "a --global-option=x",
    ],
)
def test_an_option_an_address_or_a_path_is_never_given_to_pip(line):
    needed, _, _ = python_requirements.requirements(tree_of({"requirements.txt": f"good\n{line}\n"}))
    assert [each for each in needed if each not in ("good", "a")] == []


@given(st.text(max_size=40))
def test_no_accepted_line_is_an_option_or_has_an_address(line):
    needed, _, _ = python_requirements.requirements(tree_of({"requirements.txt": line}))
    assert not any(each.startswith("-") or "://" in each or "@" in each or "/" in each.split(";")[0] for each in needed)


def test_setup_py_is_read_and_not_run(tmp_path):
    planted = tmp_path / "planted"
    text = f"open({str(planted)!r}, 'w')\nsetup(install_requires=open('x').read())\n"
    assert python_requirements.requirements(tree_of({"setup.py": text})) == ((), (), ())
    assert not planted.exists()


@pytest.mark.parametrize(
    "text", ["[project", "[project]\ndependencies = 3\n", "[tool.poetry.dependencies]\npython = '3'\n"]
)
def test_an_invalid_or_unusual_pyproject_requires_nothing(text):
    assert python_requirements.requirements(tree_of({"pyproject.toml": text})) == ((), (), ())


def test_code_that_asks_for_its_own_version_finds_it():
    text = '[project]\nname = "my-calc"\nversion = "1.2"\n[project.scripts]\ncalc = "calc:main"\n'
    found = python_packages.metadata_files(tree_of({"pyproject.toml": text}))
    assert found["my_calc-1.2.dist-info/METADATA"].text.endswith("Name: my-calc\nVersion: 1.2\n")
    assert found["my_calc-1.2.dist-info/entry_points.txt"].text == "[console_scripts]\ncalc = calc:main"


@pytest.mark.parametrize("text", ["", "[project]\nname = '../x'\n", "[project]\nname = 'x'\nversion = '../1'\n", "["])
def test_a_name_or_version_that_is_none_leaves_no_metadata(text):
    assert python_packages.metadata_files(tree_of({"pyproject.toml": text})) == {}


@pytest.fixture
def offline(tmp_path):
    """A host whose registry does not answer."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PIP_NO_INDEX": "1"}
    return Host(cache_folder=tmp_path / "cache", environment=environment, say=lambda _message: None)


def test_without_a_registry_packages_of_our_own_environment_are_used(offline):
    folder = python_packages.install(("pytest",), offline)
    assert (folder / "pytest" / "__init__.py").is_file()
    assert (folder / "pluggy" / "__init__.py").is_file()
    assert not (folder / "forgetest").exists()


def test_without_a_registry_another_package_is_a_reason_and_leaves_nothing_behind(offline):
    with pytest.raises(NotPrepared, match="could not be installed"):
        python_packages.install(("no-such-package-of-ours",), offline)
    left = list((offline.cache_folder / "verification" / "python").iterdir())
    assert [path.suffix for path in left] == [".lock"]


def test_what_was_installed_once_is_used_again(offline):
    first = python_packages.install(("pytest",), offline)
    (first / "marker").touch()
    assert (python_packages.install(("pytest",), offline) / "marker").exists()


def test_test_libraries_that_only_tests_import_are_installed_as_well():
    tests = {"tests/test_shop.py": "import mock\nfrom hypothesis import given\n", "shop.py": "import six\n"}
    assert set(python_requirements.requirements(tree_of(tests))[1]) == {"mock", "hypothesis"}
    declared = {**tests, "requirements-dev.txt": "Mock==4.0\n"}
    assert set(python_requirements.requirements(tree_of(declared))[1]) == {"Mock==4.0", "hypothesis"}
    own = {**tests, "hypothesis/__init__.py": "", "mock.py": ""}
    assert python_requirements.requirements(tree_of(own))[1] == ()


def test_requirements_of_setup_py_may_be_given_by_name_and_those_of_setup_cfg_on_several_lines():
    setup = "EXTRAS = {'tests': ['pytest', 'simplejson'], 'docs': ['sphinx']}\nsetup(extras_require=EXTRAS)\n"
    assert python_requirements.requirements(tree_of({"setup.py": setup}))[1] == ("pytest", "simplejson")
    cfg = "[options.extras_require]\ntesting =\n    a >= 1; \\\n    python_version > '3'\n    b\n"
    assert python_requirements.requirements(tree_of({"setup.cfg": cfg}))[1] == ("a >= 1; python_version > '3'", "b")


def test_what_tests_import_is_installed_although_something_else_cannot_be(tmp_path, monkeypatch):
    attempts = []

    def install(wanted, _host):
        attempts.append(wanted)
        if "big-O" in wanted:
            raise NotPrepared("there is no wheel of big-O")
        return tmp_path

    monkeypatch.setattr(python_packages, "install", install)
    files = {
        "requirements-dev.txt": "big-O\njaraco.itertools\npytest-cov\n",
        "tests/test_a.py": "from jaraco import itertools\n",
    }
    host = Host(cache_folder=tmp_path, environment={}, say=lambda _: None)
    prepared = python_packages.prepare(tree_of(files), host, ("pytest",))
    assert attempts[1:] == [("jaraco.itertools", "pytest", "pytest-cov")]
    assert prepared.notes == ("left out: big-O",)


@pytest.mark.parametrize(
    ("path", "text"), [("setup.py", "-" * 100_000 + "1\n"), ("pyproject.toml", "a = " + "[" * 5000 + "]" * 5000)]
)
def test_a_file_that_is_nested_too_deeply_requires_nothing(path, text):
    assert python_requirements.requirements(tree_of({path: text})) == ((), (), ())
