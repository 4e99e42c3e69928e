"""Mistakes in the car park of the ninth held-out part, as replacements in the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.task import Replacements

_REALLY = "        return end.astimezone(timezone.utc) - start.astimezone(timezone.utc)\n"
_BEGIN = "_price(_later(entered, i * HALF_HOUR))"
_WITHOUT_VALIDATED = """    prices = half_hours(entered, left, validated)
    days ="""
_SUM = "    return sum(min(MAXIMUM, sum(day)) for day in days)\n"
_LOCAL = "    return (moment.astimezone(timezone.utc) + duration).astimezone(moment.tzinfo)\n"

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "garage": {
        # breaks a row of the old table
        "wall_clock": ((_REALLY, "        return end.replace(tzinfo=None) - start.replace(tzinfo=None)\n"),),
        # one of the rows that are announced comes out wrong
        "whole_minutes": (
            (
                "    count = -(-duration // HALF_HOUR)\n",
                "    minutes = duration // timedelta(minutes=1)\n    count = -(-minutes // 30)\n",
            ),
        ),
        "night_at_the_end": ((_BEGIN, "_price(_later(entered, (i + 1) * HALF_HOUR))"),),
        "adds_to_the_clock": (
            ("    if moment.tzinfo is None:\n        return moment + duration\n", ""),
            (_LOCAL, "    return moment + duration\n"),
        ),
        "moves_the_day": ((_WITHOUT_VALIDATED, "    prices = half_hours(entered, left)[validated:]\n    days ="),),
        "validates_last": (
            (_WITHOUT_VALIDATED, "    prices = half_hours(entered, left)\n    days ="),
            (
                _SUM,
                _SUM.replace("return", "total =") + "    return max(0, total - sum(prices[:validated]))\n",
            ),
        ),
        "night_in_greenwich": ((_LOCAL, "    return moment.astimezone(timezone.utc) + duration\n"),),
    },
}
