"""Work that only looks done: stubs, ignored input, ticked boxes."""
