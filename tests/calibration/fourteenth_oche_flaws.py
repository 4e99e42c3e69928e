"""Mistakes in the darts of the fourteenth held-out part, as replacements in the files of the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.agent import Agent
from calibration.solutions import flawed, put, replaced
from calibration.task import Replacements

LEG, CHECKOUT, MAIN = "leg.go", "checkout.go", "cmd/oche/main.go"

_THROWN_ON = """		if (won || bust) && i < len(darts)-1 {
			return false, fmt.Errorf("%s has thrown on after %s", now.player, texts[i])
		}
		if won {
			l.winner = now.player
		}
"""
_THROWN_ON_LENIENT = """		if (won || bust) && i < len(darts)-1 && strict() {
			return false, fmt.Errorf("%s has thrown on after %s", now.player, texts[i])
		}
		if won {
			l.winner = now.player
		}
		if won || bust {
			now.darts = i + 1
			break
		}
"""
_SCORED = """	if !bust {
		now.points = now.before - left
		l.left[now.player] = left
	}
"""
_LAST_DART_ONLY = """	if bust {
		left += darts[len(darts)-1].Points()
	}
	now.points = now.before - left
	l.left[now.player] = left
"""
_AVERAGES = """	if coach {
		for _, player := range args[1:] {
			fmt.Fprintf(out, "%s averages %.2f\\n", player, leg.Average(player))
		}
	}
"""
_STEP = """		step := visit
		if text == "undo" {
			step = undo
		}
		if err := step("""
_UNDO_LINE = """func undo(leg *oche.Leg, _ string, out io.Writer) error {
	if !leg.Undo() {
		return errors.New("nothing to take back")
	}
	fmt.Fprintf(out, "%s back at %d\\n", leg.Player(), leg.Left(leg.Player()))
	return nil
}

"""
_SKIPS_BULL = """		if dart == bull && !withBull {
			continue
		}
"""
FLAWS: Mapping[str, tuple[str, Replacements]] = {
    "bull_on_the_way": (
        CHECKOUT,
        (
            (_SKIPS_BULL, ""),
            ("score(points-dart.Points(), darts-1, withBull)", "score(points-dart.Points(), darts-1)"),
            ("score(left-last.Points(), darts-1, withBull)", "score(left-last.Points(), darts-1)"),
            ("func score(points, darts int, withBull bool)", "func score(points, darts int)"),
        ),
    ),
    "doubles_before_trebles": (CHECKOUT, (("[]int{1, 3, 2}", "[]int{1, 2, 3}"),)),
    "last_dart_only": (LEG, ((_SCORED, _LAST_DART_ONLY),)),
    "winner_stays": (LEG, (('	l.winner = ""\n', ""),)),
    "lenient": (LEG, ((_THROWN_ON, _THROWN_ON_LENIENT),)),
    "only_hints": (MAIN, ((_AVERAGES, ""), (_STEP, "		if err := visit("), (_UNDO_LINE, ""))),
}


def code(agent: Agent, path: str, *flaws: str) -> str:
    """Return a file of the solution, with those of the mistakes that are in it."""
    return flawed(agent, path, ({file: pairs} for file, pairs in map(FLAWS.__getitem__, flaws)))


def build(agent: Agent, *flaws: str, by_shell: bool = False) -> None:
    """Write all files of the solution, with mistakes."""
    for path in (LEG, CHECKOUT, MAIN):
        put(agent, path, code(agent, path, *flaws), by_shell=by_shell)


def write_test(agent: Agent, path: str, *changes: tuple[str, str], by_shell: bool = False) -> None:
    """Write one of the good tests, with changes."""
    put(agent, path, replaced(agent.task.trees["tests"][path], *changes), by_shell=by_shell)
