"""Tests of the base that the spec outdates, and those that changed as it says."""
