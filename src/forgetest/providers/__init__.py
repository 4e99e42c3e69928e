"""Models to ask: one module a provider, found by the entry point `forgetest.providers`.

An entry point names a function `create(settings) -> Provider`, called when the provider is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable

from forgetest.errors import ProviderError
from forgetest.sample import Completion, Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model that a provider offers."""

    id: str
    description: str = ""
    context_tokens: int | None = None


class Provider(Protocol):
    """What every provider answers."""

    @property
    def concurrency(self) -> int:
        """How many requests may be under way at once."""

    def generate(self, request: Request) -> Completion:
        """Ask once. Raises ProviderError where there is no answer to judge."""

    def models(self) -> list[Model]:
        """The models that can be asked now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """What a batch brought."""

    answers: Mapping[str, Completion | ProviderError]
    """By the names of requests."""
    otherwise: str = "the batch ended without an answer to it; the same command asks again"
    """Why others have none."""


GONE = "the service does not know the batch any more; the same command asks again"


class Batches(Protocol):
    """Requests that are handed in together and answered within a day."""

    def submit(self, requests: Mapping[str, Request], tag: str) -> str:
        """Hand in requests by name, all of one model; the batch's id. It can be found again by the tag."""

    def find(self, tag: str, size: int, since: datetime) -> tuple[str | None, bool]:
        """The id of the batch of this tag and size, handed in since then; and whether that is sure."""

    def collect(self, batch_id: str, model: str) -> Collected | None:
        """The answers of a model; None while there is something to wait for."""


@runtime_checkable
class Batching(Protocol):
    """What a provider answers besides, if its API takes batches."""

    @property
    def batches(self) -> Batches:
        """Its batches."""


@runtime_checkable
class ManyAtOnce(Protocol):
    """What a provider answers besides, if its API gives several answers to one request."""

    def generate_several(self, request: Request, count: int) -> list[Completion]:
        """Ask once for so many answers; it may be fewer. Each has its share of the tokens and of the cost."""


@runtime_checkable
class Preparable(Protocol):
    """A provider with something to do before its first request, such as a download."""

    def prepare(self, announce: Callable[[str], None]) -> None:
        """Get ready. `announce` is called with a sentence for the user if that takes a while."""
