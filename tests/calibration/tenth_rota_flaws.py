"""Mistakes in the project `rota` of the tenth held-out part, as replacements in the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.task import Replacements

CLONE = "	queue := slices.Clone(people)\n"
_NO_PEOPLE = "	if len(people) == 0 {\n		return nil\n	}\n"
_NEXT = """		for place, person := range queue {
			if !isAway(person, turn, absences) {
				who = person
				copy(queue[place:], queue[place+1:])
				queue[len(queue)-1] = person
				break
			}
		}
"""
_NEXT_AND_BEHIND = """		for range queue {
			person := queue[0]
			queue = append(queue[1:], person)
			if !isAway(person, turn, absences) {
				who = person
				break
			}
		}
"""

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "rota": {
        # break tests of the base that the spec leaves alone
        "uses_the_given_queue": ((CLONE, "	queue := people\n"),),
        "adds_hours": (
            (CLONE, CLONE + "	start := dayAfter(from, 0)\n"),
            ("{dayAfter(from, i)}", "{start.Add(time.Duration(i) * 24 * time.Hour)}"),
            ("turn, dayAfter(from, i+1))", "turn, start.Add(time.Duration(i+1)*24*time.Hour))"),
        ),
        "plans_for_nobody": ((_NO_PEOPLE, ""),),
        # found by no test of the tree `tests`
        "asks_about_saturday": (("isAway(person, turn, absences)", "isAway(person, turn[:1], absences)"),),
        # found by one of its rows
        "sends_them_behind": ((_NEXT, _NEXT_AND_BEHIND),),
    },
}
