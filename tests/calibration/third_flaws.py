"""Mistakes in the projects of the third held-out part, as replacements in the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.task import Replacements

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "throttle": {
        # breaks a test of the base
        "edge": (("+ self._period <= now", "+ self._period < now"),),
        "waits_for_the_oldest_call": (
            (
                "            free += spent\n            wait = since + self._period - now\n",
                "            wait = since + self._period - now\n            break\n",
            ),
        ),
        "remembers_everybody": (
            ("        if calls is not None and not calls:\n            del self._calls[client]\n", ""),
            ("        now = self._now()\n        for client in list(self._calls):\n", ""),
            ("            self._forget_old_calls(client, now)\n        return len", "        return len"),
        ),
    },
    "mailer": {
        # breaks a test of the base
        "zero_is_nothing": (('value === undefined || value === null ? "" : String(value)', 'String(value || "")'),),
        "inherited_names": (("Object.hasOwn(value, name)", "name in value"),),
        "empty_array_is_something": (
            (
                'return elements.length === 0 ? fill(node.body, scopes) : "";',
                'return value ? "" : fill(node.body, scopes);',
            ),
        ),
        "loses_the_outside": (("[...scopes, element]", "[element]"),),
    },
    "jobs": {
        # breaks a test of the base
        "upside_down": (("return b[i].priority < b[j].priority", "return b[i].priority > b[j].priority"),),
        "keeps_its_place": (
            ("moved.priority, moved.arrival = priority, q.nextArrival()", "moved.priority = priority"),
        ),
        "in_any_order": (("return b[i].arrival < b[j].arrival", "return b[i].name < b[j].name"),),
        "moves_nothing": (("	heap.Fix(&q.heap, moved.index)\n", ""),),
    },
    "amounts": {
        # breaks a test of the base
        "nothing_is_invalid": (("return Err(ParseError::Empty)", "return Err(ParseError::Invalid)"),),
        "not_the_smallest": (("cents.unsigned_abs()", "cents.abs()"),),
        "rest_to_the_first": (("if index < left.abs() { share + left.signum() }", "if index == 0 { share + left }"),),
    },
    "cronline": {
        # breaks a test of the base
        "weeks_begin_on_monday": (("moment.isoweekday() % 7 in", "moment.weekday() in"),),
        "both_days": (('    either_day = texts[2] != "*" and texts[4] != "*"\n', "    either_day = False\n"),),
        "its_own_next": ((" + timedelta(minutes=1)\n    times", "\n    times"),),
    },
}
