"""Solutions of tasks as an agent writes them: right, or with one of the mistakes of the later held-out parts."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping

from calibration import (
    eighth_kitty_flaws,
    eighth_league_flaws,
    eighth_lending_flaws,
    eighth_metro_flaws,
    fifth_flaws,
    fourth_flaws,
    ninth_carpark_flaws,
    ninth_dice_flaws,
    ninth_garage_flaws,
    ninth_knit_flaws,
    seventh_flaws,
    sixth_flaws,
    tenth_parcel_flaws,
    tenth_rota_flaws,
    tenth_seats_flaws,
    tenth_tides_flaws,
    third_flaws,
)
from calibration.agent import Agent
from calibration.behaviour import CODE_FILES
from calibration.task import Replacements, Task

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    **third_flaws.FLAWS,
    **fourth_flaws.FLAWS,
    **fifth_flaws.FLAWS,
    **sixth_flaws.FLAWS,
    **seventh_flaws.FLAWS,
    **eighth_league_flaws.FLAWS,
    **eighth_kitty_flaws.FLAWS,
    **eighth_lending_flaws.FLAWS,
    **eighth_metro_flaws.FLAWS,
    **ninth_carpark_flaws.FLAWS,
    **ninth_dice_flaws.FLAWS,
    **ninth_garage_flaws.FLAWS,
    **ninth_knit_flaws.FLAWS,
    **tenth_parcel_flaws.FLAWS,
    **tenth_tides_flaws.FLAWS,
    **tenth_seats_flaws.FLAWS,
    **tenth_rota_flaws.FLAWS,
}


def code(task: Task, flaw: str = "") -> str:
    """Return the right code of a task, or the code with a mistake."""
    text = task.trees["solution"][CODE_FILES[task.name]]
    for old, new in FLAWS[task.name][flaw] if flaw else ():
        assert text.count(old) == 1, f"{task.name}: {flaw}: {old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    return text


def replaced(text: str, *changes: tuple[str, str]) -> str:
    """Return a text with pieces replaced, each of which is there once."""
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    return text


def flawed(agent: Agent, path: str, flaws: Iterable[Mapping[str, Replacements]]) -> str:
    """Return a file of the solution with mistakes, each of which has replacements by path."""
    return replaced(agent.task.trees["solution"][path], *(pair for flaw in flaws for pair in flaw.get(path, ())))


def implement(agent: Agent, flaw: str = "", *, by_shell: bool = False) -> None:
    """Write the code, right or with a mistake."""
    put(agent, CODE_FILES[agent.task.name], code(agent.task, flaw), by_shell=by_shell)


def put(agent: Agent, path: str, text: str, *, by_shell: bool = False) -> None:
    """Write a file with the agent's tool, or in the shell."""
    if by_shell:
        agent.run(f"cat > {shlex.quote(path)} <<'EOF'\n{text}EOF")
    else:
        agent.write(path, text)


def write_tests(agent: Agent, *without: str, by_shell: bool = False) -> None:
    """Write the tests of the tree `tests`, without some pieces of them."""
    for path, text in agent.task.trees["tests"].items():
        for piece in without:
            assert text.count(piece) == 1, f"{path}: {piece!r} is there {text.count(piece)} times"
            text = text.replace(piece, "")
        put(agent, path, text, by_shell=by_shell)


def function(text: str, start: str, end: str = "\n}\n") -> str:
    """Return the piece of a text from `start` through the next `end`."""
    first = text.index(start)
    return text[first : text.index(end, first) + len(end)]
