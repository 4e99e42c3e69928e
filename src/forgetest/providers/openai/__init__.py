"""OpenAI, and servers that speak its chat API: single requests and batches."""
