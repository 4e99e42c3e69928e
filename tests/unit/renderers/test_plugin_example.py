"""The renderer shown in docs/plugins.md passes the contract suite."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from forgetest.renderers import Renderer
from forgetest.testing.renderers import RendererContract

PAGE = Path(__file__).resolve().parents[3] / "docs" / "plugins.md"


class TestExample(RendererContract):
    @pytest.fixture
    def renderer(self) -> Renderer:
        code = re.search(r"```python\n(# my_package/summary\.py\n.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
        assert code is not None
        module = ModuleType("summary")
        exec(code[1], module.__dict__)
        return module
