"""nerv's own results folder."""
