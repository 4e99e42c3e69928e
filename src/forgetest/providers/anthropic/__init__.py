"""Anthropic: single requests and message batches."""
