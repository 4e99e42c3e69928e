"""A model's answer → a Rust program."""
