"""What tests of the command line share."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import workbench
from forgetest.cli.main import main


@pytest.fixture
def called(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """The command in this process, for what ends before it has begun: Python's start takes longer than that."""
    monkeypatch.syspath_prepend(str(workbench.PLUGINS))

    def call(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
        monkeypatch.chdir(cwd)
        monkeypatch.setattr(sys, "argv", ["forgetest", *map(str, words)])
        monkeypatch.setenv("FORGETEST_CACHE_MB", "0")
        monkeypatch.setenv("FORGETEST_ANSWERS", str(cwd / ".answers"))
        with pytest.raises(SystemExit) as ended:
            main()
        assert isinstance(ended.value.code, int)
        printed = capfd.readouterr()
        return subprocess.CompletedProcess(sys.argv, ended.value.code, printed.out, printed.err)

    return call
