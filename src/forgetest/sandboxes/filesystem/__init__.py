"""The files that a step sees: its work directory, translated paths, mounts and readable copies."""
