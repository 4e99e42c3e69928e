"""Inspection of the code that a run left, by parsers: definitions, tests, issues."""

from __future__ import annotations

from nerv.inspection.inspect import Inspection, inspect

__all__ = ["Inspection", "inspect"]
