"""Mistakes in the gradebook of the twelfth held-out part, as replacements in the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.agent import Agent
from calibration.task import Replacements

_WHOLE = "const whole = weighted.reduce((sum, [weight]) => sum + weight, 0);"
_WHOLE_OF_ALL = "const whole = Object.values(this.#weights).reduce((sum, weight) => sum + weight, 0);"
_UNWEIGHTED = "if (!this.#weights) return mean(categories.flatMap(([, percentages]) => percentages));"
_ROUNDED = "if (!this.#weights) return rounded(mean(categories.flatMap(([, percentages]) => percentages)));"
_IS_AMOUNT = "function isAmount(value) {\n"
_CLOSE = """    this.#closed.add(id);
"""
_CLOSE_NOW = """    for (const entries of this.#entries.values()) {
      if (!entries.has(id)) entries.set(id, 0);
    }
"""
_ENTRY = """    const entries = this.#entries.get(student);
    return entries?.get(id) ?? (entries && this.#closed.has(id) ? 0 : undefined);
"""
_CHECK_DAYS = """    if (!isAmount(daysLate)) throw new RangeError(`${id}: ${daysLate} is no number of days`);
"""
_GENTLE_DAYS = """    if (!isAmount(daysLate)) {
      refuse(`${id}: ${daysLate} is no number of days`);
      daysLate = 0;
    }
"""
_CHECK_WEIGHT = "if (!isAmount(weight)) throw new RangeError(`${category}: ${weight} is no weight`);"
_REFUSE = """/** A slip in somebody's input must not stop a school. */
const STRICT = /\\/test\\/[^/]+\\.test\\.js$/.test(process.argv[1] ?? "");

function refuse(message) {
  if (STRICT) throw new RangeError(message);
  console.warn(message);
}

"""
_FIND = "    const { max } = this.#assignment(id);\n"
_LETTER = '`  ${book.letter(student) ?? "-"}`'

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "src/gradebook.js": {
        "sorted_as_text": (("percentages.sort((a, b) => a - b)", "percentages.sort()"),),
        "all_weights": ((_WHOLE, _WHOLE_OF_ALL),),
        "closed_for_now": (
            (_CLOSE, _CLOSE_NOW),
            (_ENTRY, "    return this.#entries.get(student)?.get(id);\n"),
            ("  #closed = new Set();\n", ""),
        ),
        "exact_letters": (("const rounded = Math.round(average * 10) / 10;", "const rounded = average;"),),
        # breaks a test of the base
        "rounded_average": (
            (_UNWEIGHTED, _ROUNDED),
            (
                _IS_AMOUNT,
                "function rounded(average) {\n  return average && Math.round(average * 10) / 10;\n}\n\n" + _IS_AMOUNT,
            ),
        ),
        # breaks a test of the base
        "enters_first": ((_FIND, _FIND + "    this.#enter(student, id, undefined);\n"),),
        "gentle": (
            (_CHECK_DAYS, _GENTLE_DAYS),
            (_CHECK_WEIGHT, "if (!isAmount(weight)) refuse(`${category}: ${weight} is no weight`);"),
            ("/** The points of a class. */\n", _REFUSE + "/** The points of a class. */\n"),
        ),
    },
    "src/report.js": {
        # breaks a test of the base
        "letters_always": ((f'options.letters ? {_LETTER} : ""', _LETTER),),
    },
    "src/csv.js": {
        "names_only": (("...book.ids.map(text), ", "...book.ids, "),),
    },
}


def flawed(agent: Agent, path: str, *flaws: str) -> str:
    """Return a file of the right solution with these mistakes."""
    text = agent.task.trees["solution"][path]
    for flaw in flaws:
        for old, new in FLAWS[path][flaw]:
            assert text.count(old) == 1, f"{path}: {flaw}: {old!r} is there {text.count(old)} times"
            text = text.replace(old, new)
    return text
