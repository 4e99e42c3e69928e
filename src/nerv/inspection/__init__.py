"""A look at the code that a run left, by parsers: what it defines, what it tests, what is wrong with it."""

from __future__ import annotations

from nerv.inspection.inspect import Inspection, inspect

__all__ = ["Inspection", "inspect"]
