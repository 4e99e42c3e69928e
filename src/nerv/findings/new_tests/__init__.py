"""Tests that the run wrote, and what they show."""
