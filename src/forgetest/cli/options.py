"""Options shared by several commands, and the parsing of their values."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

from forgetest import plugins
from forgetest.cli.output import say
from forgetest.config import ExecutorSettings
from forgetest.errors import UserError
from forgetest.files.printable import printable
from forgetest.sample import DEFAULT_MAX_SAMPLE_SIZE

_NO_SANDBOX = "none"

MOST_SAMPLES = 100_000
"""Per case: more is surely a typo, and the plan would not fit into memory."""

_Command = TypeVar("_Command", bound=Callable[..., object])


def sandbox_option(command: _Command) -> _Command:
    """Add `--sandbox`."""
    return click.option(
        "--sandbox",
        default="bubblewrap",
        show_default=True,
        metavar="KIND",
        help="The sandbox: bubblewrap, landlock (needs no namespaces, guarantees less), podman or docker (slower), "
        "or a plugin's.",
    )(command)


def sandbox_options(command: _Command) -> _Command:
    """Add `--sandbox` and `--unsafe-no-sandbox`, for commands that judge."""
    unsafe = click.option(
        "--unsafe-no-sandbox",
        is_flag=True,
        help="Run samples with all your rights, including your files and the network; the report is marked.",
    )
    return sandbox_option(unsafe(command))


def choose_sandbox(kind: str, *, unsafe: bool) -> str:
    """Return the kind of sandbox to use. Running without one takes an option of its own."""
    if unsafe:
        say(
            "warning: --unsafe-no-sandbox: samples run as ordinary processes, which can read, change and delete your "
            "files, read your keys, and use the network. The report is marked `sandbox: none`"
        )
        return _NO_SANDBOX
    if kind == _NO_SANDBOX:
        raise UserError("--sandbox none: samples would run with all your rights; if that is meant: --unsafe-no-sandbox")
    return kind


def config_option(command: _Command) -> _Command:
    """Add `--config`."""
    return click.option(
        "--config",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Configuration to use. Default: the nearest forgetest.toml, from the working directory upward.",
    )(command)


def executor_option(command: _Command) -> _Command:
    """Add `--executor` and `--ray-address`; the command calls `choose_executor`."""
    command = click.option(
        "--ray-address", metavar="ADDRESS", help="Judge on this Ray cluster. With --executor ray alone: a local one."
    )(command)
    return click.option(
        "--executor",
        metavar="NAME",
        help="Where samples are judged: local, ray, or an installed plugin. Default: as configured, or local.",
    )(command)


def choose_executor(executor: str | None, ray_address: str | None) -> str | ExecutorSettings | None:
    """Return the executor that the options ask for; None: the configured one."""
    if ray_address is None:
        return executor
    if executor not in (None, "ray"):
        raise UserError(f"--ray-address: the executor is {executor}; leave out --executor, or give ray")
    return ExecutorSettings(type="ray", options={"address": ray_address})


def sharing_option(command: _Command) -> _Command:
    """Add `--no-sharing` and `--confirm-failures`, for commands that judge many samples."""
    command = click.option(
        "--confirm-failures",
        is_flag=True,
        help="Judge every sample that failed in a shared call again alone. By default, a random few.",
    )(command)
    return click.option(
        "--no-sharing",
        is_flag=True,
        help="Give each sample its own compiler call. By default, samples that the language keeps apart share calls.",
    )(command)


def max_sample_size_option(command: _Command) -> _Command:
    """Add `--max-sample-size`, for commands that judge answers of models."""
    return click.option(
        "--max-sample-size",
        type=click.IntRange(1),
        metavar="BYTES",
        help=f"Longest answer that is judged; a longer one scores 0. Default: {DEFAULT_MAX_SAMPLE_SIZE}.",
    )(command)


def format_option(command: _Command) -> _Command:
    """Add `--format`, for commands that write reports."""
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
    """Parse `--format`: comma-separated names, or `all`. JSON is always included, because `compare` reads it."""
    known = plugins.names("renderers")
    names = known if value == "all" else read_list(ctx, parameter, value)
    for name in names:
        if name not in known:
            raise click.BadParameter(f"{name} is none of {', '.join(known)}, all")
    return tuple(dict.fromkeys(["json", *names]))


def read_numbers(_: click.Context, __: click.Parameter, value: str) -> tuple[int, ...]:
    """Parse `--pass-k`: comma-separated whole numbers from 1 up."""
    try:
        numbers = sorted({int(part) for part in value.split(",")})
    except ValueError:
        raise click.BadParameter(f"{value!r} is not like 1,5,10") from None
    if numbers[0] < 1:
        raise click.BadParameter("k counts from 1")
    if numbers[-1] > MOST_SAMPLES:
        raise click.BadParameter(f"{numbers[-1]} samples per case are more than {MOST_SAMPLES}")
    return tuple(numbers)


def read_list(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    """Parse comma-separated values."""
    named = tuple(part.strip() for part in (value or "").split(",") if part.strip())
    if value is not None and not named:  # for example from an unset variable; not the same as no option
        raise click.BadParameter("names nothing; leave the option out, or give it a value")
    if value is not None and value != printable(value):
        raise click.BadParameter("not UTF-8")
    return named
