"""Real data beside the repository, not in it. A test that needs it is skipped if it is absent."""

from __future__ import annotations

from pathlib import Path

import pytest

_FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data"


def external(name: str) -> Path:
    """The path of a file or folder of external data."""
    return _FOLDER / name


def needs_external(name: str) -> pytest.MarkDecorator:
    """Skip the test, with a message, if this file or folder is absent."""
    return pytest.mark.skipif(not external(name).exists(), reason=f"external data is absent: ../shared/data/{name}")
