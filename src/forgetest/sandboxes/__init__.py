"""Sandboxes: one module per kind, found by the entry point `forgetest.sandboxes`.

An entry point names a function `create(settings: SandboxSettings) -> Sandbox`. Other packages use this module,
`factory`, `host` and `proof`; the rest is for the sandboxes alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from forgetest.verdict import Execution, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxSettings:
    """Everything about the user's machine that a sandbox may need to be created."""

    cache_folder: Path
    """For files that are worth keeping between runs, such as readable copies of a private toolchain."""
    engine_environment: Mapping[str, str]
    """Environment of a container engine; never seen by a step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Isolation:
    """The promises a sandbox makes, and which of them held when we tried to break out."""

    kind: str
    version: str
    breaches: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """For each promise (network, files, …) the ways in which it was broken; empty where it holds."""

    @property
    def held(self) -> Mapping[str, bool]:
        """True for each promise that held."""
        return {promise: not ways for promise, ways in self.breaches.items()}

    not_promised: tuple[str, ...] = ()
    """Promises this kind does not make, whether they happen to hold or not."""
    watched: tuple[str, ...] = ()
    """Promises enforced only by polling, because the machine allows nothing better."""
    held_by: Mapping[str, str] = field(default_factory=dict)
    """The mechanism behind a promise, where that depends on the machine."""

    @property
    def broken(self) -> Sequence[str]:
        """Promises that were made and did not hold."""
        return sorted(p for p, held in self.held.items() if not held and p not in self.not_promised)

    @property
    def level(self) -> str:
        """The kind, each promise that did not hold (`-`), and each that is only polled (`~`), for provenance."""
        broken = "".join(f" -{promise}" for promise, held in sorted(self.held.items()) if not held)
        return self.kind + broken + "".join(f" ~{promise}" for promise in self.watched if self.held.get(promise))


class Sandbox(Protocol):
    """Runs steps in isolation. Used by many threads at once."""

    @property
    def configuration(self) -> str:
        """Everything a proof depends on apart from machine and user: programs, versions, options."""

    def run(self, step: Step) -> Execution:
        """Run one step. Raises MachineryError where the sandbox itself failed."""

    def probe(self) -> Isolation:
        """Try to break out, and report which promises held."""

    def close(self) -> None:
        """End everything that is still running. No step can be run afterwards."""
