"""`forgetest cache`."""

from __future__ import annotations

import click

from forgetest import config
from forgetest.engine import cache
from forgetest.renderers.columns import counted


@click.group("cache", short_help="Show or shorten what is kept of earlier verdicts.")
def command() -> None:
    """Show or shorten what is kept of earlier verdicts.

    The same code for the same case, under the same compiler, is judged once: its raw verdict is kept. `cache_mb`
    in forgetest.toml, or FORGETEST_CACHE_MB, says how much room that may take.
    """


@command.command("info", short_help="Show where verdicts are kept, how many, and what they take.")
def info() -> None:
    """Show where verdicts are kept, how many, and what they take.

    \b
      forgetest cache info
    """
    found, allowed = cache.contents(config.cache_folder()), config.load().cache_mb
    click.echo(f"file        {found.path}")
    click.echo(f"verdicts    {found.verdicts}")
    click.echo(f"size        {_megabytes(found.bytes)} of at most {allowed} MB")


@command.command("prune", short_help="Delete the verdicts that were used longest ago.")
@click.option("--max-mb", type=click.IntRange(0), metavar="N", help="What may stay. Without: what is configured.")
def prune(max_mb: int | None) -> None:
    """Delete the verdicts that were used longest ago, until the rest fits. Runs do so by themselves.

    \b
      forgetest cache prune --max-mb 100
    """
    limit = config.load().cache_mb if max_mb is None else max_mb
    before = cache.contents(config.cache_folder())
    cache.prune(config.cache_folder(), limit * 1_000_000)
    _tell(before)


@command.command("clear", short_help="Delete every verdict.")
def clear() -> None:
    """Delete every verdict. Journals and reports have their own, and stay as they are.

    \b
      forgetest cache clear
    """
    before = cache.contents(config.cache_folder())
    cache.clear(config.cache_folder())
    _tell(before)


def _tell(before: cache.Contents) -> None:
    after = cache.contents(config.cache_folder())
    deleted = counted(max(0, before.verdicts - after.verdicts), "verdict")
    click.echo(f"{deleted} deleted, {after.verdicts} left ({_megabytes(after.bytes)})")


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB"
