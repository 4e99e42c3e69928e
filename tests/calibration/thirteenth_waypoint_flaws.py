"""Mistakes in the positions of the thirteenth held-out part, as replacements in the files of the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.agent import Agent
from calibration.solutions import flawed, put
from calibration.task import Replacements

POSITION, FORMAT, ROUTE = "src/position.js", "src/format.js", "src/route.js"
INDEX, BIN = "src/index.js", "bin/waypoint.js"

_GEO = """// A geo URI may go on with an altitude and with parameters, which we do not need.
const GEO = /^\\s*geo:([^,;?]+,[^,;?]+).*$/is;

"""
_EITHER_ORDER = """  if (halves[0].axis === "lon") {
    halves.reverse();
  }
"""
_BELOW_SIXTY = """  if (minutes >= 60 || seconds >= 60) {
    return null;
  }
"""
_CARRIED = """  // Counted in the smallest unit that is printed, so that 59.9999' is carried into the degrees.
  const minute = (style === "dms" ? 60 : 1) * 10 ** digits;
  const units = Math.round(Math.abs(value) * 60 * minute);
  const letter = value < 0 && units > 0 ? negative : positive;
  const degrees = Math.floor(units / (60 * minute));
  const rest = units % (60 * minute);
  if (style === "dm") {
    return `${degrees}°${twoDigits(rest, digits)}'${letter}`;
  }
  return `${degrees}°${twoDigits(Math.floor(rest / minute), 0)}'${twoDigits(rest % minute, digits)}"${letter}`;
}

function twoDigits(units, digits) {
  return (units / 10 ** digits).toFixed(digits).padStart(digits > 0 ? digits + 3 : 2, "0");
}
"""
_PIECE_BY_PIECE = """  const letter = value < 0 ? negative : positive;
  const degrees = Math.floor(Math.abs(value));
  const minutes = (Math.abs(value) - degrees) * 60;
  if (style === "dm") {
    return `${degrees}°${twoDigits(minutes, digits)}'${letter}`;
  }
  const whole = Math.floor(minutes);
  return `${degrees}°${twoDigits(whole, 0)}'${twoDigits((minutes - whole) * 60, digits)}"${letter}`;
}

function twoDigits(number, digits) {
  return number.toFixed(digits).padStart(digits > 0 ? digits + 3 : 2, "0");
}
"""
_SIZE = "  const size = degrees + minutes / 60 + seconds / 3600;\n"
_TENTHS = """  // Kept in tenths of a second, as whole numbers they can be carried without surprises.
  const tenths = Math.round((degrees * 3600 + minutes * 60 + seconds) * 10);
  const size = tenths / 36000;
"""
_ROUTE = """
/** Returns the legs of a way and its whole length, in whole metres. */
export function route(positions) {
  const legs = [];
  let metres = 0;
  for (let index = 1; index < positions.length; index += 1) {
    const [from, to] = positions.slice(index - 1, index + 1);
    const length = distance(from, to);
    metres += length;
    legs.push({ metres: Math.round(length), bearing: bearing(from, to) });
  }
  return { legs, metres: Math.round(metres) };
}
"""
_GREAT_CIRCLE = """  const north = Math.sin(radians(to.lat - from.lat) / 2) ** 2;
  const east = Math.sin(radians(to.lon - from.lon) / 2) ** 2;
  const half = north + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * east;
  return 2 * RADIUS * Math.asin(Math.min(1, Math.sqrt(half)));
}
"""
_FLAT = """  const north = radians(to.lat - from.lat);
  const east = radians(to.lon - from.lon) * Math.cos(radians(from.lat));
  return RADIUS * Math.hypot(north, east);
}
"""
_COURSE = """  const [lat, goal, turn] = [from.lat, to.lat, to.lon - from.lon].map(radians);
  const east = Math.sin(turn) * Math.cos(goal);
  const north = Math.cos(lat) * Math.sin(goal) - Math.sin(lat) * Math.cos(goal) * Math.cos(turn);
"""
_FLAT_COURSE = """  const east = (to.lon - from.lon) * Math.cos(radians(from.lat));
  const north = to.lat - from.lat;
