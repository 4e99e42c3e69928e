"""Solutions of `flotilla` with mistakes, a second right one, and tests by what they are about."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.flawed_code import Flaws

READER, SCORING, TABLE = "src/reader.js", "src/scoring.js", "src/table.js"

FLAWS: Flaws = {
    "counts_who_finished": (
        SCORING,
        (
            (
                "  for (const sail of entries) {\n    if (!scores.has(sail)) scores.set(sail, entries.length + 1);\n",
                (
                    "  const last = scores.size + 1;\n"
                    "  for (const sail of entries) {\n    if (!scores.has(sail)) scores.set(sail, last);\n"
                ),
            ),
        ),
    ),
    "next_place": (SCORING, (("    place += tied.length;\n", "    place += 1;\n"),)),
    "discards_all_codes": (
        SCORING,
        (
            ('const ALWAYS_COUNTS = "DNE";\n\n', ""),
            (", (index) => races[index].codes?.[sail] !== ALWAYS_COUNTS);", ");"),
            ("function worst(scores, count, mayBeDiscarded) {", "function worst(scores, count) {"),
            ("    .filter(mayBeDiscarded)\n", ""),
        ),
    ),
    "later_of_equals": (SCORING, (("scores[b] - scores[a] || a - b)", "scores[b] - scores[a] || b - a)"),)),
    "all_scores": (
        SCORING,
        (
            (
                "firstDifference(a.counted.toSorted(ascending), b.counted.toSorted(ascending))",
                "firstDifference(a.scores.toSorted(ascending), b.scores.toSorted(ascending))",
            ),
        ),
    ),
    "net_only": (
        SCORING,
        (
            (
                (
                    "  return (\n    a.net - b.net ||\n"
                    "    firstDifference(a.counted.toSorted(ascending), b.counted.toSorted(ascending)) ||\n"
                    "    firstDifference(a.scores.toReversed(), b.scores.toReversed())\n  );\n}\n\n"
                    "function firstDifference(first, second) {\n"
                    "  const index = first.findIndex((score, at) => score !== second[at]);\n"
                    "  return index < 0 ? 0 : first[index] - second[index];\n}\n"
                ),
                "  return a.net - b.net;\n}\n",
            ),
            ("function ascending(a, b) {\n  return a - b;\n}\n\n", ""),
        ),
    ),
    "plain_ranks": (
        SCORING,
        (
            (
                "  return ranked(rows);\n",
                "  return rows.map(({ counted, ...row }, index) => ({ rank: index + 1, ...row }));\n",
            ),
            (
                (
                    "/** Give the rows their ranks; equal ones share the rank of the first of them. */\n"
                    "function ranked(rows) {\n  const result = [];\n"
                    "  for (const [index, { counted, ...row }] of rows.entries()) {\n"
                    "    const shared = index > 0 && compare(rows[index - 1], rows[index]) === 0;\n"
                    "    result.push({ rank: shared ? result[index - 1].rank : index + 1, ...row });\n  }\n"
                    "  return result;\n}\n\n"
                ),
                "",
            ),
        ),
    ),
    "nothing_is_discarded": (
        SCORING,
        (
            (
                (
                    "  return [...scores.keys()]\n    .filter(mayBeDiscarded)\n"
                    "    .sort((a, b) => scores[b] - scores[a] || a - b)\n    .slice(0, count)\n"
                    "    .sort((a, b) => a - b);\n"
                ),
                "  // TODO: pick `count` of the scores\n  return [];\n",
            ),
        ),
    ),
    "no_difference": (
        SCORING,
        (
            (
                (
                    "  const index = first.findIndex((score, at) => score !== second[at]);\n"
                    "  return index < 0 ? 0 : first[index] - second[index];\n"
                ),
                "  // TODO: compare the scores one by one\n  return 0;\n",
            ),
        ),
    ),
    "accepts_everything": (
        READER,
        (
            ('const CODES = new Set(["DNC", "DNS", "DNF", "DSQ", "DNE"]);\n\n', ""),
            ('for (const [index, line] of text.split("\\n").entries()) {', 'for (const line of text.split("\\n")) {'),
            ("races.push(readRace(words, index + 1));", "races.push(readRace(words));"),
            ("function readRace(words, number) {", "function readRace(words) {"),
            ("  const seen = new Set();\n", ""),
            (
                (
                    "    for (const sail of sails) {\n"
                    "      if (seen.has(sail)) throw new Error(`line ${number}: ${sail} is named twice`);\n"
                    "      seen.add(sail);\n    }\n"
                ),
                "",
            ),
            ("      if (!CODES.has(code)) throw new Error(`line ${number}: unknown code ${code}`);\n", ""),
        ),
    ),
}
"""Mistakes by name: the file, and what is replaced in it."""

_OTHER_READER = """const CODES = ["DNC", "DNS", "DNF", "DSQ", "DNE"];

/**
 * Read the races of a series: a race on each line, its boats in the order in which they finished.
 *
 * A=B is a tie of two boats, A:DNF a boat with a code. Empty lines and lines that begin with `#` do not count.
 */
