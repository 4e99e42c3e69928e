"""Claude Code's session logs and streams."""
