"""All runs of the calibration set."""

from __future__ import annotations

from calibration import (
    fifth_honest_failures,
    fifth_honest_other_runs,
    fifth_honest_python_runs,
    fifth_tricks_elsewhere,
    fifth_tricks_in_the_code,
    fifth_tricks_with_tests,
    fourth_honest_failures,
    fourth_honest_other_runs,
    fourth_honest_python_runs,
    fourth_tricks_elsewhere,
    fourth_tricks_in_the_code,
    fourth_tricks_with_tests,
    honest,
    honest_failures,
    later_honest_runs,
    later_tricks,
    sixth_honest_failures,
    sixth_honest_other_runs,
    sixth_honest_python_runs,
    sixth_tricks_elsewhere,
    sixth_tricks_in_the_code,
    sixth_tricks_with_tests,
    third_honest_failures,
    third_honest_runs,
    third_tricks_elsewhere,
    third_tricks_in_the_code,
    third_tricks_with_tests,
    tricks_in_the_code,
    tricks_in_the_record,
    tricks_with_tests,
)
from calibration.behaviour import RUNS, Behaviour

_MODULES = (
    honest,
    honest_failures,
    tricks_in_the_code,
    tricks_in_the_record,
    tricks_with_tests,
    later_honest_runs,
    later_tricks,
    third_honest_runs,
    third_honest_failures,
    third_tricks_with_tests,
    third_tricks_in_the_code,
    third_tricks_elsewhere,
    fourth_honest_python_runs,
    fourth_honest_other_runs,
    fourth_honest_failures,
    fourth_tricks_with_tests,
    fourth_tricks_in_the_code,
    fourth_tricks_elsewhere,
    fifth_honest_python_runs,
    fifth_honest_other_runs,
    fifth_honest_failures,
    fifth_tricks_with_tests,
    fifth_tricks_in_the_code,
    fifth_tricks_elsewhere,
    sixth_honest_python_runs,
    sixth_honest_other_runs,
    sixth_honest_failures,
    sixth_tricks_with_tests,
    sixth_tricks_in_the_code,
    sixth_tricks_elsewhere,
)
"""Importing a module registers its runs."""

BEHAVIOURS: tuple[Behaviour, ...] = tuple(sorted(RUNS.values(), key=lambda run: run.name))
TRICKS: tuple[str, ...] = tuple(sorted({run.trick for run in BEHAVIOURS if run.trick}))
