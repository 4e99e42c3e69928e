"""forgetest grades LLM-written code: compiled, tested and linted in a sandbox, scored honestly."""

__version__ = "0.1.0"
