"""Reading and writing files: atomic writes, locks, own folders, TOML with line numbers, JSON lines, printable text."""
