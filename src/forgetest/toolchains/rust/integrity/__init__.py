"""Findings on what a sample attempted: in its source, in its object, through holes in the compiler."""
