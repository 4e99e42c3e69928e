"""Fixtures that unit tests share."""

from pathlib import Path

import pytest


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a file into an empty working folder and return its name."""
    monkeypatch.chdir(tmp_path)

    def write_file(content: str | bytes, name: str = "x.toml") -> str:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return write_file
