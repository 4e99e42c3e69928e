"""Mistakes in the streaks of the thirteenth held-out part, as replacements in the files of the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.agent import Agent
from calibration.solutions import flawed, function, put, replaced
from calibration.task import Replacements

LOG, RHYTHM, STREAK = "log.go", "rhythm.go", "streak.go"

_MONDAY = """	monday := day - Day((day.Weekday()+6)%7)
	return monday, monday + 6
"""
_SUNDAY = """	sunday := day - Day(day.Weekday())
	return sunday, sunday + 6
"""
_FIRST_CASE = """		switch {
		case log.doneWithin(habit, first, min(last, today)) >="""
_FROZEN = """		switch {
		case log.pausedWithin(habit, first, last):
			// The streak is frozen.
		case log.doneWithin(habit, first, min(last, today)) >="""
_UP_TO_TODAY = """	streaks, _ := log.streaks(habit, today)
	for"""
_UP_TO_THE_END = """	for day := range log.amounts[habit] {
		today = max(today, day)
	}
	streaks, _ := log.streaks(habit, today)
	for"""
_IS_DUE = """	rhythm := log.rhythms[habit]
	first, last := rhythm.span(today)
	if log.Done(habit, today) || !rhythm.counts(today) || log.pausedWithin(habit, first, last) {
		return false
	}
	missing := rhythm.perWeek - log.doneWithin(habit, first, today)
	return rhythm.perWeek == 0 || missing == int(last-today)+1
"""

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "extra_days_count": {STREAK: (("if log.rhythms[habit].counts(day) && log.Done", "if log.Done"),)},
    "frozen_in_pauses": {STREAK: ((_FIRST_CASE, _FROZEN),)},
    "weeks_from_sunday": {RHYTHM: ((_MONDAY, _SUNDAY),)},
    "sundays_in_the_next_week": {RHYTHM: (("Day((day.Weekday()+6)%7)", "Day(day.Weekday()-1)"),)},
    "last_amount_counts": {LOG: (("[day] += amount", "[day] = amount"),)},
    "earliest_of_several": {STREAK: (("streak.Length >= best.Length", "streak.Length > best.Length"),)},
    "paused_on_monday_only": {
        STREAK: (("last < today && !log.pausedWithin(habit, first, last)", "last < today && !log.paused(habit, day)"),)
    },
    # the next two break tests of the base
    "best_of_all_times": {STREAK: ((_UP_TO_TODAY, _UP_TO_THE_END),)},
    "a_day_too_patient": {STREAK: (("last < today &&", "last < today-1 &&"),)},
    "nothing_is_due": {
        STREAK: ((_IS_DUE, "	return false\n"), ("isDue(habit string, today Day)", "isDue(string, Day)"))
    },
    "does_not_compile": {STREAK: (('	"fmt"\n	"strings"\n', '	"fmt"\n	"slices"\n	"strings"\n'),)},
}


def code(agent: Agent, path: str, *flaws: str) -> str:
    """Return a file of the solution, with mistakes."""
    return flawed(agent, path, (FLAWS[flaw] for flaw in flaws))


def build(agent: Agent, *flaws: str, by_shell: bool = False) -> None:
    """Write all files of the solution, with mistakes."""
    for path in (RHYTHM, LOG, STREAK):
        put(agent, path, code(agent, path, *flaws), by_shell=by_shell)


def write_test(agent: Agent, path: str, *changes: tuple[str, str], by_shell: bool = False) -> None:
    """Write one of the good tests, with changes."""
    put(agent, path, replaced(agent.task.trees["tests"][path], *changes), by_shell=by_shell)


def case(agent: Agent, path: str, name: str) -> str:
    """Return one of the good tests."""
    return function(agent.task.trees["tests"][path], f"func {name}(")
