"""`forgetest schema`."""

from __future__ import annotations

import click

from forgetest.auditing import json_schema as audit_schema
from forgetest.cli.output import echo_json
from forgetest.evalset import keys
from forgetest.report import json_schema

_SCHEMAS = {
    "report": json_schema.report,
    "comparison": json_schema.comparison,
    "eval-set": keys.json_schema,
    "audit": audit_schema.schema,
}


@click.command("schema", short_help="Print the JSON Schema of a file format.")
@click.argument("name", type=click.Choice(list(_SCHEMAS)))
def command(name: str) -> int:
    """Print the JSON Schema of reports, of comparisons (`compare --format json`), of eval sets, or of audits.

    \b
      forgetest schema report > report.schema.json
    """
    print_schema(name)
    return 0


def print_schema(name: str) -> None:
    """Print the schema of a format; `validate --schema` prints that of eval sets."""
    echo_json(_SCHEMAS[name]())
