"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

_F = TypeVar("_F", bound=Callable[..., Any])

JSON_BEFORE_COMMAND = "nerv.json_before_command"
"""Key in the context's meta data: `nerv benchmark --json score DIR`, as nerv's own command accepts it."""


def json_option(text: str) -> Callable[[_F], _F]:
    """Return the option --json, which may also stand before the command."""

    def also_before(context: click.Context, _: click.Parameter, value: bool) -> bool:
        return value or bool(context.meta.get(JSON_BEFORE_COMMAND))

    return click.option("--json", "as_json", is_flag=True, callback=also_before, help=text)
