"""Lies here so that every test can import what lies beside it."""
