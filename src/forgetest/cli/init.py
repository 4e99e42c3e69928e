"""`forgetest init`."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import click

from forgetest.cli.output import echo
from forgetest.config import FILENAME
from forgetest.errors import UserError

_EVAL_SET = "my-evals.toml"


@click.command("init", short_help="Write a configuration and an eval set to start from.")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default=Path())
def command(folder: Path) -> int:
    """Write forgetest.toml and a small eval set into FOLDER (default: here). Nothing is overwritten.

    \b
      forgetest init my-evals
    """
    templates = resources.files("forgetest.cli") / "templates"
    for name in (FILENAME, _EVAL_SET):
        if (folder / name).exists():
            raise UserError(f"{folder / name} exists already, and is left as it is; remove it first")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in (FILENAME, _EVAL_SET):
            # `x`: a link that leads nowhere does not exist either, and must not be written through
            with (folder / name).open("x", encoding="utf-8") as file:
                file.write((templates / name).read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{folder}: {error.strerror}") from error
    echo(f"wrote {folder / FILENAME} and {folder / _EVAL_SET}")
    echo(f"next: forgetest validate --eval-set {folder / _EVAL_SET} --solve")
    return 0
