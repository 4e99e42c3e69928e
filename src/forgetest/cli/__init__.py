"""The command line: one file a command; parsing, calling, printing, and nothing else."""
