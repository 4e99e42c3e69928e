"""The sandbox shown in docs/plugins.md runs steps."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from forgetest.sandboxes.factory import sandbox_settings
from forgetest.testing.sandboxes import run_shell

PAGE = Path(__file__).resolve().parents[3] / "docs" / "plugins.md"


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bwrap is not installed")
def test_the_sandbox_in_the_documentation_reports_each_step(capsys: pytest.CaptureFixture[str]) -> None:
    code = re.search(r"```python\n(# my_package/tracing\.py\n.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    module: dict[str, Any] = {}
    exec(code[1], module)
    sandbox = module["create"](sandbox_settings())
    try:
        assert run_shell(sandbox, "echo hello").stdout == b"hello\n"
    finally:
        sandbox.close()
    assert capsys.readouterr().err == "shell: /bin/sh\n"
    assert sandbox.configuration.startswith("tracing; bubblewrap; ")
