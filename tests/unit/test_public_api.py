"""The names that `import forgetest` offers."""

from __future__ import annotations

import subprocess
import sys

import pytest

import forgetest


@pytest.mark.parametrize("name", forgetest.__all__)
def test_every_public_name_can_be_fetched(name):
    assert getattr(forgetest, name) is not None


def test_a_name_that_is_not_public_is_an_ordinary_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = forgetest.nonsense


def test_importing_brings_nothing_along():
    code = "import sys, forgetest; print([m for m in sys.modules if m.startswith(('forgetest.', 'msgspec', 'click'))])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "['forgetest.version']"
