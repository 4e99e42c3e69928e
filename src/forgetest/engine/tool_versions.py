"""Versions of the tools that judge samples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolVersions:
    """Compilers, linters and the sandbox of a run, as reports name them."""

    toolchains: Mapping[str, str]
    """The version of each language's compiler and linter."""
    sandbox: str | None
    """The kind of sandbox, and each promise that it does not keep."""
    sandbox_version: str | None

    def produced(self, *, toolchain: str, sandbox: str) -> bool:
        """Return whether a verdict with this provenance comes from these tools."""
        return toolchain in self.toolchains.values() and sandbox == self.sandbox

    def as_settings(self) -> dict[str, object]:
        """Return the fields that reports and run.json hold."""
        return {"toolchains": self.toolchains, "sandbox": self.sandbox, "sandbox_version": self.sandbox_version}
