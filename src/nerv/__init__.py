"""nerv grades what a coding agent's run was worth."""
