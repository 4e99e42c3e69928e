"""What happens, and in which order: plan, generate, prepare, judge, journal, run."""
