"""`nerv benchmark rubric`."""

from __future__ import annotations

import click


@click.command("rubric", short_help="Print the rubric: criteria, scoring guides, and the reason for each number.")
def command() -> int:
    """Print the rubric: what each criterion looks at, what earns which score, and the reason for each number."""
    from nerv.rubric import rubric_text

    print(rubric_text())
    return 0
