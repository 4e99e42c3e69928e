"""Grading by a model with the same rubric; its answers are checked and shown beside the rules' result."""
