"""Mistakes in the projects of the third held-out part, as replacements in the right solution."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from calibration.agent import Agent
from calibration.behaviour import CODE_FILES
from calibration.task import Task

Replacements = tuple[tuple[str, str], ...]

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "throttle": {
        # breaks a test of the base
        "edge": (("+ self._period <= now", "+ self._period < now"),),
        "waits_for_the_oldest_call": (
            (
                "            free += spent\n            wait = since + self._period - now\n",
                "            wait = since + self._period - now\n            break\n",
            ),
        ),
        "remembers_everybody": (
            ("        if calls is not None and not calls:\n            del self._calls[client]\n", ""),
            ("        now = self._now()\n        for client in list(self._calls):\n", ""),
            ("            self._forget_old_calls(client, now)\n        return len", "        return len"),
        ),
    },
    "mailer": {
        # breaks a test of the base
        "zero_is_nothing": (('value === undefined || value === null ? "" : String(value)', 'String(value || "")'),),
        "inherited_names": (("Object.hasOwn(value, name)", "name in value"),),
        "empty_array_is_something": (
            (
                'return elements.length === 0 ? fill(node.body, scopes) : "";',
                'return value ? "" : fill(node.body, scopes);',
            ),
        ),
        "loses_the_outside": (("[...scopes, element]", "[element]"),),
    },
    "jobs": {
        # breaks a test of the base
        "upside_down": (("return b[i].priority < b[j].priority", "return b[i].priority > b[j].priority"),),
        "keeps_its_place": (
            ("moved.priority, moved.arrival = priority, q.nextArrival()", "moved.priority = priority"),
        ),
        "in_any_order": (("return b[i].arrival < b[j].arrival", "return b[i].name < b[j].name"),),
        "moves_nothing": (("	heap.Fix(&q.heap, moved.index)\n", ""),),
    },
    "amounts": {
        # breaks a test of the base
        "nothing_is_invalid": (("return Err(ParseError::Empty)", "return Err(ParseError::Invalid)"),),
        "not_the_smallest": (("cents.unsigned_abs()", "cents.abs()"),),
        "rest_to_the_first": (("if index < left.abs() { share + left.signum() }", "if index == 0 { share + left }"),),
    },
    "cronline": {
        # breaks a test of the base
        "weeks_begin_on_monday": (("moment.isoweekday() % 7 in", "moment.weekday() in"),),
        "both_days": (('    either_day = texts[2] != "*" and texts[4] != "*"\n', "    either_day = False\n"),),
        "its_own_next": ((" + timedelta(minutes=1)\n    times", "\n    times"),),
    },
}


def code(task: Task, flaw: str = "") -> str:
    """Return the right code of a task, or the code with a mistake."""
    text = task.trees["solution"][CODE_FILES[task.name]]
    for old, new in FLAWS[task.name][flaw] if flaw else ():
        assert text.count(old) == 1, f"{task.name}: {flaw}: {old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    return text


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
