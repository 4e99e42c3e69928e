"""Safe calls of git: a repository that an agent wrote must not start a program or reach a network."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from forgetest.errors import UserError
from nerv import config

_SAFE = (
    "--no-pager",
    *("-c", "safe.directory=*"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "log.showSignature=false"),
    *("-c", "protocol.allow=never"),
    *("-c", "core.quotePath=true"),
)
_LONGEST_WAIT_S = 300
_LONGEST_LINE = 16 * 1024 * 1024


def ask_git(repository: Path, words: Sequence[str]) -> str | None:
    """Return git's short answer, or None."""
    with GitProcess(repository, words) as lines:
        answer = b"\n".join(lines).decode("utf-8", "replace").strip()
    return answer or None


def git_output(repository: Path, words: Sequence[str], stdin: bytes = b"") -> bytes | None:
    """Return all that a git command prints; None if it failed."""
    try:
        finished = subprocess.run(
            _command(repository, words),
            input=stdin,
            capture_output=True,
            env=config.git_environment(),
            timeout=_LONGEST_WAIT_S,
            check=False,
        )
    except FileNotFoundError:
        raise UserError("git is not installed; --repo needs it") from None
    except subprocess.TimeoutExpired:
        return None
    return finished.stdout if finished.returncode == 0 else None


class GitProcess:
    """A git command whose output is read line by line."""

    def __init__(self, repository: Path, words: Sequence[str]) -> None:
        self._command = _command(repository, words)
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Iterator[bytes]:
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=config.git_environment(),
            )
        except FileNotFoundError:
            raise UserError("git is not installed; --repo needs it") from None
        assert self._process.stdout
        return _stripped(self._process.stdout)

    def __exit__(self, *_: object) -> None:
        process = self._process
        assert process
        assert process.stdout
        process.stdout.close()
        try:
            process.wait(_LONGEST_WAIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _command(repository: Path, words: Sequence[str]) -> list[str]:
    return ["git", *_SAFE, "-C", os.fspath(repository), *words]


def _stripped(stream: IO[bytes]) -> Iterator[bytes]:
    while line := stream.readline(_LONGEST_LINE):
        yield line.rstrip(b"\n")
