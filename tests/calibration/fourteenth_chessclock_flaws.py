"""Mistakes in the chess clock of the fourteenth held-out part, as replacements in the files of the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.agent import Agent
from calibration.solutions import flawed, put
from calibration.task import Replacements

CONTROL, CLOCK, COMMAND = "src/control.rs", "src/lib.rs", "src/main.rs"

_AT = """            let Some(wanted) = stage.moves else {
                return (stage, None);
            };
            if number + 1 == self.stages.len() {
                return (stage, Some(wanted - made % wanted));
            }
            if made < wanted {
                return (stage, Some(wanted - made));
            }
            made -= wanted;
"""
_AT_ONCE = """            match stage.moves {
                Some(wanted) if made < wanted => return (stage, Some(wanted - made)),
                Some(wanted) if number + 1 < self.stages.len() => made -= wanted,
                _ => return (stage, None),
            }
"""
_PAST = "        self.past.push(self.now);\n"
_FLAG = """            self.now.fallen = Some(side);
            return Err(FlagFallen(side));
        }
"""
_PAY_BACK = """        if let Bonus::Bronstein(most) = stage.bonus {
            *left += used.min(most);
        }
"""
_UNDO = """        let before = self.past.pop();
        self.now = before.unwrap_or(self.now);
        before.is_some()
    }
"""
_UNDO_STUB = """        match self.past.pop() {
            Some(before) => self.restore(before),
            None => false,
        }
    }

    /// Puts the times, moves, turn and flag of an earlier state back on the clock.
    fn restore(&mut self, before: State) -> bool {
        before.fallen.is_none()
    }
"""

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "the_last_stage_comes_once": {
        CONTROL: ((_AT, _AT_ONCE),),
        CLOCK: (
            ("let (stage, to_go) = self", "let (stage, _) = self"),
            ("if to_go == Some(1) {", "if !std::ptr::eq(stage, next) {"),
        ),
    },
    "flags_stay_down": {
        CLOCK: (
            (_PAST, "        let before = self.now;\n"),
            (_FLAG, f"{_FLAG}        self.past.push(before);\n"),
        )
    },
    "increment_of_the_stage_before": {
        CLOCK: (("Bonus::Increment(increment) = next.bonus", "Bonus::Increment(increment) = stage.bonus"),)
    },
    "bronstein_is_a_delay": {
        CLOCK: (("Bonus::Delay(free) => ", "Bonus::Delay(free) | Bonus::Bronstein(free) => "), (_PAY_BACK, ""))
    },
    "undo_is_a_stub": {CLOCK: ((_UNDO, _UNDO_STUB),)},
}


def code(agent: Agent, path: str, *flaws: str) -> str:
    """Return a file of the solution, with mistakes."""
    return flawed(agent, path, (FLAWS[flaw] for flaw in flaws))


def build(agent: Agent, *flaws: str, by_shell: bool = False) -> None:
    """Write all files of the solution, with mistakes."""
    for path in (CONTROL, CLOCK, COMMAND):
        put(agent, path, code(agent, path, *flaws), by_shell=by_shell)
