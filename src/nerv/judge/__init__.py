"""Grading by a model with the same rubric; its answers are validated and shown together with the rules' result."""
