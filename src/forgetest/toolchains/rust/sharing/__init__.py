"""Several samples in one compiler call."""
