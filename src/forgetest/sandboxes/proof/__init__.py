"""Proving that a sandbox isolates: break-out attempts, and their cached result."""

from forgetest.sandboxes.proof.cache import prove

__all__ = ["prove"]