export function readRaces(text) {
  return text
    .split("\\n")
    .map((line, index) => ({ words: line.trim().split(/\\s+/), number: index + 1 }))
    .filter(({ words }) => words[0] !== "" && !words[0].startsWith("#"))
    .map(({ words, number }) => {
      try {
        return readRace(words);
      } catch (error) {
        throw new Error(`line ${number}: ${error.message}`);
      }
    });
}

function readRace(words) {
  const codes = {};
  const finishers = [];
  for (const word of words) {
    if (word.includes(":")) {
      const [sail, code] = word.split(":");
      if (!CODES.includes(code)) throw new Error(`${code} is not a code`);
      if (sail in codes) throw new Error(`${sail} is there twice`);
      codes[sail] = code;
    } else {
      finishers.push(word.includes("=") ? word.split("=") : word);
    }
  }
  const all = [...finishers.flat(), ...Object.keys(codes)];
  const twice = all.find((sail, index) => all.indexOf(sail) !== index);
  if (twice) throw new Error(`${twice} is there twice`);
  return { finishers, codes };
}
"""
_OTHER_SCORING = """/** Return the points of all entries in a race, by sail. */
export function raceScores(entries, race) {
  const scores = new Map(entries.map((sail) => [sail, entries.length + 1]));
  let before = 0;
  for (const place of race.finishers) {
    const boats = Array.isArray(place) ? place : [place];
    for (const sail of boats) scores.set(sail, before + (boats.length + 1) / 2);
    before += boats.length;
  }
  return scores;
}

/** Return the rows of a series, from the best boat to the last. */
export function standings(entries, races, { discardAfter = [] } = {}) {
  const points = races.map((race) => raceScores(entries, race));
  const discards = discardAfter.filter((enough) => enough <= races.length).length;
  const rows = entries.map((sail) => {
    const scores = points.map((race) => race.get(sail));
    const kept = new Set(races.keys());
    for (let left = discards; left > 0; left -= 1) {
      const candidates = [...kept].filter((race) => races[race].codes?.[sail] !== "DNE");
      if (candidates.length === 0) break;
      const most = Math.max(...candidates.map((race) => scores[race]));
      kept.delete(candidates.find((race) => scores[race] === most));
    }
    const counted = [...kept].map((race) => scores[race]);
    const discarded = [...races.keys()].filter((race) => !kept.has(race));
    const net = counted.reduce((total, score) => total + score, 0);
    return { sail, scores, discarded, net, key: sortKey(net, counted, scores) };
  });
  rows.sort((a, b) => byKey(a.key, b.key) || (a.sail < b.sail ? -1 : 1));
  rows.forEach((row, index) => {
    const above = rows[index - 1];
    row.rank = above && byKey(above.key, row.key) === 0 ? above.rank : index + 1;
  });
  return rows.map(({ key, ...row }) => row);
}

/** Return the numbers that decide about the place of a boat, the most important first. */
function sortKey(net, counted, scores) {
  const best = [...counted].sort((a, b) => a - b);
  while (best.length < scores.length) best.push(0);
  return [net, ...best, ...[...scores].reverse()];
}

function byKey(a, b) {
  for (let index = 0; index < a.length; index += 1) {
    if (a[index] !== b[index]) return a[index] - b[index];
  }
  return 0;
}
"""
OTHER: Mapping[str, str] = {READER: _OTHER_READER, SCORING: _OTHER_SCORING}
"""The same in another way; `table` is written as in the solution."""

NUMBERS_RACES: tuple[tuple[str, str], ...] = (
    (
        (
            "    .map((line, index) => ({ words: line.trim().split(/\\s+/), number: index + 1 }))\n"
            '    .filter(({ words }) => words[0] !== "" && !words[0].startsWith("#"))\n'
            "    .map(({ words, number }) => {\n"
        ),
        (
            "    .map((line) => line.trim().split(/\\s+/))\n"
            '    .filter((words) => words[0] !== "" && !words[0].startsWith("#"))\n'
            "    .map((words, index) => {\n"
        ),
    ),
    ("`line ${number}: ${error.message}`", "`line ${index + 1}: ${error.message}`"),
)
"""A mistake in the other reader: lines that do not count are not counted for the number of the line either."""

_IMPORTS = """import assert from "node:assert/strict";
import { test } from "node:test";
"""
_HELPERS = """import { readRaces } from "../src/reader.js";
import { raceScores, standings } from "../src/scoring.js";
import { table } from "../src/table.js";

const BOATS = ["FRA7", "GBR12", "ITA4", "NED3"];
const LINES = ["FRA7 GBR12 ITA4 NED3", "GBR12 FRA7 NED3 ITA4", "ITA4 FRA7 GBR12 NED3", "ITA4 GBR12 FRA7 NED3:DNE"];

function series(lines, options) {
  return standings(BOATS, readRaces(lines.join("\\n")), options);
}

