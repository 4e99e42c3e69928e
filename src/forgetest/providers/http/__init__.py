"""What providers that are asked over HTTP share: connection settings, and errors from status codes."""
