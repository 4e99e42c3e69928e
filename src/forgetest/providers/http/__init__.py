"""Shared by providers over HTTP: connection settings, and errors from status codes."""
