"""A sample and the trusted tests of its case → a crate, a compiler call, and its diagnostics."""
