"""Mistakes in the metro of the eighth held-out part, as replacements in the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.task import Replacements

_NEXT = """		legs := append([]Leg(nil), current.legs...)
		last :="""
_UNLESS_CLOSED = """		if n.closed[station] {
			continue
		}
"""

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "metro": {
        # breaks a test of the base
        "sorted_neighbours": (
            (
                "\t\tall = append(all, l.neighbours(station)...)\n\t}\n",
                "\t\tall = append(all, l.neighbours(station)...)\n\t}\n\tsort.Strings(all)\n",
            ),
        ),
        "stops_everywhere": (("\t\tif !n.closed[station] {\n\t\t\tlast.Stops++\n\t\t}\n", "\t\tlast.Stops++\n"),),
        "no_way_through": ((_NEXT, _UNLESS_CLOSED + _NEXT),),
        "changes_late": (("return w.changed[i] < other.changed[i]", "return w.changed[i] > other.changed[i]"),),
        "one_direction": (
            (
                "n.minutes[[2]string{a, b}], n.minutes[[2]string{b, a}] = minutes, minutes",
                "n.minutes[[2]string{a, b}] = minutes",
            ),
        ),
        "reaches_closed_ones": (
            (
                "if old, found := best[here.station]; !n.closed[here.station] && (!found || current.before(old)) {",
                "if old, found := best[here.station]; !found || current.before(old) {",
            ),
        ),
    },
}
