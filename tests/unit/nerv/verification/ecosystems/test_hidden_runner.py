"""Nothing shows who runs the tests, and afterwards everything is as it was."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from nerv.verification.ecosystems.in_sandbox import hidden_runner
from nerv.verification.ecosystems.in_sandbox.hidden_runner import hidden


def test_the_runner_is_hidden_and_can_still_be_imported():
    with hidden():
        assert "pytest" not in sys.modules
        assert sys.modules.get("_pytest") is None
        assert "pytest" not in list(sys.modules)
        assert "PYTEST_CURRENT_TEST" not in os.environ
        assert not any("pytest" in word for word in sys.argv)
        from unittest import mock

        import pytest

        assert pytest
        assert mock
    assert "pytest" in sys.modules
    assert "PYTEST_CURRENT_TEST" in os.environ


def test_modules_that_are_loaded_meanwhile_stay():
    sys.modules.pop("colorsys", None)
    with hidden():
        import colorsys

        assert sys.modules["colorsys"] is colorsys
    assert sys.modules["colorsys"] is colorsys


def test_a_test_may_exchange_the_environment(monkeypatch):
    real = os.environ
    with hidden():
        monkeypatch.setattr(os, "environ", {"A": "1"})
    assert os.environ == {"A": "1"}
    assert "PYTEST_CURRENT_TEST" in real


PROJECT = {
    "fares.py": """import inspect
import sys

import __main__

LOADED_BY = (sys.argv, __main__.__file__, sys.stdout is sys.__stdout__)


def who():
    caller = inspect.stack()[1]
    return caller.function, caller.filename, sys.stdout is sys.__stdout__
""",
    "test_fares.py": """import fares


def test_nothing_shows():
    assert fares.LOADED_BY == (["program"], "program.py", True)
    assert fares.who() == ("run", "program.py", True)


class TestMethods:
    def test_nothing_shows(self):
        assert fares.who() == ("run", "program.py", True)


def test_output_can_still_be_captured(capsys):
    print("hello")
    assert capsys.readouterr().out == "hello\\n"
""",
}


def test_a_test_shows_neither_its_name_nor_its_runner(tmp_path):
    for name, text in PROJECT.items():
        (tmp_path / name).write_text(text)
    folder = str(Path(hidden_runner.__file__).parent)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "hidden_runner", "--capture=no", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTHONPATH": folder, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert "3 passed" in done.stdout, done.stdout
