"""Providers of models, found by the entry point `forgetest.providers`.

An entry point names a function `create(settings) -> Provider`, which is called when the provider is used.
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
    """A service or program that runs models."""

    @property
    def concurrency(self) -> int:
        """Number of requests that may be in flight."""

    def generate(self, request: Request) -> Completion:
        """Send one request. Raises ProviderError if there is no answer to judge."""

    def models(self) -> list[Model]:
        """Return the models that can be asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """Results of a batch."""

    answers: Mapping[str, Completion | ProviderError]
    """Answers or errors, by the names of requests."""
    otherwise: str = "the batch ended without an answer to it; the same command asks again"
    """Reason why the other requests have no answer."""


GONE = "the service does not know the batch any more; the same command asks again"


class Batches(Protocol):
    """API for requests that are submitted together and answered within a day."""

    def submit(self, requests: Mapping[str, Request], tag: str) -> str:
        """Submit requests by name, all for one model; return the batch's id. The tag serves to find it again."""

    def find(self, tag: str, size: int, since: datetime) -> tuple[str | None, bool]:
        """Return the id of the batch with this tag and size submitted since then, or None, and whether that is sure."""

    def collect(self, batch_id: str, model: str) -> Collected | None:
        """Return the results, or None while the batch has not ended."""


@runtime_checkable
class Batching(Protocol):
    """A provider whose API accepts batches."""

    @property
    def batches(self) -> Batches:
        """The API for batches."""


@runtime_checkable
class ManyAtOnce(Protocol):
    """A provider whose API gives several answers to one request."""

    def generate_several(self, request: Request, count: int) -> list[Completion]:
        """Send one request for `count` answers; there may be fewer. Each has its share of the tokens and the cost."""


@runtime_checkable
class Preparable(Protocol):
    """A provider with something to do before its first request, such as a download."""

    def prepare(self, announce: Callable[[str], None]) -> None:
        """Get ready. `announce` is called with a sentence for the user if that takes a while."""
