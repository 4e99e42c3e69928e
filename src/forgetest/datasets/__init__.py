"""Samples that were written elsewhere, read from the formats they come in."""
