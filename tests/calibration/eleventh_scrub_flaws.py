"""Mistakes in the redaction of the eleventh held-out part, as replacements in the files of the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.agent import Agent
from calibration.solutions import flawed, put
from calibration.task import Replacements

INDEX, REDACT, MASKS = "src/index.js", "src/redact.js", "src/masks.js"
PATHS, TEXT = "src/paths.js", "src/text.js"

_DEPTH = "if (step === ANY_DEPTH) return matches(rest, place) || matches(steps, place.slice(1));"
_DEPTH_OF_ONE = "if (step === ANY_DEPTH) return matches(rest, place.slice(1)) || matches(steps, place.slice(1));"
_DEPTH_OR_END = "if (step === ANY_DEPTH) return matches(steps, place.slice(1)) || matches(rest, place.slice(1));"
_INSIDE = "    const inside = [...ancestors, value];\n"
_SETS = "    if (value instanceof Set) return new Set([...value].map((item, index) => member(item, index)));\n"
_MAPS = (
    "    if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, member(item, String(key))]));\n"
)
_JSON = "    if (typeof value.toJSON === 'function') return walk(value.toJSON(), path, inside);\n"
_INSTANCES = "    if (!isPlain(value) && !(value instanceof Error)) return value;\n"
_PROPERTIES = "propertiesOf(value).map(([key, item]) => [key, member(item, key)])"
_OF_ERRORS = """
function propertiesOf(value) {
  if (!(value instanceof Error)) return Object.entries(value);
  const { name, message, stack } = value;
  const cause = Object.hasOwn(value, 'cause') ? { cause: value.cause } : {};
  return Object.entries({ name, message, stack, ...cause, ...value });
}
"""
_KEEP = """  return (value) => {
    if (typeof value !== 'string' && typeof value !== 'number') return MASK;
    const text = String(value);
    const hidden = text.length < 2 * count ? text.length : text.length - count;
    return '*'.repeat(hidden) + text.slice(hidden);
  };
"""
_LUHN = """  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
"""
_LOOK_UP = "  return ISSUED.get(digits.slice(0, 4)) === digits.slice(-4);\n"
_NUMBER = r"const NUMBER = /\d(?:[ -]?\d)*/g;" + "\n"
_ISSUED = """
/** First and last digits of what the issuers give out. */
const ISSUED = new Map([
  ['4111', '1111'],
  ['5500', '5559'],
  ['3782', '0005'],
]);
"""

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    # breaks a test of the base
    "walks_instances": {REDACT: ((_INSTANCES, ""),)},
    "without_odd_values": {
        REDACT: (
            (_SETS, ""),
            (_MAPS, ""),
            (_JSON, ""),
            (_INSTANCES, "    if (!isPlain(value)) return value;\n"),
            (_PROPERTIES, _PROPERTIES.replace("propertiesOf", "Object.entries")),
            (_OF_ERRORS, ""),
        )
    },
    "deep_is_at_least_one": {PATHS: ((_DEPTH, _DEPTH_OF_ONE),)},
    "remembers_all_it_saw": {REDACT: ((_INSIDE, "    ancestors.push(value);\n    const inside = ancestors;\n"),)},
    "masks_are_redacted": {
        REDACT: (
            (
                "hides(place) ? replace(item, formatPath(place)) : walk(item, place, inside)",
                "walk(hides(place) ? replace(item, formatPath(place)) : item, place, inside)",
            ),
        )
    },
    "keep_last_to_come": {MASKS: ((_KEEP, "  return () => '*'.repeat(2 * count);\n"),)},
    "knows_the_issuers": {TEXT: ((_NUMBER, _NUMBER + _ISSUED), (_LUHN, _LOOK_UP))},
    "every_long_number": {
        TEXT: (
            (
                "digits.length < 13 || digits.length > 19) return false;\n" + _LUHN,
                "digits.length < 13) return false;\n  return digits.length < 20;\n",
            ),
        )
    },
}
MENDED_IN_VAIN = (_DEPTH_OF_ONE, _DEPTH_OR_END)
"""The same in another order."""


def code(agent: Agent, path: str, *flaws: str) -> str:
    """Return a file of the solution, with mistakes."""
    return flawed(agent, path, (FLAWS[flaw] for flaw in flaws))


def build(agent: Agent, *flaws: str, by_shell: bool = False) -> None:
    """Write all files of the solution, with mistakes."""
    for path in agent.task.trees["solution"]:
        put(agent, path, code(agent, path, *flaws), by_shell=by_shell)
