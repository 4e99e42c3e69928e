from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from forgetest import config
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.errors import UserError
from forgetest.evalset import Dependency
from forgetest.sandboxes.factory import open_sandbox
from forgetest.toolchains.python import packages
from forgetest.toolchains.python.package_names import REQUIREMENT
from forgetest.verdict import Execution, Step
from grading import Graded, JudgeGrader, case_of, judge_with


def first_step(*dependencies: Dependency) -> Step:
    return next(packages.prepare("c", dependencies, "/py/python3", "CPython 3.11"))


def package(name: str, version: str, *features: str) -> Dependency:
    return Dependency(name=name, version=version, features=features)


def test_a_plain_version_is_exact_and_anything_else_is_as_written():
    step = first_step(package("numpy", "2.1.0"), package("a-b", ">=2,<3", "x", "y"), package("c", "*"))
    assert step.argv[-3:] == ("a-b[x,y]>=2,<3", "c", "numpy==2.1.0")


def test_only_wheels_are_installed_and_each_set_once():
    one, other = first_step(package("a", "1"), package("b", "2")), first_step(package("b", "2"), package("a", "1"))
    assert "--only-binary :all:" in one.argv[2]
    assert one == other
    assert one.keep != first_step(package("a", "1")).keep


@pytest.mark.parametrize(
    "dependency",
    [
        package("--index-url=http://x", "1"),
        package("a @ http://x/a.whl", "1"),
        package("a", "1 @ http://x/a.whl"),
        package("a", "1; os_name"),
        package("a", "1\n-r x"),
        package("a", "1", "x] @ http://x["),
    ],
)
def test_nothing_but_names_and_versions_reaches_pip(dependency: Dependency):
    with pytest.raises(UserError, match="case c: dependency"):
        first_step(dependency)


@pytest.mark.parametrize("text", ["numpy==2.1.0", "a-b[x, y] >= 2, < 3", "c"])
def test_a_requirement_may_be_written_as_one_text(text: str):
    assert list(REQUIREMENT.errors(text, ())) == []


@pytest.mark.parametrize("text", ["numpy 2", "a @ http://x", "-r x", "", "a==1; os_name == 'nt'", "a==1\n"])
def test_other_texts_are_no_requirements(text: str):
    assert list(REQUIREMENT.errors(text, ()))


def test_what_cannot_be_installed_is_the_users_error():
    script = packages.prepare("c", [package("nosuch", "1")], "/py/python3", "CPython 3.11")
    next(script)
    failure = b"Looking in indexes\nERROR: No matching distribution found for nosuch==1\n"
    with pytest.raises(UserError, match=r"case c: dependencies: cannot install nosuch==1 as wheels: ERROR: No match"):
        script.send(Execution(step="install", ended="exited", exit_code=1, stderr=failure))


def write_wheel(folder: Path, name: str, version: str, code: str) -> None:
    files = {
        f"{name}/__init__.py": code,
        f"{name}-{version}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{name}-{version}.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = [
        f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip('=')},{len(text)}"
        for path, text in files.items()
    ]
    files[f"{name}-{version}.dist-info/RECORD"] = "\n".join([*record, f"{name}-{version}.dist-info/RECORD,,", ""])
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)


TINY = """
class TinyError(ValueError):
    pass

class Box:
    def __init__(self, value):
        self.value = value
    def __eq__(self, other):
        return type(other) is Box and other.value == self.value

def parse(text):
    if not text:
        raise TinyError("empty")
    return int(text)
"""
TESTS = """
import pytest
import tiny

def test_value():
    assert f("3") == tiny.parse("3")

def test_error():
    with pytest.raises(tiny.TinyError, match="empty"):
        f("")

def test_object():
    assert box(1) == tiny.Box(1)
"""
SAMPLE = "import tiny\ndef f(text):\n    return tiny.parse(text)\ndef box(value):\n    return tiny.Box(value)\n"

needs_tools = pytest.mark.skipif(
    not (shutil.which("bwrap") and shutil.which("ruff", path=config.host_environment()["PATH"])),
    reason="bwrap or ruff is not installed: run scripts/setup --dev",
)


@pytest.mark.slow
@needs_tools
def test_packages_from_the_users_index_are_there_for_sample_and_tests(tmp_path: Path):
    write_wheel(tmp_path, "tiny", "1.2", TINY)
    environment = {
        **config.host_environment(),
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(tmp_path),
        "PIP_NO_CACHE_DIR": "1",
    }
    sandbox = open_sandbox("bubblewrap")
    try:
        grade = JudgeGrader(judge_with(StepRunner(sandbox, tmp_path / "cache", environment), "bubblewrap"))
        found = grade(SAMPLE, case_of(TESTS, language="python", dependencies=(package("tiny", "1.2"),)))
        with pytest.raises(UserError, match=r"cannot install tiny==1\.3 as wheels"):
            grade(SAMPLE, case_of(TESTS, language="python", dependencies=(package("tiny", "1.3"),)))
    finally:
        sandbox.close()
    assert (found.failed, found.messages.strip()) == ([], "")
    assert found.verdict.provenance.dependencies
    doubts = [(finding.kind, finding.detail) for finding in found.verdict.integrity]
    assert [kind for kind, _ in doubts] == ["shared_interpreter"]
    assert doubts[0][1].startswith("test_object ran in the sample's own interpreter: an object of tiny.Box")


def has_python(release: str) -> bool:
    candidates = [
        shutil.which(f"python{release}"),
        *Path.home().glob(f".pyenv/versions/{release}*/bin/python{release}"),
    ]
    return any(each and not subprocess.run([each, "-c", ""], capture_output=True).returncode for each in candidates)


def graded_release(grade: JudgeGrader, release: str) -> Graded:
    tests = f"def test_release():\n    assert release() == {release!r}\n"
    case = case_of(tests, language="python", options={"python": release})
    return grade("import sys\ndef release():\n    return '%d.%d' % sys.version_info[:2]\n", case)


@needs_tools
@pytest.mark.skipif(not has_python("3.12"), reason="Python 3.12 is not installed")
def test_a_case_may_ask_for_a_release_of_python(grade: JudgeGrader):
    found = graded_release(grade, "3.12")
    assert (found.correct, found.verdict.verified) == (True, True), found.messages
    assert found.verdict.provenance.toolchain.startswith("CPython 3.12.")


@needs_tools
def test_a_release_that_is_not_installed_is_named_with_what_to_do(grade: JudgeGrader):
    with pytest.raises(UserError, match=r"python: Python 3\.99 was not found: have python3\.99 on the PATH"):
        graded_release(grade, "3.99")
