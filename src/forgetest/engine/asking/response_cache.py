"""Cache of models' answers, keyed by the request: the same request for the same attempt is paid for once.

Each answer is a file. Failures are not errors: an unreadable answer is asked for, and one that cannot be written is
not cached. The least recently used answers are deleted first.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from forgetest.errors import UserError
from forgetest.files import atomic
from forgetest.sample import Completion, Request

FORMAT_VERSION = 1

_IRRELEVANT_SETTINGS = frozenset({"api_key", "concurrency", "prices", "timeout_secs", "type"})
"""Settings of a provider that cannot change an answer. Any other setting may, and is part of the key."""

_PRUNE_TARGET = 0.9
"""Share of the limit that pruning leaves, so that the next answers do not require pruning again."""
_PRUNE_INTERVAL = 500
"""Number of new answers after which the size is checked."""
_TOUCH_INTERVAL_S = 86400
"""Least time between two updates of an answer's last use."""
_ANSWER_FILE = re.compile(r"[0-9a-f]{64}\.json(\.[0-9]+-[0-9]+)?")
"""Name of an answer's file, or of what a killed process of an earlier version left of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseCacheContents:
    """Size of a cache folder."""

    folder: Path
    answers: int
    bytes: int


class _CachedAnswer(msgspec.Struct, kw_only=True, frozen=True):
    format_version: int = FORMAT_VERSION
    completion: Completion


_decoder = msgspec.json.Decoder(_CachedAnswer)


class ResponseCache:
    """Cache in a folder. Safe for many threads and processes."""

    def __init__(self, folder: Path, max_bytes: int, *, refresh: bool = False) -> None:
        """`refresh`: cached answers are replaced, not used."""
        self._folder = folder
        self._max_bytes = max_bytes
        self._refresh = refresh
        self._lock = threading.Lock()
        self._new = 0
        self.hits = 0

    def get(self, key: str) -> Completion | None:
        """Return a cached answer, or None."""
        if self._refresh:
            return None
        path = self._path(key)
        try:
            cached = _decoder.decode(path.read_bytes())
        except (OSError, msgspec.MsgspecError):
            return None
        if cached.format_version != FORMAT_VERSION:
            return None
        with self._lock:
            self.hits += 1
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < time.time() - _TOUCH_INTERVAL_S:
                os.utime(path)
        return replace(cached.completion, from_cache=True)

    def put(self, key: str, completion: Completion) -> None:
        """Cache an answer."""
        path = self._path(key)
        with contextlib.suppress(OSError, UnicodeEncodeError):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)  # answers are private to the user
            atomic.write_bytes(path, msgspec.json.encode(_CachedAnswer(completion=completion)))
            with self._lock:
                self._new += 1
                if self._new % _PRUNE_INTERVAL == 0:
                    _prune_responses(self._folder, self._max_bytes)

    def close(self) -> None:
        """Prune the folder if answers were added."""
        with self._lock, contextlib.suppress(OSError):
            if self._new:
                _prune_responses(self._folder, self._max_bytes)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"


def contents(folder: Path) -> ResponseCacheContents:
    """Return the size of a cache folder, without changing it."""
    with _os_errors_as_user_errors(folder):
        files = list(_cached_files(folder))
    return ResponseCacheContents(
        folder=folder,
        answers=sum(path.suffix == ".json" for path, _ in files),
        bytes=sum(_disk_bytes(status) for _, status in files),
    )


def prune(folder: Path, max_bytes: int) -> None:
    """Delete the least recently used answers until the rest takes at most that many bytes."""
    with _os_errors_as_user_errors(folder):
        _prune_responses(folder, max_bytes)


def clear(folder: Path) -> None:
    """Delete every answer. Runs in progress go on and ask."""
    with _os_errors_as_user_errors(folder):
        for path, _ in _cached_files(folder):
            path.unlink(missing_ok=True)


@contextlib.contextmanager
def _os_errors_as_user_errors(folder: Path) -> Iterator[None]:
    """Report file system errors of a folder that the user named."""
    try:
        yield
    except OSError as error:
        raise UserError(f"{folder}: {error}") from error


def _prune_responses(folder: Path, max_bytes: int) -> None:
    files = sorted(_cached_files(folder), key=lambda file: (file[1].st_mtime_ns, file[0]))
    size = sum(_disk_bytes(status) for _, status in files)
    if size <= max_bytes:
        return
    for path, status in files:
        if size <= max_bytes * _PRUNE_TARGET:
            break
        path.unlink(missing_ok=True)
        size -= _disk_bytes(status)


def _cached_files(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """List the files of the cache only: the user may have named a folder with other files in it."""
    for path in folder.glob("[0-9a-f][0-9a-f]/*"):
        if _ANSWER_FILE.fullmatch(path.name) or atomic.is_temporary(path.name):
            with contextlib.suppress(FileNotFoundError):  # deleted by another process
                yield path, path.lstat()


def _disk_bytes(status: os.stat_result) -> int:
    """Return the disk space of a file, which is at least a block."""
    return max(status.st_size, status.st_blocks * 512)


def key_of(provider_type: str, settings: Mapping[str, object], request: Request, attempt: int) -> str:
    """Return the key of an answer: a hash of everything that it depends on, which the API key is not part of."""
    relevant = {name: value for name, value in settings.items() if name not in _IRRELEVANT_SETTINGS}
    identity = msgspec.json.encode((provider_type, relevant, request, attempt), order="deterministic")
    return hashlib.sha256(identity).hexdigest()
