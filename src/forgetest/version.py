"""The version of this distribution, stated once: packaging reads it from here."""

__version__ = "0.1.0"
