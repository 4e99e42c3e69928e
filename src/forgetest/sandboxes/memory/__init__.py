"""Limiting the memory of a whole process tree: by a cgroup, or by watching it."""
