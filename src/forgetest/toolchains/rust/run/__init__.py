"""Running the tests through the trusted launcher."""
