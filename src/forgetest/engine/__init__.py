"""A run: plan, ask, judge, journal, report."""
