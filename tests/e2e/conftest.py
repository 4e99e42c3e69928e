"""Fixtures of the end-to-end tests."""

from claude_stand_in import claude, nerv

__all__ = ["claude", "nerv"]
