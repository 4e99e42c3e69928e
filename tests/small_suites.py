"""Suites of one file, run by the real pytest outside of any sandbox: they are our own."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


def passed_by_pytest(file: Path) -> set[str]:
    """Return the names of the tests of a file that pass."""
    command = ["python", "-m", "pytest", "-p", "no:cacheprovider", "-rA", file.name]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # loading ours takes most of the time
    done = subprocess.run(command, cwd=file.parent, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return {line.rpartition("::")[2] for line in done.stdout.splitlines() if line.startswith("PASSED")}
