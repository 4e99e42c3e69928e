"""Programs that run in the sandbox beside the tests, and write their report. They import nothing of ours."""

from __future__ import annotations

from importlib.resources import files


def program(name: str) -> bytes:
    """Return the text of a program, to be put into the sandbox."""
    return files("nerv.verification.ecosystems.in_sandbox").joinpath(name).read_bytes()
