"""`forgetest cache`."""

from __future__ import annotations

from pathlib import Path

import click

from forgetest import config
from forgetest.cli.output import echo
from forgetest.engine.asking import response_cache
from forgetest.engine.judging import verdict_cache
from forgetest.renderers.model_table import counted


@click.group("cache", short_help="Show or prune cached verdicts and answers.")
def command() -> None:
    """Show or prune the caches of verdicts and answers.

    The same code for the same case, under the same compiler, is judged once: its raw verdict is cached. The same
    request to a model is made once, if `run` allows it: its answer is cached. `cache_mb` and `answers_mb` in
    forgetest.toml, or FORGETEST_CACHE_MB and FORGETEST_ANSWERS_MB, limit their sizes.
    """


@command.command("info", short_help="Show where verdicts, answers and models are cached, and their size.")
def info() -> None:
    """Show where verdicts, answers and downloaded models are cached, how many, and their size.

    A model's folder can be deleted; it is downloaded again when it is needed.

    \b
      forgetest cache info
    """
    settings = config.load()
    verdicts, kept = verdict_cache.contents(config.cache_folder()), response_cache.contents(config.answers_folder())
    echo(f"file        {verdicts.path}")
    echo(f"verdicts    {verdicts.verdicts}")
    echo(f"size        {_megabytes_text(verdicts.bytes)} of at most {settings.cache_mb} MB")
    echo()
    echo(f"folder      {kept.folder}")
    echo(f"answers     {kept.answers}")
    echo(f"size        {_megabytes_text(kept.bytes)} of at most {settings.answers_mb} MB")
    models, size = _downloaded_models(config.models_folder())
    echo()
    echo(f"folder      {config.models_folder()}")
    echo(f"models      {', '.join(models) or 'none'}")
    echo(f"size        {_megabytes_text(size)}")


@command.command("prune", short_help="Delete the least recently used verdicts and answers.")
@click.option(
    "--max-mb", type=click.IntRange(0), metavar="N", help="Size to which verdicts are pruned. Default: as configured."
)
@click.option("--max-answers-mb", type=click.IntRange(0), metavar="N", help="The same for answers.")
def prune(max_mb: int | None, max_answers_mb: int | None) -> None:
    """Delete the least recently used verdicts and answers until the rest fits. Runs do this automatically.

    \b
      forgetest cache prune --max-mb 100
    """
    settings = config.load()
    verdicts, kept = verdict_cache.contents(config.cache_folder()), response_cache.contents(config.answers_folder())
    verdict_cache.prune(config.cache_folder(), 1_000_000 * (settings.cache_mb if max_mb is None else max_mb))
    response_cache.prune(
        config.answers_folder(), 1_000_000 * (settings.answers_mb if max_answers_mb is None else max_answers_mb)
    )
    _print_verdicts(verdicts)
    _print_answers(kept)


@command.command("clear", short_help="Delete every verdict; with --answers, every answer.")
@click.option("--answers", "answers_too", is_flag=True, help="Also delete answers; they must be paid for again.")
def clear(answers_too: bool) -> None:
    """Delete every cached verdict. Journals and reports are not affected.

    \b
      forgetest cache clear
      forgetest cache clear --answers
    """
    verdicts = verdict_cache.contents(config.cache_folder())
    verdict_cache.clear(config.cache_folder())
    _print_verdicts(verdicts)
    kept = response_cache.contents(config.answers_folder())
    if answers_too:
        response_cache.clear(config.answers_folder())
    _print_answers(kept)


def _downloaded_models(folder: Path) -> tuple[list[str], int]:
    """Return the names of the models that were downloaded, and the size of all files there."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    names = {file.relative_to(folder).parts[0] for file in files if file.parent != folder}
    return sorted(names), sum(file.stat().st_size for file in files)


def _print_verdicts(before: verdict_cache.VerdictCacheContents) -> None:
    after = verdict_cache.contents(config.cache_folder())
    _print_deleted("verdict", before.verdicts, after.verdicts, after.bytes)


def _print_answers(before: response_cache.ResponseCacheContents) -> None:
    after = response_cache.contents(config.answers_folder())
    _print_deleted("answer", before.answers, after.answers, after.bytes)


def _print_deleted(what: str, before: int, after: int, size: int) -> None:
    echo(f"{counted(max(0, before - after), what)} deleted, {after} left ({_megabytes_text(size)})")


def _megabytes_text(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB"
