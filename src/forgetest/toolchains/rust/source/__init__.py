"""Reading Rust source text."""
