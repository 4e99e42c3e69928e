"""Models to ask: one module a provider, found by the entry point `forgetest.providers`.

An entry point names a function `create(settings) -> Provider`, called when the provider is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

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


@runtime_checkable
class ManyAtOnce(Protocol):
    """What a provider answers besides, if its API gives several answers to one request."""

    def generate_several(self, request: Request, count: int) -> list[Completion]:
        """Ask once for so many answers; it may be fewer. Each has its share of the tokens and of the cost."""
