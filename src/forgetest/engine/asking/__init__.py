"""Asking models: requests, prompts, retries, rate limits, the budget, cached responses, batches."""
