"""Claims that the record does not bear out."""
