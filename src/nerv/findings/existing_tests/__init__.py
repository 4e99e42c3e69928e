"""What happened to the tests that existed before the run."""
