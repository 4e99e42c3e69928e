"""Twins of tests: the same text, with expectations that a run's choices can make wrong.

See docs/decisions/0019-controls.md.
"""
