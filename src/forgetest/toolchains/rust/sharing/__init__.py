"""Several samples in one compiler call: which may share one, and how."""
