"""`forgetest merge`."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

import click

from forgetest.cli.options import format_option
from forgetest.cli.output import say, show, write_reports
from forgetest.engine import journal as journal_lines
from forgetest.engine.run_folder import RUN_FILENAME, RunFolder
from forgetest.errors import UserError
from forgetest.loading import load_eval_sets
from forgetest.renderers.model_table import counted
from forgetest.report import Report


@click.command("merge", short_help="Combine the reports or journals of several shards.")
@click.argument("shards", metavar="SHARD...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="The folder to write; it must not exist yet, or be empty.",
)
@format_option
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but warnings and errors.")
def command(shards: Sequence[Path], output: Path, formats: Sequence[str], quiet: bool) -> int:
    """Combine the reports or journals of several shards: other cases, other models, or further attempts.

    A SHARD is a run's folder or a report. If all are folders with journals, the journals are merged, finished or
    not, and the result is a run's folder like any other; otherwise the reports are. All must have been run under the
    same conditions. Results that shards have in common count once; if they differ, nothing is written.

    \b
      forgetest merge shard-1/latest shard-2/latest --output whole
      forgetest merge a/report.json b/report.json --output whole --format json,html
    """
    if output.exists() and any(output.iterdir()):
        raise UserError(f"{output}: is not empty; choose another --output")
    if len({path.resolve() for path in shards}) < len(shards):
        raise UserError("one shard is given twice")
    folders = [path.parent if path.name == journal_lines.FILENAME else path for path in shards]
    if all((folder / journal_lines.FILENAME).exists() and (folder / RUN_FILENAME).exists() for folder in folders):
        _merge_journals(folders, output, formats, quiet=quiet)
    else:
        _merge_reports(shards, output, formats, quiet=quiet)
    return 0


def _merge_journals(folders: Sequence[Path], output: Path, formats: Sequence[str], *, quiet: bool) -> None:
    from forgetest.engine.merge import merged_journals

    with merged_journals(folders, RunFolder(path=output), functools.partial(load_eval_sets, announce=say)) as report:
        _write_merged(report, output, formats, f"{counted(len(folders), 'journal')} merged", quiet=quiet)


def _merge_reports(shards: Sequence[Path], output: Path, formats: Sequence[str], *, quiet: bool) -> None:
    from forgetest.report.merge import Shard, merge
    from forgetest.report.read import read_report

    report = merge([Shard(name=str(path), report=read_report(path)) for path in shards])
    output.mkdir(parents=True, exist_ok=True)
    _write_merged(report, output, formats, f"{counted(len(shards), 'report')} merged", quiet=quiet)


def _write_merged(report: Report, output: Path, formats: Sequence[str], message: str, *, quiet: bool) -> None:
    paths = write_reports(report, output, formats)
    if not quiet:
        say(message)
        show(report, paths)
