"""Mistakes in the library of the eighth held-out part, as replacements in the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.task import Replacements

_LIMIT_THEN_HALF = """    cents = min(late * PER_DAY[loan.kind], AT_MOST[loan.kind])
    return cents // 20 * 10 if loan.child else cents
"""
_HALF_THEN_LIMIT = """    cents = late * PER_DAY[loan.kind]
    if loan.child:
        cents = cents // 20 * 10
    return min(cents, AT_MOST[loan.kind])
"""

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "lending": {
        # breaks a test of the base
        "charges_from_the_third": (("min(late * PER_DAY", "min((late - FORGIVEN) * PER_DAY"),),
        "every_day_counts": (("sum(calendar.is_open(loan.due + days * DAY) for days in after)", "len(after)"),),
        "renews_from_the_due_date": (("_due(today, loan.kind, calendar)", "_due(loan.due, loan.kind, calendar)"),),
        "half_before_the_limit": ((_LIMIT_THEN_HALF, _HALF_THEN_LIMIT),),
        "unsorted_titles": (("key=lambda pair: (-pair[1], pair[0].title)", "key=lambda pair: -pair[1]"),),
    },
}
