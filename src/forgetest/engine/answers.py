"""Answers of earlier runs, kept by what was asked: the same request for the same attempt is paid for once.

A file each, put in its place by renaming: it is there whole or not at all, whoever else is writing it. It is only a
cache: what cannot be read is asked, what cannot be written is not kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import msgspec

from forgetest.sample import Attempt, Completion, Request

FORMAT_VERSION = 1

_NOT_IN_ANSWERS = frozenset({"api_key", "concurrency", "prices", "timeout_secs", "type"})
"""Settings of a provider that do not change what a model says; of others one cannot know."""


class _Kept(msgspec.Struct, kw_only=True, frozen=True):
    format_version: int = FORMAT_VERSION
    completion: Completion


_decoder = msgspec.json.Decoder(_Kept)


class Answers:
    """The answers in a folder; safe from many threads, and beside other processes."""

    def __init__(self, folder: Path, *, asking_anew: bool = False) -> None:
        """`asking_anew`: what is there is replaced and not used."""
        self._folder = folder
        self._asking_anew = asking_anew
        self._lock = threading.Lock()
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
        try:
            kept = _decoder.decode(self._path(key).read_bytes())
        except (OSError, msgspec.MsgspecError):
            return None
        if kept.format_version != FORMAT_VERSION:
            return None
        with self._lock:
            self.used += 1
        return replace(kept.completion, from_cache=True)

    def put(self, key: str, completion: Completion) -> None:
        """Keep an answer."""
        path = self._path(key)
        new = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}")
        with contextlib.suppress(OSError, UnicodeEncodeError):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)  # answers are nobody else's business
            new.write_bytes(msgspec.json.encode(_Kept(completion=completion)))
            new.replace(path)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"


def key_of(provider_type: str, settings: Mapping[str, object], request: Request, attempt: int) -> str:
    """Names an answer by all that it depends on, and not by the key that was used."""
    said = {name: value for name, value in settings.items() if name not in _NOT_IN_ANSWERS}
    asked = msgspec.json.encode((provider_type, said, request, attempt), order="deterministic")
    return hashlib.sha256(asked).hexdigest()
