"""The way a command ended, from the status that its parent reported."""

from __future__ import annotations

import signal

from forgetest.verdict import Ending


def decode(code: int) -> tuple[Ending, int]:
    """Decode a shell-style exit code, in which 128 + N means signal N; the signal comes back as -N.

    SIGXCPU is the kernel's word for a process that has used up its CPU time.
    """
    if code == 128 + signal.SIGXCPU:
        return "cpu_limit", 128 - code
    return ("exited", code) if code <= 128 else ("signalled", 128 - code)


def last_line(stderr: bytes) -> str:
    """The last line of a program's complaints, or an empty string."""
    lines = stderr.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else ""
