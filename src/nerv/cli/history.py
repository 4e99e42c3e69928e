"""`nerv benchmark history`."""

from __future__ import annotations

import sys

import click

from forgetest.files.printable import terminal_safe_json, terminal_safe_line
from nerv.cli.options import json_option
from nerv.scorecard.history import HistoryLine


@click.command("history", short_help="Show the scored runs.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Number of runs to show.")
@json_option("Print one JSON object per line.")
def command(limit: int, as_json: bool) -> int:
    """Show the scored runs, the latest last."""
    import msgspec

    from nerv import config
    from nerv.scorecard import history

    file = history.history_file(config.home())
    entries, bad = history.read(file, limit)
    if bad:
        skipped = "1 line is no entry and is" if bad == 1 else f"{bad} lines are no entries and are"
        print(f"nerv: warning: {terminal_safe_line(file)}: {skipped} not shown", file=sys.stderr)
    if as_json:
        for entry in entries:
            print(terminal_safe_json(msgspec.json.encode(entry).decode()))
        return 0
    if not entries:
        print(f"No run was scored yet: {terminal_safe_line(file)} is empty.")
        return 0
    for row in [_HEADINGS, *(_history_row(history.parse_line(entry)) for entry in entries)]:
        print("  ".join(f"{cell:<{width}}" for cell, width in zip(row, _WIDTHS, strict=True)).rstrip())
    return 0


_HEADINGS = ("When", "Overall", "Result", "I", "W", "E", "U", "Mode", "Cycles", "Cost", "Spec", "Run")
_WIDTHS = (20, 7, 6, 3, 3, 3, 3, 10, 6, 8, 30, 0)


def _history_row(line: HistoryLine) -> tuple[str, ...]:
    cells = (
        line.timestamp[:19].replace("T", " "),
        _value_or_unknown(line.overall),
        {True: "PASS", False: "FAIL", None: "n/a"}[line.passed],
        *(_value_or_unknown(score) for score in line.scores),
        line.mode[:10],
        _value_or_unknown(line.cycles),
        f"${line.cost_usd:.2f}" if line.cost_usd is not None else "n/a",
        line.spec[:30],
        line.run,
    )
    return tuple("".join(letter if letter.isprintable() else "·" for letter in cell) for cell in cells)


def _value_or_unknown(value: object) -> str:
    return "n/a" if value is None else str(value)
