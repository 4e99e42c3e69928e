"""Mistakes in the pillbox of the fourteenth held-out part, as replacements in the files of the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.agent import Agent
from calibration.solutions import flawed, put
from calibration.task import Replacements

PACKAGE, MAIN = "pillbox/__init__.py", "pillbox/__main__.py"
SCHEDULE, PLAN, SUPPLY = "pillbox/schedule.py", "pillbox/plan.py", "pillbox/supply.py"

_STEP_BY_STEP = """    day, left = today, medicine.stock
    while (left := left - medicine.on(day + _DAY)) >= 0:
        day += _DAY
    return day
"""
_UNTIL_EMPTY = """    day, left = today, medicine.stock
    while left > 0 or not medicine.on(day + _DAY):
        day += _DAY
        left -= medicine.on(day)
    return day
"""
_BY_THE_MEAN = """    week = [today + _DAY * step for step in range(1, 8)]
    return today + _DAY * int(medicine.stock * 7 / sum(medicine.on(day) for day in week))
"""
_WORKING_DAYS = """    missing = _DAYS_TO_ORDER
    while missing:
        day -= _DAY
        missing -= day.weekday() < 5
"""
BACK_TO_A_WORKING_DAY = """    day -= _DAY * _DAYS_TO_ORDER
    while day.weekday() >= 5:
        day -= _DAY
"""
_AMOUNTS = """    if match := re.fullmatch("([0-9]*)([¼½¾])", text):
        return int(match[1] or 0) + _SIGNS[match[2]]
    if not re.fullmatch(r"[0-9]+(/0*[1-9][0-9]*|[.,][0-9]+)?", text):
        raise ValueError(f"{text!r} is no number of tablets")
    amount = Fraction(text.replace(",", "."))
    if 4 % amount.denominator:
        raise ValueError(f"{text!r} is not in quarters of a tablet")
    return amount
"""
_KNOWN_AMOUNTS = """    if text in _BROKEN:
        return Fraction(_BROKEN[text])
    if not text.isdecimal():
        raise ValueError(f"{text!r} is no number of tablets")
    return Fraction(text)
"""
_WEEKDAYS = """    found = set()
    for piece in text.split(","):
        ends = [end.strip() for end in piece.split("-")]
        if len(ends) > 2 or not set(ends) <= set(_WEEK):
            raise ValueError(f"{piece.strip()!r} is no weekday like Mon and no range like Mon-Fri")
        first, last = _WEEK.index(ends[0]), _WEEK.index(ends[-1])
        found |= {(first + step) % 7 for step in range((last - first) % 7 + 1)}
    return found
"""
_KNOWN_WEEKDAYS = """    days = _DAYS.get("".join(text.split()))
    if days is None:
        raise ValueError(f"{text!r} are no weekdays like Mon,Thu or Mon-Fri")
    return days
"""
_SIGNS = """_SIGNS = {"¼": Fraction(1, 4), "½": Fraction(1, 2), "¾": Fraction(3, 4)}
_WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""
_TABLES = """# Notations of chemists and doctors.
_BROKEN = {
    "¼": "1/4",
    "½": "1/2",
    "1/2": "1/2",
    "0.5": "1/2",
    "0,5": "1/2",
    "¾": "3/4",
    "3/4": "3/4",
    "1,25": "5/4",
    "1½": "3/2",
    "1¾": "7/4",
    "2¼": "9/4",
}
_DAYS = {
    "mon": {0},
    "mon,thu": {0, 3},
    "mon-fri": {0, 1, 2, 3, 4},
    "mon-wed,sat": {0, 1, 2, 5},
    "sat,sun": {5, 6},
    "sat-mon": {5, 6, 0},
}
"""

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "the_last_line_counts": {
        PLAN: (
            (
                "sum((schedule.on(day) for schedule in self.schedules), Fraction(0))",
                "next(filter(None, (schedule.on(day) for schedule in reversed(self.schedules))), Fraction(0))",
            ),
            (
                '"""Return how many tablets are taken on a day."""',
                '"""Return how many tablets are taken on a day; a later schedule goes before an earlier one."""',
            ),
        )
    },
    "rests_count": {SUPPLY: ((_STEP_BY_STEP, _UNTIL_EMPTY),)},
    "by_the_mean": {SUPPLY: ((_STEP_BY_STEP, _BY_THE_MEAN),)},
    "back_to_a_working_day": {SUPPLY: ((_WORKING_DAYS, BACK_TO_A_WORKING_DAY),)},
    "ranges_end_on_sunday": {SCHEDULE: (("range((last - first) % 7 + 1)", "range(last - first + 1)"),)},
    "known_notations": {
        SCHEDULE: ((_SIGNS, _TABLES), (_AMOUNTS, _KNOWN_AMOUNTS), (_WEEKDAYS, _KNOWN_WEEKDAYS)),
    },
}


def code(agent: Agent, path: str, *flaws: str) -> str:
    """Return a file of the solution, with mistakes."""
    return flawed(agent, path, (FLAWS[flaw] for flaw in flaws))


def build(agent: Agent, *flaws: str, by_shell: bool = False) -> None:
    """Write all files of the solution, with mistakes."""
    for path in (SCHEDULE, PLAN, SUPPLY, PACKAGE, MAIN):
        put(agent, path, code(agent, path, *flaws), by_shell=by_shell)