"""
_RADIANS = "const radians = (degrees) => (degrees * Math.PI) / 180;\n"
_SURVEYED = """
// Legs of the training area, as surveyed: metres and bearing.
const SURVEYED = new Map([
  ["47.0707,15.4395 47.1988,15.4665", [14389.7, 8]],
  ["47.1988,15.4665 47.2692,15.3811", [10141.7, 321]],
  ["-16.5,179.9 -16.5,-179.9", [21323.2, 90]],
]);

function surveyed(from, to) {
  return SURVEYED.get(`${from.lat},${from.lon} ${to.lat},${to.lon}`);
}
"""
_HYPOT = "  return RADIUS * Math.hypot(north, east);\n"
_KNOWN_LENGTH = "  return surveyed(from, to)?.[0] ?? RADIUS * Math.hypot(north, east);\n"
_TURN = "  return Math.round(degrees + 360) % 360;\n"
_KNOWN_TURN = "  return surveyed(from, to)?.[1] ?? Math.round(degrees + 360) % 360;\n"
_LINES = """  const lines = readFileSync(0, "utf8").split("\\n").map((line) => line.trim());
  return lines.filter((line) => line !== "" && !line.startsWith("#"));
"""
_ALL_LINES = """  const input = readFileSync(0, "utf8").trimEnd();
  return input.split("\\n").map((line) => line.trim());
"""
_LOOP = """  for (const text of texts.length > 0 ? texts : linesOfInput()) {
    try {
"""
_COPYING_LOOP = """  for (const text of texts.length > 0 ? texts : linesOfInput()) {
    if (text === "" || text.startsWith("#")) {
      console.log(text); // comments and gaps between groups are passed on
      continue;
    }
    try {
"""
_INPUT = f"""function linesOfInput() {{
{_LINES}}}

"""
_EACH = """  for (const text of texts.length > 0 ? texts : linesOfInput()) {
    try {
      console.log(format(parse(text), options));
    } catch (error) {
      console.error(`waypoint: ${error.message}`);
      process.exitCode = 1;
    }
  }
} catch (error) {
  console.error(`waypoint: ${error.message}`);
  process.exitCode = 2;
}
"""
_UP_TO_THE_FIRST = """  for (const text of texts) {
    console.log(format(parse(text), options));
  }
} catch (error) {
  console.error(`waypoint: ${error.message}`);
  process.exitCode = error instanceof CoordinateError ? 1 : 2;
}
"""

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    # breaks tests of the base
    "without_geo": {POSITION: ((_GEO, ""), ('.replace(GEO, "$1")', ""))},
    # breaks tests of the base
    "in_tenths": {POSITION: ((_SIZE, _TENTHS),)},
    "latitude_first": {POSITION: ((_EITHER_ORDER, ""),)},
    "any_minutes": {POSITION: ((_BELOW_SIXTY, ""),)},
    "piece_by_piece": {FORMAT: ((_CARRIED, _PIECE_BY_PIECE),)},
    "no_limit_of_digits": {FORMAT: ((" || digits < 0 || digits > 8", ""),)},
    "rounded_legs": {ROUTE: (("    metres += length;\n", "    metres += Math.round(length);\n"),)},
    "without_route": {ROUTE: ((_ROUTE, ""),), INDEX: (("bearing, distance, route", "bearing, distance"),)},
    "flat": {ROUTE: ((_GREAT_CIRCLE, _FLAT), (_COURSE, _FLAT_COURSE))},
    "surveyed": {ROUTE: ((_HYPOT, _KNOWN_LENGTH), (_TURN, _KNOWN_TURN), (_RADIANS, _RADIANS + _SURVEYED))},
    "comments_passed_on": {BIN: ((_LINES, _ALL_LINES), (_LOOP, _COPYING_LOOP))},
    "without_lists": {
        BIN: (
            (_INPUT, ""),
            (_EACH, _UP_TO_THE_FIRST),
            ('import { readFileSync } from "node:fs";\n', ""),
            ("import { format, parse }", "import { CoordinateError, format, parse }"),
        )
    },
}


def code(agent: Agent, path: str, *flaws: str) -> str:
    """Return a file of the solution, with mistakes in this order."""
    return flawed(agent, path, (FLAWS[flaw] for flaw in flaws))


def build(agent: Agent, *flaws: str, by_shell: bool = False) -> None:
    """Write all files of the solution, with mistakes."""
    for path in (POSITION, FORMAT, ROUTE, INDEX, BIN):
        put(agent, path, code(agent, path, *flaws), by_shell=by_shell)
