"""Mistakes in the tide tables of the tenth held-out part, as replacements in the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.task import Replacements

_ENTRY = '    const entry = line.split("#")[0].trim();\n    if (!entry) continue;\n'
_EVENLY = " + (parts - part) * (TWELFTHS[part + 1] - TWELFTHS[part])"
_NEEDED = "  return below + BELOW_THE_KEEL + (swell ? Math.ceil(below / 10) : 0);\n"
_AN_HOUR_LATER = """function later(time) {
  const hour = (Number(time.slice(11, 13)) + 1) % 24;
  return `${time.slice(0, 11)}${String(hour).padStart(2, "0")}${time.slice(13)}`;
}

"""

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "tides": {
        # breaks tests of the base
        "refuses_remarks": (
            (_ENTRY, '    const entry = line.trim();\n    if (!entry || entry.startsWith("#")) continue;\n'),
        ),
        # breaks a test of the base
        "takes_the_very_moment": (('kind === "high" && time > when', 'kind === "high" && time >= when'),),
        "jumps_from_part_to_part": ((_EVENLY, ""),),
        "looks_at_both_ends": (
            ("for (let minute = start; minute <= end; minute++) {", "for (const minute of [start, end]) {"),
        ),
        "adds_up_metres": (
            ("centimetres(heightAt(table, clockOf(minute)))", "heightAt(table, clockOf(minute))"),
            ("  const below = centimetres(draught);\n", ""),
            (_NEEDED, "  return (swell ? draught * 1.1 : draught) + BELOW_THE_KEEL;\n"),
            ("BELOW_THE_KEEL = 50;", "BELOW_THE_KEEL = 0.5;"),
        ),
        "subtracts_metres": (
            (".map(({ height }) => centimetres(height))", ".map(({ height }) => height)"),
            ("range >= 450", "range >= 4.5"),
            ("range <= 250", "range <= 2.5"),
        ),
        "counts_lines_that_say_something": (
            ('text.split("\\n").entries()', 'text.split("\\n").filter((line) => line.trim()).entries()'),
        ),
        "stays_on_the_day": (
            ("clockOf(minuteOf(turn.time) + 60)", "later(turn.time)"),
            ("function readTurn(", f"{_AN_HOUR_LATER}function readTurn("),
        ),
    },
}
