"""`forgetest import`."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from forgetest.cli.output import echo, say
from forgetest.datasets import eval_set_files, imports
from forgetest.datasets.imports import AUTO, Imported, sample_files
from forgetest.errors import UserError
from forgetest.files.printable import printable, terminal_safe_line
from forgetest.renderers.model_table import counted


@click.command("import", short_help="Turn a data set of the field into an eval set.")
@click.argument("words", metavar="[FORMAT] FILE", nargs=-1, required=True)
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, metavar="SET.toml", help="The eval set to write."
)
@click.option(
    "--samples",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write the solutions that the data holds, right and wrong, for `run --samples-from`.",
)
@click.option("--id", "set_id", metavar="ID", help="Id of the eval set. Default: the name of FILE.")
@click.option("--language", metavar="NAME", help="The language of tasks that can be solved in any. Default: python.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N cases.")
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="CPU time of each test. Default: the limit of the data set's own evaluator.",
)
@click.option("--force", is_flag=True, help="Replace files that are there already.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but warnings and errors.")
def command(
    words: Sequence[str],
    out: Path,
    samples: Path | None,
    set_id: str | None,
    language: str | None,
    limit: int | None,
    timeout: float | None,
    force: bool,
    quiet: bool,
) -> int:
    """Turn a data set of the field into an eval set.

    FILE is the data set as it is published: JSON lines or a JSON list, optionally .gz; for Exercism, a folder. FORMAT
    is recognised where it is left out: {formats}. Nothing in the file is executed. Canonical solutions become reference
    solutions: `forgetest validate --solve` shows that the import is right. Samples and results that are no JSON lines
    become a file for `run --samples-from`: {sample_formats}.

    \b
      forgetest import HumanEval.jsonl.gz --out humaneval.toml
      forgetest import evalplus HumanEvalPlus-Mini.jsonl.gz --out humaneval-plus.toml
      forgetest validate --eval-set humaneval.toml --solve
    """
    if len(words) > 2:
        raise UserError(f"{' '.join(words[2:])}: too many words; write: forgetest import [FORMAT] FILE --out SET.toml")
    if len(words) == 1 and words[0] in (*imports.FORMATS, *sample_files.FORMATS) and not Path(words[0]).exists():
        raise UserError(f"the file is missing: forgetest import {words[0]} FILE --out SET.toml")
    path = Path(words[-1])
    of_samples = words[0] if words[0] in sample_files.FORMATS else len(words) == 1 and sample_files.recognise(path)
    if of_samples:
        given = {"--samples": samples, "--id": set_id, "--language": language, "--limit": limit, "--timeout": timeout}
        _refuse_options_of_sets(of_samples, [name for name, value in given.items() if value is not None])
        return _import_samples(path, of_samples, out, force=force, quiet=quiet)
    found = imports.read(path, words[0] if len(words) == 2 else AUTO, language=language, limit=limit)
    tasks = found.tasks
    if not tasks:
        reasons = "; ".join(f"{count}: {reason}" for reason, count in found.left_out.items())
        raise UserError(f"{path}: no case that can be judged here ({reasons})")
    header = _header(found, path, set_id, timeout)
    lines = _sample_lines(found) if samples is not None else []
    if samples is not None:
        if not lines:
            raise UserError(f"{path}: holds no solutions, so nothing to write to {samples}: leave --samples out")
        eval_set_files.refuse_existing([samples], force=force)
    written = eval_set_files.write(out, header, [task.case for task in tasks], force=force)
    if samples is not None:
        eval_set_files.write_lines(samples, lines)
        written.append(samples)
    for reason, count in found.left_out.items():
        say(f"warning: {counted(count, 'row')} left out: {reason}")
    if not quiet:
        _tell(found, len(tasks), sum("reference_solution" in task.case for task in tasks), written)
    return 0


def _sample_lines(found: Imported) -> list[str]:
    """Return the solutions that the data holds, as recorded samples."""
    return [
        json.dumps({"case_id": task.case["id"], "model": f"{found.format.name}/{each.model}", each.kind: each.text})
        for task in found.tasks
        for each in task.solutions
    ]


def _refuse_options_of_sets(format_name: str, given: Sequence[str]) -> None:
    if given:
        names = ", ".join(given)
        raise UserError(f"{format_name} is a form of samples, and {names} only applies to eval sets: leave it out")


def _import_samples(path: Path, format_name: str, out: Path, *, force: bool, quiet: bool) -> int:
    if out.suffix != ".jsonl":
        raise UserError(f"{out}: samples are written as JSON lines; name it .jsonl")
    lines = [json.dumps(sample) for sample in sample_files.read(path, format_name)]
    eval_set_files.refuse_existing([out], force=force)
    eval_set_files.write_lines(out, lines)
    if not quiet:
        echo(f"{format_name}: {counted(len(lines), 'sample')}")
        echo(f"wrote {terminal_safe_line(out)}")
        echo(f"next: forgetest run --eval-set SET --samples-from {terminal_safe_line(out)}")
    return 0


def _header(found: Imported, path: Path, set_id: str | None, timeout: float | None) -> dict[str, Any]:
    name = printable(re.sub(r"\.(jsonl?|gz)(?=\.|$)", "", path.resolve().name)) or found.format.name
    return {
        "id": set_id or name.lower(),
        "name": name,
        "description": f"{found.format.title}; imported by forgetest from {printable(path.name)}",
        "default_language": "python",
        "default_timeout_secs": timeout or found.format.timeout_secs,
        # the field counts tests, and neither style nor what merely compiles
        "weights": {"compilation": 0.0, "tests": 1.0, "clippy": 0.0},
    }


def _tell(found: Imported, cases: int, solved: int, written: Sequence[Path]) -> None:
    echo(f"{found.format.name}: {counted(cases, 'case')}, {solved} with a reference solution")
    for path in written:
        echo(f"wrote {terminal_safe_line(path)}")
    if solved:
        echo(f"next: forgetest validate --eval-set {terminal_safe_line(written[0])} --solve")


command.help = (
    (command.help or "")
    .replace("{formats}", ", ".join(imports.FORMATS))
    .replace("{sample_formats}", ", ".join(sample_files.FORMATS))
)
