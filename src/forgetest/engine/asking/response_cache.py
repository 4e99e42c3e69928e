"""Answers of earlier runs, kept by what was asked: the same request for the same attempt is paid for once.

A file each, put in its place by renaming: it is there whole or not at all, whoever else is writing it. It is only a
cache: what cannot be read is asked, what cannot be written is not kept, and what was used longest ago goes first.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from forgetest.errors import UserError
from forgetest.files import atomic
from forgetest.sample import Attempt, Completion, Request

FORMAT_VERSION = 1

_NOT_IN_ANSWERS = frozenset({"api_key", "concurrency", "prices", "timeout_secs", "type"})
"""Settings of a provider that do not change what a model says; of others one cannot know."""


_PRUNED_TO = 0.9
"""Pruning goes somewhat below the limit, so that it is not needed again at once."""
_LOOK_EVERY = 500
"""After how many new answers to look at the size."""
_DAY_S = 86400
"""So often at most is it noted that an answer was used."""
_OURS = re.compile(r"[0-9a-f]{64}\.json(\.[0-9]+-[0-9]+)?")
"""An answer, or what a process of an earlier version that was killed had written of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What is in a folder of answers."""

    folder: Path
    answers: int
    bytes: int


class _Kept(msgspec.Struct, kw_only=True, frozen=True):
    format_version: int = FORMAT_VERSION
    completion: Completion


_decoder = msgspec.json.Decoder(_Kept)


class Answers:
    """The answers in a folder; safe from many threads, and beside other processes."""

    def __init__(self, folder: Path, max_bytes: int, *, asking_anew: bool = False) -> None:
        """`asking_anew`: what is there is replaced and not used."""
        self._folder = folder
        self._max_bytes = max_bytes
        self._asking_anew = asking_anew
        self._lock = threading.Lock()
        self._new = 0
        self.used = 0

    def keeping(
        self, ask: Callable[[Attempt], Completion], key: Callable[[Attempt], str]
    ) -> Callable[[Attempt], Completion]:
        """The same, asked only for what is not there."""

        def ask_or_remember(attempt: Attempt) -> Completion:
            place = key(attempt)
            kept = self.get(place)
            if kept is not None:
                return kept
            completion = ask(attempt)
            self.put(place, completion)
            return completion

        return ask_or_remember

    def get(self, key: str) -> Completion | None:
        """What was answered before, if it was."""
        if self._asking_anew:
            return None
        path = self._path(key)
        try:
            kept = _decoder.decode(path.read_bytes())
        except (OSError, msgspec.MsgspecError):
            return None
        if kept.format_version != FORMAT_VERSION:
            return None
        with self._lock:
            self.used += 1
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < time.time() - _DAY_S:
                os.utime(path)
        return replace(kept.completion, from_cache=True)

    def put(self, key: str, completion: Completion) -> None:
        """Keep an answer."""
        path = self._path(key)
        with contextlib.suppress(OSError, UnicodeEncodeError):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)  # answers are nobody else's business
            atomic.write_bytes(path, msgspec.json.encode(_Kept(completion=completion)))
            with self._lock:
                self._new += 1
                if self._new % _LOOK_EVERY == 0:
                    _prune(self._folder, self._max_bytes)

    def close(self) -> None:
        """Leave the folder within its bounds."""
        with self._lock, contextlib.suppress(OSError):
            if self._new:
                _prune(self._folder, self._max_bytes)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"


def contents(folder: Path) -> Contents:
    """What is in the folder, without changing it."""
    with _told(folder):
        files = list(_files(folder))
    return Contents(
        folder=folder,
        answers=sum(path.suffix == ".json" for path, _ in files),
        bytes=sum(_size(status) for _, status in files),
    )


def prune(folder: Path, max_bytes: int) -> None:
    """Delete those that were used longest ago until the rest takes at most that much."""
    with _told(folder):
        _prune(folder, max_bytes)


def clear(folder: Path) -> None:
    """Delete every answer. Runs that are going on notice nothing but that they have to ask."""
    with _told(folder):
        for path, _ in _files(folder):
            path.unlink(missing_ok=True)


@contextlib.contextmanager
def _told(folder: Path) -> Iterator[None]:
    """For a user who asked for the folder by name: what is wrong with it is said."""
    try:
        yield
    except OSError as error:
        raise UserError(f"{folder}: {error}") from error


def _prune(folder: Path, max_bytes: int) -> None:
    files = sorted(_files(folder), key=lambda each: (each[1].st_mtime_ns, each[0]))
    size = sum(_size(status) for _, status in files)
    if size <= max_bytes:
        return
    for path, status in files:
        if size <= max_bytes * _PRUNED_TO:
            break
        path.unlink(missing_ok=True)
        size -= _size(status)


def _files(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Our files alone: the user may have named a folder with others in it."""
    for path in folder.glob("[0-9a-f][0-9a-f]/*"):
        if _OURS.fullmatch(path.name) or atomic.is_temporary(path.name):
            with contextlib.suppress(FileNotFoundError):  # another process was quicker
                yield path, path.lstat()


def _size(status: os.stat_result) -> int:
    """What a file takes of the disk, which is a block even for a short answer."""
    return max(status.st_size, status.st_blocks * 512)


def key_of(provider_type: str, settings: Mapping[str, object], request: Request, attempt: int) -> str:
    """Names an answer by all that it depends on, and not by the key that was used."""
    said = {name: value for name, value in settings.items() if name not in _NOT_IN_ANSWERS}
    asked = msgspec.json.encode((provider_type, said, request, attempt), order="deterministic")
    return hashlib.sha256(asked).hexdigest()
