"""Calibration set: generated runs of coding agents whose true outcome is known, for measuring nerv.

`tasks/` holds small real projects with a spec, hidden tests, and right, partial and wrong solutions. `behaviours` is
the list of runs: who does what to which project. `agent` acts it out in a real git repository with real commands, and
`logs` writes what happened in the forms that agents write. `generate` makes the set and runs the hidden tests.
"""
