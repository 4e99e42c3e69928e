"""Pass@k and its intervals, paired tests, power, significance."""
