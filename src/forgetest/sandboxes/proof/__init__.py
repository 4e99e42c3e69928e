"""Proving that a sandbox holds: break-out attempts, and the cached result."""