function row(sail, lines, options) {
  return series(lines, options).find((found) => found.sail === sail);
}
"""
TESTS: Mapping[str, str] = {
    "reading": """test("ties and codes are read", () => {
  const [race] = readRaces("GBR12 FRA7=NED3 ITA4:DNF");
  assert.deepEqual(race.finishers, ["GBR12", ["FRA7", "NED3"]]);
  assert.deepEqual(race.codes, { ITA4: "DNF" });
});
""",
    "errors": """test("an unknown code is an error with its line", () => {
  assert.throws(() => readRaces("# Saturday\\nGBR12\\nFRA7 ITA4:OCS"), /line 3/);
});

test("a boat that is named twice is an error with its line", () => {
  for (const line of ["GBR12 FRA7 GBR12", "GBR12=GBR12", "FRA7 FRA7:DSQ"]) {
    assert.throws(() => readRaces(`GBR12\\n\\n${line}`), /line 3/);
  }
});
""",
    "ties": """test("tied boats score the average of their places", () => {
  const scores = raceScores(BOATS, { finishers: [["FRA7", "NED3"], "ITA4", "GBR12"] });
  assert.deepEqual(BOATS.map((sail) => scores.get(sail)), [1.5, 4, 3, 1.5]);
});
""",
    "codes": """test("a boat with a code scores like a missing one", () => {
  const scores = raceScores(BOATS, { finishers: ["FRA7"], codes: { NED3: "DSQ", ITA4: "DNE" } });
  assert.deepEqual(BOATS.map((sail) => scores.get(sail)), [1, 5, 5, 5]);
});
""",
    "discards": """test("discards begin with the given numbers of races", () => {
  assert.deepEqual(row("FRA7", LINES, { discardAfter: [5] }).discarded, []);
  assert.deepEqual(row("FRA7", LINES, { discardAfter: [4, 8] }).discarded, [3]);
  assert.deepEqual(row("FRA7", LINES, { discardAfter: [2, 4] }).discarded, [1, 3]);
  assert.equal(row("FRA7", LINES, { discardAfter: [2, 4] }).net, 3);
});
""",
    "dne": """test("the earlier of equal scores is discarded, and never a DNE", () => {
  const { discarded, net } = row("NED3", LINES, { discardAfter: [4] });
  assert.deepEqual(discarded, [0]);
  assert.equal(net, 12);
});
""",
    "counted": """test("the best counted scores break a tie", () => {
  const rows = series(["GBR12 FRA7 ITA4 NED3", "ITA4 GBR12 FRA7 NED3", "ITA4 FRA7 NED3 GBR12"]);
  assert.deepEqual(rows.map(({ sail }) => sail), ["ITA4", "GBR12", "FRA7", "NED3"]);
});
""",
    "last": """test("the last race breaks a tie, even if it is discarded", () => {
  const lines = ["GBR12 FRA7 ITA4 NED3", "FRA7 GBR12 ITA4 NED3", "ITA4 NED3 GBR12 FRA7"];
  assert.deepEqual(series(lines, { discardAfter: [3] }).map(({ sail }) => sail), ["GBR12", "FRA7", "ITA4", "NED3"]);
});
""",
    "ranks": """test("boats that stay equal share a rank", () => {
  const rows = series(["FRA7 NED3=GBR12 ITA4"]);
  assert.deepEqual(rows.map(({ rank, sail }) => [rank, sail]), [[1, "FRA7"], [2, "GBR12"], [2, "NED3"], [4, "ITA4"]]);
});
""",
    "table": """test("the table shows discards and shared ranks", () => {
  const lines = table(series(["FRA7 NED3=GBR12 ITA4", "FRA7 NED3=GBR12 ITA4"], { discardAfter: [2] })).split("\\n");
  assert.equal(lines[0], "  1  FRA7       (1)     1       1");
  assert.equal(lines[2], " 2=  NED3     (2.5)   2.5     2.5");
});
""",
    "parentheses": """test("the table shows discards", () => {
  const lines = table(series(["FRA7 NED3 GBR12 ITA4", "FRA7 NED3 GBR12 ITA4"], { discardAfter: [2] })).split("\\n");
  assert.equal(lines[0], "  1  FRA7       (1)     1       1");
});
""",
}
"""Tests by what they are about."""


def series_test(*about: str) -> str:
    """Return a test file with the tests about these, or about everything but `parentheses`."""
    chosen = [TESTS[name] for name in (about or [name for name in TESTS if name != "parentheses"])]
    helpers = _HELPERS
    if not any("raceScores(" in text for text in chosen):
        helpers = helpers.replace("raceScores, ", "")
    if not any("table(" in text for text in chosen):
        helpers = helpers.replace('import { table } from "../src/table.js";\n', "")
    if not any("row(" in text for text in chosen):
        helpers = helpers[: helpers.index("\nfunction row(")]
    if not any("LINES" in text for text in chosen):
        helpers = "".join(line for line in helpers.splitlines(keepends=True) if not line.startswith("const LINES"))
    return "\n".join((_IMPORTS + helpers, *chosen))
