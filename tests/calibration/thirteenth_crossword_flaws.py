"""Mistakes in the crosswords of the thirteenth held-out part, as replacements in the files of the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.agent import Agent
from calibration.solutions import flawed, put
from calibration.task import Replacements

LIB, MAIN, CLUES, CHECK = "src/lib.rs", "src/main.rs", "src/clues.rs", "src/check.rs"

_ALL_LINES = """    for (index, line) in text.lines().map(str::trim).enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
"""
_CLUE_LINES = """    let lines = text.lines().map(str::trim);
    let written = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    for (index, line) in written.enumerate() {
"""
_ALL_SQUARES = "places.iter().map(|&place| lights[place].squares.len()).sum();"
_SIGNS = r"inside.split([',', '-', '\''])"
_BORDER = "r.abs_diff(row) + c.abs_diff(column) == 1"
_HALF_A_TURN = "!grid.is_white(height - 1 - row, width - 1 - column)"

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "exact_half": {CHECK: (("crossed < light.squares.len() / 2", "2 * crossed < light.squares.len()"),)},
    "lines_with_clues": {CLUES: ((_ALL_LINES, _CLUE_LINES),)},
    "first_light_only": {CLUES: (("let squares: usize = " + _ALL_SQUARES, "let squares = first.squares.len();"),)},
    "commas_and_hyphens": {CLUES: ((_SIGNS, "inside.split([',', '-'])"),)},
    "corners_connect": {CHECK: ((_BORDER, "r.abs_diff(row).max(c.abs_diff(column)) == 1"),)},
    "mirrored": {CHECK: ((_HALF_A_TURN, "!grid.is_white(row, width - 1 - column)"),)},
    "with_rules": {MAIN: (("check::problems(&grid(file)?)", "check::problems(&grid(file)?, &check::house_rules())"),)},
}


def code(agent: Agent, path: str, *flaws: str) -> str:
    """Return a file of the solution, with mistakes."""
    return flawed(agent, path, (FLAWS[flaw] for flaw in flaws))


def build(agent: Agent, *flaws: str, by_shell: bool = False) -> None:
    """Write all files of the solution, with mistakes."""
    for path in (LIB, CLUES, CHECK, MAIN):
        put(agent, path, code(agent, path, *flaws), by_shell=by_shell)
