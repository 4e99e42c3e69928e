"""Calibration: how well nerv's scores agree with outcomes that are known."""
