"""From a sample and a test file to an object: sources, flags, adjustments, diagnostics."""
