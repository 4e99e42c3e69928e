"""Reading and writing files: atomic writes, locks, TOML with line numbers, JSON lines and streams, printable names."""
