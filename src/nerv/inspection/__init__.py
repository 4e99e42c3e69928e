"""Inspection of a run's code with parsers: definitions, tests, issues."""

from __future__ import annotations

from nerv.inspection.inspect import Inspection, inspect

__all__ = ["Inspection", "inspect"]
