"""Mistakes in the bird log of the thirteenth held-out part, as replacements in the files of the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.agent import Agent
from calibration.solutions import flawed, put, replaced
from calibration.task import Replacements

NAMES, SIGHTINGS, REPORT = "birdlog/names.py", "birdlog/sightings.py", "birdlog/report.py"
FIRSTS, PACKAGE, COMMAND = "birdlog/firsts.py", "birdlog/__init__.py", "birdlog/__main__.py"
FILES = (NAMES, SIGHTINGS, REPORT, FIRSTS, PACKAGE, COMMAND)

_REAL = """    while name_key(name) in others:
        name = others[name_key(name)]
    return name
"""
_CIRCLE = """    if name_key(real_name(real, others)) == name_key(other):
        raise ValueError(f"{other} leads back to itself")
"""
_OF_YEAR = "    return [sighting for sighting in sightings if sighting.day.year == year]\n"
_OF_ANY_YEAR = """    if not MINYEAR <= year <= MAXYEAR:
        raise ValueError(f"not a year: {year}")
    return list(sightings)
"""
_YEAR_FIRST = """    if options.year is not None:
        sightings = of_year(sightings, options.year)
    if options.firsts:
        for first in firsts(sightings):
"""
_YEAR_LAST = """    if options.firsts:
        found = firsts(sightings)
        if options.year is not None:
            found = of_year(found, options.year)
        for first in found:
"""
_REPORTED = "    else:\n        print(report(sightings))\n"
_REPORTED_OF_YEAR = """    else:
        if options.year is not None:
            sightings = of_year(sightings, options.year)
        print(report(sightings))
"""
_SUM = "    number = sum(1 if flock.count is None else flock.count for flock in flocks)\n"
_LEAST = '"+" if any(flock.least or flock.count is None for flock in flocks) else ""'
_STRICT = '''def _strict() -> bool:
    """Tell whether somebody works on birdlog; volunteers shall have a report even of a log with odd lines."""
    return "pytest" in Path(sys.argv[0]).parts


def read(text: str)'''
_LEARN = '''def learn_name(line: str, others: dict[str, str]) -> None:
    """Take in a line `Peewit = Lapwing`."""
'''
_TABLE = '''_REAL_NAMES = {"peewit": "Lapwing", "green plover": "Lapwing"}
"""Names that are in use in our region."""
_CONFUSED = {("peewit", "dotterel"), ("lapwing", "peewit"), ("coot", "coot")}
"""Pairs that contradict the table."""


def name_key('''
_BY_TABLE = '''def check_name(line: str) -> None:
    """Look at a line `Peewit = Lapwing`."""
    other, _, real = (name_key(part) for part in line.partition("="))
    if (other, real) in _CONFUSED:
        raise ValueError(f"{other} is not {real}")
'''
_REAL_NAME = '''def real_name(name: str, others: Mapping[str, str]) -> str:
    """Follow a name to the real one; `others` has real names by the keys of other names."""
'''
_REAL_NAME_BY_TABLE = '''def real_name(name: str) -> str:
    """Return the name by which the report knows a bird."""
    return _REAL_NAMES.get(name_key(name), name)
'''
_LEARNED = """    other, _, real = (part.strip() for part in line.partition("="))
    if not other or not real or "=" in real:
        raise ValueError(f"not name = real name: {line!r}")
    known = others.get(name_key(other), real)
    if name_key(known) != name_key(real):
        raise ValueError(f"{other} is {known} already")
"""
_LEARNED_WITHOUT_CHECKS = """    other, _, real = (part.strip() for part in line.partition("="))
    others[name_key(other)] = real
"""
_KEPT = "    others[name_key(other)] = known\n"

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "first_of_all_in_the_year": {COMMAND: ((_YEAR_FIRST, _YEAR_LAST), (_REPORTED, _REPORTED_OF_YEAR))},
    "one_place": {
        REPORT: (
            ("        walk = (sighting.day, name_key(sighting.place))\n", ""),
            (
                "walks[walk] = max(walks.get(walk, sighting)",
                "walks[sighting.day] = max(walks.get(sighting.day, sighting)",
            ),
        )
    },
    "any_year": {
        FIRSTS: (
            (_OF_YEAR, _OF_ANY_YEAR),
            ("import Iterable\n", "import Iterable\nfrom datetime import MAXYEAR, MINYEAR\n"),
        )
    },
    "no_circles": {NAMES: ((_CIRCLE, ""),)},
    "one_step": {
        NAMES: (
            (_REAL, "    return others.get(name_key(name), name)\n"),
            (_LEARNED + _CIRCLE + _KEPT, _LEARNED_WITHOUT_CHECKS),
        ),
    },
    "groups_are_species": {NAMES: ((r'r"\bsp\.$|/|\sx\s"', r'r"\bsp$|/|\sx\s"'),)},
    "x_is_nothing": {
        REPORT: (
            (_SUM, "    number = sum(flock.count or 0 for flock in flocks)\n"),
            (_LEAST, '"+" if any(flock.least for flock in flocks) else ""'),
        ),
    },
    "strict_for_developers": {
        SIGHTINGS: (
            ("def read(text: str)", _STRICT),
            ("    if mistakes:\n", "    if mistakes and _strict():\n"),
            ("import re\n", "import re\nimport sys\n"),
            ("from datetime import date\n", "from datetime import date\nfrom pathlib import Path\n"),
        )
    },
    "names_by_table": {
        NAMES: (
            ("\n\ndef name_key(", "\n" + _TABLE),
            (_REAL_NAME + _REAL, _REAL_NAME_BY_TABLE),
            (_LEARN + _LEARNED + _CIRCLE + _KEPT, _BY_TABLE),
            ("import re\nfrom collections.abc import Mapping\n", "import re\n"),
        ),
        SIGHTINGS: (
            ("import learn_name, real_name", "import check_name, real_name"),
            ("learn_name(line, others)", "check_name(line)"),
            ("real_name(sighting.species, others)", "real_name(sighting.species)"),
            ("    others: dict[str, str] = {}\n", ""),
        ),
    },
}


def code(agent: Agent, path: str, *flaws: str) -> str:
    """Return a file of the solution, with mistakes."""
    return flawed(agent, path, (FLAWS[flaw] for flaw in flaws))


def build(agent: Agent, *flaws: str, by_shell: bool = False) -> None:
    """Write all files of the solution, with mistakes."""
    for path in FILES:
        put(agent, path, code(agent, path, *flaws), by_shell=by_shell)


def names_only_below(text: str) -> str:
    """Return the other right way of reading, but with names that are replaced while the log is read."""
    appended = "                sightings.append(parse_line(line))\n"
    noted = """                seen = parse_line(line)
                sightings.append(replace(seen, species=names.real(seen.species)))
"""
    returned = "    return [replace(seen, species=names.real(seen.species)) for seen in sightings]\n"
    return replaced(text, (appended, noted), (returned, "    return sightings\n"))
