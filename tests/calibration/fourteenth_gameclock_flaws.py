"""Mistakes in the chess clock of the fourteenth held-out part, as replacements in the files of the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.agent import Agent
from calibration.solutions import flawed, put
from calibration.task import Replacements

CLOCK, CONTROL, FORMAT = "src/clock.js", "src/control.js", "src/format.js"

_NEXT_STAGE = """    if (player.made === moves) {
      player.stage = Math.min(player.stage + 1, this.#stages.length - 1);
      player.left += this.#stages[player.stage].time;
      player.made = 0;
    }
"""
_NEXT_STAGE_IF_ANY = """    if (player.made === moves && player.stage < this.#stages.length - 1) {
      player.stage += 1;
      player.left += this.#stages[player.stage].time;
      player.made = 0;
    }
"""
_PAUSE = """    if (!this.#turn) throw new Error("the clock has not been started");
    this.#paused = true;
"""
_PAUSE_SETTLES = """    if (!this.#turn) throw new Error("the clock has not been started");
    this.#players[this.#turn].left = this.#left(this.#turn);
    this.#thought = 0;
    this.#paused = true;
"""
_FALLS = "    if (this.#left(this.#turn) === 0) this.#flag = this.#turn;\n"
_FLAG = """    this.#catchUp();
    return this.#flag;
"""
_FLAG_FALLS = f"""    this.#catchUp();
    if (this.#turn && !this.#flag) {{
  {_FALLS}    }}
    return this.#flag;
"""
_GIVES = """    if (kind === "+") player.left += bonus;
    if (kind === "b") player.left += Math.min(bonus, this.#thought);
"""
_GIVES_BACK = """    // A delay and Bronstein come to the same once the move is made.
    player.left += kind === "+" ? bonus : Math.min(bonus, this.#thought);
"""
_FREE = """    const { left, stage } = this.#players[side];
    if (side !== this.#turn) return left;
    const { kind, bonus } = this.#stages[stage];
    const free = kind === "d" ? bonus : 0;
    return Math.max(0, left - Math.max(0, this.#thought - free));
"""
_NOTHING_FREE = """    const { left } = this.#players[side];
    return side === this.#turn ? Math.max(0, left - this.#thought) : left;
"""
_COUNTS = """    this.#thought += now - this.#since;
    this.#since = now;
    if (this.#left(this.#turn) === 0) this.#flag = this.#turn;
"""
_COUNTS_BY_RULES = """    const player = this.#players[this.#turn];
    const cost = standard.elapse(this.#stages[player.stage], now - this.#since);
    player.left = Math.max(0, player.left - cost);
    this.#thought += now - this.#since;
    this.#since = now;
    if (player.left === 0) this.#flag = this.#turn;
"""

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "last_stage_never_ends": {CLOCK: ((_NEXT_STAGE, _NEXT_STAGE_IF_ANY),)},
    "pause_begins_anew": {CLOCK: ((_PAUSE, _PAUSE_SETTLES),)},
    "flag_only_when_asked": {CLOCK: ((_FALLS, ""), (_FLAG, _FLAG_FALLS))},
    "delay_is_bronstein": {CLOCK: ((_GIVES, _GIVES_BACK), (_FREE, _NOTHING_FREE))},
    "twenty_with_tenths": {FORMAT: (("if (tenths < 200) return", "if (ms < 20_000) return"),)},
    # every look at the clock grants the delay again
    "delay_for_every_look": {
        CLOCK: (
            ('from "./control.js";\n', 'from "./control.js";\nimport { standard } from "./rules.js";\n'),
            ("    player.left = this.#left(side);\n", ""),
            (_GIVES, "    player.left += standard.reward(this.#stages[player.stage], this.#thought);\n"),
            ("const { kind, bonus, moves } = this", "const { moves } = this"),
            (_COUNTS, _COUNTS_BY_RULES),
            (_FREE, "    return this.#players[side].left;\n"),
        )
    },
}


def code(agent: Agent, path: str, *flaws: str) -> str:
    """Return a file of the solution, with mistakes."""
    return flawed(agent, path, (FLAWS[flaw] for flaw in flaws))


def build(agent: Agent, *flaws: str, by_shell: bool = False) -> None:
    """Write all files of the solution, with mistakes."""
    for path in (CONTROL, CLOCK, FORMAT):
        put(agent, path, code(agent, path, *flaws), by_shell=by_shell)
