"""Options that several commands have, and how their values are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

from forgetest import plugins
from forgetest.files.printable import legible

MOST_SAMPLES = 100_000
"""Of one case: what is more is a slip, and its plan would not fit into memory."""

_Command = TypeVar("_Command", bound=Callable[..., object])


def sandbox_option(command: _Command) -> _Command:
    """`--sandbox`, for commands that look at one."""
    return click.option(
        "--sandbox",
        default="bubblewrap",
        show_default=True,
        metavar="KIND",
        help="What holds samples back: bubblewrap, landlock (no namespaces needed, promises less), podman, docker "
        "(slower), or a plugin's.",
    )(command)


def sandbox_options(command: _Command) -> _Command:
    """`--sandbox`, and how to do without, for commands that judge."""
    unsafe = click.option(
        "--unsafe-no-sandbox",
        is_flag=True,
        help="Run samples with all your rights, network and files in their reach; the report says so.",
    )
    return sandbox_option(unsafe(command))


def sharing_option(command: _Command) -> _Command:
    """`--no-sharing`, for commands that judge many samples."""
    return click.option(
        "--no-sharing",
        is_flag=True,
        help="Judge each sample by itself. Otherwise samples that the language keeps apart share compiler calls.",
    )(command)


def format_option(command: _Command) -> _Command:
    """`--format`, for commands that write reports."""
    return click.option(
        "--format",
        "formats",
        default="json",
        show_default=True,
        callback=read_formats,
        metavar="F,…",
        help="Reports to write: json, html, sarif, junit, markdown, csv, or all.",
    )(command)


def read_formats(ctx: click.Context, parameter: click.Parameter, value: str) -> tuple[str, ...]:
    """`--format`: names, comma-separated, or `all`. JSON is always among them: `compare` reads it."""
    known = plugins.names("renderers")
    names = known if value == "all" else read_list(ctx, parameter, value)
    for name in names:
        if name not in known:
            raise click.BadParameter(f"{name} is none of {', '.join(known)}, all")
    return tuple(dict.fromkeys(["json", *names]))


def read_numbers(_: click.Context, __: click.Parameter, value: str) -> tuple[int, ...]:
    """`--pass-k`: whole numbers from 1 up, comma-separated."""
    try:
        numbers = sorted({int(part) for part in value.split(",")})
    except ValueError:
        raise click.BadParameter(f"{value!r} is not like 1,5,10") from None
    if numbers[0] < 1:
        raise click.BadParameter("k counts from 1")
    if numbers[-1] > MOST_SAMPLES:
        raise click.BadParameter(f"{numbers[-1]} samples a case are more than {MOST_SAMPLES}")
    return tuple(numbers)


def read_list(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    """Values that are given comma-separated."""
    named = tuple(part.strip() for part in (value or "").split(",") if part.strip())
    if value is not None and not named:  # as from a variable that is not set: not the same as no option
        raise click.BadParameter("names nothing; leave the option out, or give it a value")
    if value is not None and value != legible(value):
        raise click.BadParameter("not UTF-8")
    return named
