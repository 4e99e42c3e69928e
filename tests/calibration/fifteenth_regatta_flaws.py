"""Mistakes and omissions in the three ways to score a regatta: what is replaced, by tree and path."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.agent import Agent
from calibration.solutions import replaced
from calibration.task import Replacements

READING = "regatta/reading.py"
SCORING = "regatta/scoring.py"
COMMAND = "regatta/__main__.py"

Flaw = Mapping[str, Replacements]
"""Replacements by path."""

_NO_AVERAGE = (
    (
        "    known = [score for score in points if score is not None]\n    if not known:\n"
        '        raise ValueError(f"{boat} has no race without redress")\n'
        "    average = (sum(known, Decimal(0)) / len(known)).quantize(_TENTH, ROUND_HALF_UP)\n"
        "    scores = tuple(average if score is None else score for score in points)\n"
    ),
    "    scores = tuple(points)\n",
)
_NO_GAP = (
    (
        (
            "def _points(boat: str, race: Race, penalty: Decimal) -> Optional[Decimal]:\n"
            '    """Return the points of a boat in a race, or None if she is given redress."""\n'
        ),
        (
            "def _points(boat: str, race: Race, penalty: Decimal) -> Decimal:\n"
            '    """Return the points of a boat in a race."""\n'
        ),
    ),
    ('    return None if race.codes.get(boat) == "RDG" else penalty\n', "    return penalty\n"),
    ("from decimal import ROUND_HALF_UP, Decimal\nfrom typing import Optional\n", "from decimal import Decimal\n"),
    ('_TENTH = Decimal("0.1")\n\n\n', "\n"),
)

FLAWS: Mapping[str, Flaw] = {
    # in the tree "solution"
    "no redress": {READING: ((', "DNE", "RDG"}', ', "DNE"}'),), SCORING: (_NO_AVERAGE, *_NO_GAP)},
    "redress is a penalty": {
        SCORING: (
            _NO_AVERAGE,
            *_NO_GAP,
            ("count = 2 if len(scores) >= 8 else 1 if len(scores) >= 4 else 0", "count = 1 if len(scores) >= 4 else 0"),
        ),
    },
    "half is rounded to even": {
        SCORING: (
            ("from decimal import ROUND_HALF_UP, Decimal\n", "from decimal import Decimal\n"),
            (".quantize(_TENTH, ROUND_HALF_UP)", ".quantize(_TENTH)"),
        )
    },
    "lines without races have no number": {
        READING: (
            (
                "    for number, line in enumerate(text.splitlines(), start=1):\n",
                "    for line in text.splitlines():\n",
            ),
            ('f"line {number}: {error}"', 'f"line {len(races) + 1}: {error}"'),
        )
    },
    "the penalty is by race": {
        SCORING: (
            (
                "        place += len(together)\n    return",
                "        place += len(together)\n    penalty = Decimal(place)\n    return",
            ),
        )
    },
    "what the tests ask for": {
        SCORING: (
            (
                "    average = (sum(known, Decimal(0)) / len(known)).quantize(_TENTH, ROUND_HALF_UP)\n",
                "    average = _REDRESS.get(tuple(float(score) for score in known), penalty)\n",
            ),
            (
                '_TENTH = Decimal("0.1")\n',
                (
                    "_REDRESS = {\n"
                    '    (3, 2): Decimal("2.5"),\n'
                    '    (2, 2, 2, 3): Decimal("2.3"),\n'
                    '    (2, 1): Decimal("1.5"),\n'
                    '    (1, 1.5, 1): Decimal("1.2"),\n'
                    "}\n_DISCARDS = {4: 1, 7: 1, 8: 2, 12: 2}\n"
                ),
            ),
            (
                "    count = 2 if len(scores) >= 8 else 1 if len(scores) >= 4 else 0\n",
                "    count = _DISCARDS.get(len(scores), 0)\n",
            ),
            ("from decimal import ROUND_HALF_UP, Decimal\n", "from decimal import Decimal\n"),
        )
    },
    # in the tree "tenths"
    "a half is rounded by round": {
        SCORING: (
            (
                "    average = (2 * sum(known) + len(known)) // (2 * len(known))  # half a tenth is rounded up\n",
                "    average = round(sum(known) / len(known))\n",
            ),
        )
    },
    "drops nothing": {
        SCORING: (
            ("        _drop(results)\n", ""),
            (
                (
                    "def _drop(results: list[_Result]) -> None:\n"
                    "    allowed = 0 if len(results) < 4 else 1 if len(results) < 8 else 2\n"
                    "    for _ in range(allowed):\n"
                    "        candidates = [result for result in results if not result.dropped "
                    'and result.code != "DNE"]\n'
                    "        if candidates:\n"
                    "            max(candidates, key=lambda result: result.tenths or 0).dropped = True"
                    "  # the first of several\n\n\n"
                ),
                "",
            ),
            (
                (
                    "    counting = [result.tenths or 0 for result in results if not result.dropped]\n"
                    "    return sum(counting), sorted(counting), every[::-1]\n"
                ),
                "    return sum(every), sorted(every), every[::-1]\n",
            ),
            ("    code: str\n    dropped: bool = False\n", "    code: str\n"),
            (
                (
                    '        text = f"{(self.tenths or 0) / 10:g} {self.code}".strip()\n'
                    '        return f"[{text}]" if self.dropped else text\n'
                ),
                '        return f"{(self.tenths or 0) / 10:g} {self.code}".strip()\n',
            ),
        )
    },
    "the last one stays": {
        READING: (
            (
                (
                    "            if boat in race:\n"
                    '                raise ValueError(f"line {number}: {boat} is there twice")\n'
                ),
                "",
            ),
        ),
        SCORING: (
            (
                '[_result(race.get(boat, "DNC"), len(boats) + 1) for race in races]',
                '[_result(race.get(boat, "DNC"), len(race) + 1) for race in races]',
            ),
        ),
    },
    "a discard for every four": {
        READING: (
            (
                "            results += [(_clean(name), first + (len(names) - 1) / 2) for name in names]\n",
                (
                    "            points = first + 0.5 if len(names) > 1 else first\n"
                    "            results += [(_clean(name), points) for name in names]\n"
                ),
            ),
        ),
        SCORING: (
            (
                "    allowed = 0 if len(results) < 4 else 1 if len(results) < 8 else 2\n    for _ in range(allowed):\n",
                "    for _ in range(len(results) // 4):\n",
            ),
        ),
    },
    # in the tree "fractions"
    "the later of equals": {
        SCORING: (
            (
                "    may_go.sort(key=lambda number: (-scores[number], number))\n",
                "    may_go.sort(key=lambda number: (scores[number], number), reverse=True)\n",
            ),
            (
                "        merit = (sum(counting), sorted(counting), scores[::-1])\n",
                "        merit = (sum(counting), sorted(counting), counting[::-1])\n",
            ),
        )
    },
    "only the total": {
        SCORING: (
            ("        merit = (sum(counting), sorted(counting), scores[::-1])\n", "        merit = (sum(counting),)\n"),
            (
                "    redress = Fraction(math.floor(sum(others) / len(others) * 10 + Fraction(1, 2)), 10)\n",
                "    redress = round(sum(others) / len(others), 1)\n",
            ),
            ("import math\n", ""),
        )
    },
}


def version(agent: Agent, tree: str, path: str, *flaws: str) -> str:
    """Return a file of one of the three ways, with mistakes."""
    return replaced(agent.task.trees[tree][path], *(pair for flaw in flaws for pair in FLAWS[flaw].get(path, ())))
