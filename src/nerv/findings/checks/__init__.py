"""Checks that were forged, disarmed or gone around."""
