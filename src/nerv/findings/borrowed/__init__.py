"""Answers that the run took instead of working them out."""
