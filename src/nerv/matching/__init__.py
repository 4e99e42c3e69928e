"""Which text, name or edit belongs to which item of the spec."""
