"""`forgetest export`."""

from __future__ import annotations

from pathlib import Path

import click

from forgetest.cli.output import echo, say
from forgetest.datasets import exports
from forgetest.errors import UserError
from forgetest.files.printable import terminal_safe_line
from forgetest.files.schema import nearest
from forgetest.renderers.model_table import counted
from forgetest.report.read import read_content


@click.command("export", short_help="Write a report's samples or results as other tools read them.")
@click.argument("format_name", metavar="FORMAT")
@click.argument("report", metavar="REPORT", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    metavar="PATH",
    help="The file, or for MultiPL-E the folder.",
)
@click.option("--model", metavar="P/M", help="The model, where the report has several.")
@click.option("--eval-set", metavar="ID", help="Only this eval set.")
@click.option("--force", is_flag=True, help="Replace files that are there already.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but warnings and errors.")
def command(
    format_name: str, report: Path, out: Path, model: str | None, eval_set: str | None, force: bool, quiet: bool
) -> int:
    """Write a report's samples or results as other tools read them.

    REPORT is a report, or the folder of a run. FORMAT is one of {formats}; inspect needs the package inspect-ai.
    Samples that could not be judged have no result, so results leave them out.

    \b
      forgetest export humaneval-results forgetest-results/latest --out samples.jsonl_results.jsonl
      forgetest export inspect forgetest-results/latest --out run.eval
    """
    if format_name not in exports.FORMATS:
        guess = nearest(format_name, exports.FORMATS)
        advice = f'did you mean "{guess}"?' if guess else f"there are: {', '.join(exports.FORMATS)}"
        raise UserError(f"unknown format {format_name}; {advice}")
    selection = exports.select(read_content(report), model, eval_set)
    written = exports.write(format_name, selection, out, force=force)
    unjudged = sum(sample.outcome == "unjudged" for sample, _ in selection.samples())
    if unjudged and not format_name.endswith("-samples"):
        say(f"warning: {counted(unjudged, 'sample')} could not be judged and has no result")
    if not quiet:
        for path in written:
            echo(f"wrote {terminal_safe_line(path)}")
    return 0


command.help = (command.help or "").replace("{formats}", ", ".join(exports.FORMATS))
