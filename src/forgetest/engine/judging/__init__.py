"""Judging samples: the steps that are run, the verdicts that are cached, the results that are recorded."""
