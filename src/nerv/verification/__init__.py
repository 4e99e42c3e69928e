"""Verification: a repository's own tests, run by us in a sandbox, on the base and on the result."""
