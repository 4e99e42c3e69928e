from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from forgetest import config
from forgetest.errors import MachineryError
from forgetest.toolchains.python import lint
from forgetest.toolchains.python.tools import Tools
from forgetest.verdict import Execution, Span

TOOLS = Tools(version="x", release=(3, 12), mounts=(), lint_mounts=())
FOUND = {
    "code": "F841",
    "message": "unused",
    "filename": "/w/sample1.py",
    "location": {"row": 2, "column": 5},
    "end_location": {"row": 2, "column": 6},
}


def execution(stdout: str, *, exit_code: int = 0) -> Execution:
    return Execution(step="lint", ended="exited", exit_code=exit_code, stdout=stdout.encode(), stderr=b"oh\n")


def test_the_rules_are_ours_whatever_the_sample_says():
    step = lint.lint_step(TOOLS, ["x = 1", "y = '\ud800'"])
    assert {"--isolated", "--ignore-noqa", "--target-version=py312"} <= set(step.argv)
    assert set(step.files) == {"sample0.py", "sample1.py"}


def test_lints_belong_to_their_sample():
    first, second = lint.read_lints(execution(json.dumps([FOUND])), 2)
    assert first == ()
    assert (second[0].code, second[0].message) == ("F841", "unused")
    assert second[0].spans == (Span(line_start=2, line_end=2, column_start=5, column_end=6),)


@pytest.mark.parametrize("broken", [execution("", exit_code=2), execution("no JSON"), execution("{}")])
def test_a_linter_that_did_not_finish_is_our_own_failure(broken: Execution):
    with pytest.raises(MachineryError, match="ruff did not finish"):
        lint.read_lints(broken, 1)


BAD = "import os\nx = [i for i in [1]]\ndef f(a=[]):\n    return a == None\n"
CODES = "F401, C416, B006, E711"
HIDING = {
    "nothing": BAD,
    "ruff's comment for a file": f"# ruff: noqa\n{BAD}",
    "flake8's": f"# flake8: noqa\n{BAD}",
    "a range": f"# ruff: disable[{CODES}]\n{BAD}# ruff: enable[{CODES}]\n",
    "ruff's newer comment for a file": f"# ruff: file-ignore[{CODES}]\n{BAD}",
    "a comment on each line": BAD.replace("\n", "  # noqa\n"),
    "configuration in the script": f'# /// script\n# [tool.ruff.lint]\n# ignore = ["F", "E", "B", "C4"]\n# ///\n{BAD}',
    "marks for other tools": f"# pylint: skip-file\n# fmt: off\n# @generated\n{BAD}",
    "a byte order mark": f"\ufeff{BAD}",
    "other line ends": BAD.replace("\n", "\r\n"),
}


def test_no_comment_of_a_sample_hides_a_lint(tmp_path: Path):
    """Ruff itself, as it runs in the sandbox."""
    ruff = shutil.which("ruff", path=config.host_environment()["PATH"])
    if ruff is None:
        pytest.skip("ruff is not installed: run scripts/setup --dev")
    step = lint.lint_step(TOOLS, list(HIDING.values()))
    for name, content in step.files.items():
        (tmp_path / name).write_bytes(content)
    finished = subprocess.run([ruff, *step.argv[1:]], cwd=tmp_path, capture_output=True, text=True, check=True)
    for name, lints in zip(HIDING, lint.read_lints(execution(finished.stdout), len(HIDING)), strict=True):
        assert sorted(str(each.code) for each in lints) == ["B006", "C416", "E711", "F401"], name


def test_the_linter_is_installed_with_forgetest_and_not_only_for_its_tests() -> None:
    project = tomllib.loads((Path(__file__).parents[4] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert any(requirement.startswith("ruff") for requirement in extras["python"])
    assert "python" in extras["all"][0].partition("[")[2].rstrip("]").split(",")
