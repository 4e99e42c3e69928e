"""Code that answers its tests instead of doing the work."""
