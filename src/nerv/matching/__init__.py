"""Matching of texts, names and edits to the items of the spec."""
