"""Mistakes in the project `league` of the eighth held-out part, as replacements in the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.task import Replacements

_CHECKED = "        matches[home, away] = (home_goals, away_goals)\n"
_CHECKED_FIRST = """    matches = {
        (home, away): (home_goals, away_goals) for home, home_goals, away_goals, away in results
    }
"""
_AMONG = """    among = {pair: goals for pair, goals in matches.items() if teams.issuperset(pair)}
    rows = _add_up(among)
    return {team: (-row.points, -row.difference) for team in teams for row in [rows.get(team, Row(team))]}
"""

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "league": {
        # breaks a test of the base
        "tidies_names": (
            (
                "        if home == away:\n",
                "        home, away = home.strip().title(), away.strip().title()\n        if home == away:\n",
            ),
        ),
        # breaks a test of the base
        "reads_twice": (("    matches = {}\n", ""), (_CHECKED, _CHECKED_FIRST)),
        "corrections_at_the_end": ((_CHECKED, "        matches.pop((home, away), None)\n" + _CHECKED),),
        "no_direct_matches": ((_AMONG, "    return dict.fromkeys(teams, (0, 0))\n"),),
    },
}
