"""`forgetest schema`."""

from __future__ import annotations

import json

import click

from forgetest import schemas
from forgetest.evalset_keys import json_schema

_SCHEMAS = {"report": schemas.report, "comparison": schemas.comparison, "eval-set": json_schema}


@click.command("schema", short_help="Print the JSON Schema of a file format.")
@click.argument("name", type=click.Choice(list(_SCHEMAS)))
def command(name: str) -> int:
    """Print the JSON Schema of reports, of comparisons (`compare --format json`), or of eval sets.

    \b
      forgetest schema report > report.schema.json
    """
    click.echo(json.dumps(_SCHEMAS[name](), indent=2))
    return 0
