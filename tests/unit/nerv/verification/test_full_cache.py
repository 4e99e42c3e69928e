"""A machine that cannot keep what a verification needs: told with its reason, and nobody's failure."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from nerv.verification import verify as module
from nerv.verification.repository import RepositorySource
from nerv.verification.verify import VerificationOptions, verify
from verified_projects import make_repository

FILES = {"test_a.py": "def test_a():\n    assert 1 + 1 == 2\n"}


def source(folder: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> RepositorySource:
    """Return a repository on a machine on which opening the sandbox fails like this."""

    def fail(*_: object) -> None:
        raise OSError(code, os.strerror(code), "/cache/file")

    monkeypatch.setattr(module, "open_test_sandbox", fail)
    return make_repository(folder, FILES, {"a.py": "A = 1\n"})


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_cache_that_is_full_or_read_only_leaves_the_run_unverified(tmp_path, monkeypatch, code):
    found = verify(source(tmp_path / "r", monkeypatch, code), VerificationOptions(), lambda _: None)
    assert (found.verified, found.skipped) == (None, f"/cache/file: {os.strerror(code)}; make room, or allow it")


def test_an_error_of_ours_is_no_lack_of_the_machine(tmp_path, monkeypatch):
    with pytest.raises(OSError, match="/cache/file"):
        verify(source(tmp_path / "r", monkeypatch, errno.EBADF), VerificationOptions(), lambda _: None)
