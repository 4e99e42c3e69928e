"""`nerv benchmark history`."""

from __future__ import annotations

import sys

import click

from forgetest.files.printable import terminal_safe_json, terminal_safe_line


@click.command("history", short_help="Show the scored runs.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Number of runs to show.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def command(limit: int, as_json: bool) -> int:
    """Show the scored runs, the latest last."""
    import msgspec

    from nerv import config
    from nerv.scorecard import history

    file = history.history_file(config.home())
    entries, bad = history.read(file, limit)
    if bad:
        print(
            f"nerv: warning: {terminal_safe_line(file)}: {bad} lines are not entries and are not shown", file=sys.stderr
        )
    if as_json:
        for entry in entries:
            print(terminal_safe_json(msgspec.json.encode(entry).decode()))
        return 0
    if not entries:
        print(f"No run was scored yet: {terminal_safe_line(file)} is empty.")
        return 0
    for row in [_HEADINGS, *(_history_row(entry) for entry in entries)]:
        print("  ".join(f"{cell:<{width}}" for cell, width in zip(row, _WIDTHS, strict=True)).rstrip())
    return 0


_HEADINGS = ("When", "Overall", "Result", "I", "W", "E", "U", "Mode", "Cycles", "Cost", "Spec", "Run")
_WIDTHS = (20, 7, 6, 3, 3, 3, 3, 10, 6, 8, 30, 0)


def _history_row(entry: dict[str, object]) -> tuple[str, ...]:
    scores = entry.get("scores")
    each = scores if isinstance(scores, dict) else {}
    keys = ("implementation_quality", "workflow_quality", "efficiency", "user_experience")
    cost = entry.get("cost_usd")
    cells = (
        str(entry.get("timestamp", ""))[:19].replace("T", " "),
        _value_or_unknown(entry.get("overall")),
        {True: "PASS", False: "FAIL"}.get(entry.get("passed") is True, ""),
        *(_value_or_unknown(each.get(key)) for key in keys),
        str(entry.get("mode", ""))[:10],
        _value_or_unknown(entry.get("cycles")),
        f"${cost:.2f}" if isinstance(cost, int | float) else "n/a",
        str(entry.get("spec", ""))[:30],
        str(entry.get("benchmark_dir", "")),
    )
    return tuple("".join(letter if letter.isprintable() else "·" for letter in cell) for cell in cells)


def _value_or_unknown(value: object) -> str:
    return "n/a" if value is None else str(value)
