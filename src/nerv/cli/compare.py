"""`nerv benchmark compare`."""

from __future__ import annotations

from pathlib import Path

import click

from forgetest.files.printable import printable, terminal_safe, terminal_safe_json
from nerv.cli.options import json_option
from nerv.cli.score import say


@click.command("compare", short_help="Compare two runs.")
@click.argument("first", metavar="DIR1", type=click.Path(path_type=Path))
@click.argument("second", metavar="DIR2", type=click.Path(path_type=Path))
@click.option(
    "--spec",
    type=click.Path(path_type=Path),
    help="The spec of what was to be built.  [default: the spec.md of each folder]",
)
@click.option(
    "--verify/--no-verify",
    default=None,
    help="Run the tests of `repo/` in the sandbox, on base and result.  [default: if there is a repository]",
)
@json_option("Print the comparison as JSON.")
def command(first: Path, second: Path, spec: Path | None, verify: bool | None, as_json: bool) -> int:
    """Score two runs by the rules and show where they differ. Writes nothing."""
    import msgspec

    from nerv import score
    from nerv.readers import RunSource
    from nerv.renderers import comparison

    cards = [
        score.score(RunSource(path=path, spec=spec), score.GradingOptions(verify=verify), say).report.card
        for path in (first, second)
    ]
    found = comparison.compare(cards[0], cards[1])
    if as_json:
        document = comparison.document(found, printable(first), printable(second))
        print(terminal_safe_json(msgspec.json.format(msgspec.json.encode(document), indent=2).decode()))
    else:
        print(terminal_safe(comparison.text(found, printable(first), printable(second))), end="")
    return 0
