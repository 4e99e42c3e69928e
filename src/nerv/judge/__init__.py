"""The judge: the same rubric, asked of a model, which is not believed blindly."""
