"""Starting one process tree for a step, supervising it, and confining it."""
