"""Reading and writing files: TOML with line numbers, JSON lines, JSON streams, printable names."""
