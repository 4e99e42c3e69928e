"""Kinds of isolation: one module each, found by the entry point `forgetest.sandboxes`.

An entry point names a function `create() -> Sandbox`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from forgetest.verdict import Execution, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Isolation:
    """What a sandbox proved that it holds back, by trying to break out."""

    kind: str
    version: str
    breaches: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Each promise (network, files, …), and the ways in which it could be broken: none, where it holds."""

    @property
    def held(self) -> Mapping[str, bool]:
        """Each promise, and whether it holds."""
        return {promise: not ways for promise, ways in self.breaches.items()}

    not_promised: tuple[str, ...] = ()
    """What this kind does not claim to hold back, whether it does or not."""
    watched: tuple[str, ...] = ()
    """What is held by looking now and then only, because the machine allows no better."""
    held_by: Mapping[str, str] = field(default_factory=dict)
    """By what a promise is held, where that depends on the machine."""

    @property
    def broken(self) -> Sequence[str]:
        """The promises that were made and do not hold."""
        return sorted(p for p, kept in self.held.items() if not kept and p not in self.not_promised)

    @property
    def level(self) -> str:
        """For provenance: the kind, everything that it did not hold back, and what it only watched."""
        broken = "".join(f" -{promise}" for promise, kept in sorted(self.held.items()) if not kept)
        return self.kind + broken + "".join(f" ~{promise}" for promise in self.watched if self.held.get(promise))


class Sandbox(Protocol):
    """What every sandbox answers."""

    @property
    def configuration(self) -> str:
        """All that a proof of it depends on, besides machine and user: programs, versions, options."""

    def run(self, step: Step) -> Execution:
        """Run one step. Raises MachineryError where the sandbox itself failed."""

    def probe(self) -> Isolation:
        """Prove what is isolated."""

    def close(self) -> None:
        """End whatever is still running; nothing is run afterwards."""
