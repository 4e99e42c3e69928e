"""What the front doors of `forgetest` and `nerv` share: commands found by name, errors turned into exit codes."""

from __future__ import annotations

import contextlib
import errno
import math
import os
import sys
from importlib import import_module
from typing import Any

import click

from forgetest.errors import MachineryError, ProviderError, UserError

EXIT_GATE, EXIT_INPUT, EXIT_BUG, EXIT_INTERRUPTED, EXIT_PIPE = 1, 2, 3, 130, 141

_MENDABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM)
"""What a user can mend: no room, or no right to write."""

_LISTING = "forgetest.listing"


class Commands(click.Group):
    """Imports a command from its module in a package when it is called: `--help` needs none of them."""

    def __init__(self, *args: Any, package: str, summaries: dict[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._package = package
        self._summaries = summaries

    def list_commands(self, _: click.Context) -> list[str]:
        """The commands, in the order in which people meet them."""
        return list(self._summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one; for the list in `--help`, its summary will do."""
        if cmd_name not in self._summaries:
            return None
        if ctx.resilient_parsing or ctx.meta.get(_LISTING):
            return click.Command(cmd_name, help=self._summaries[cmd_name])
        command: click.Command = import_module(f"{self._package}.{cmd_name.replace('-', '_')}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands."""
        ctx.meta[_LISTING] = True
        super().format_commands(ctx, formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; where there is none of that name, say which was probably meant."""
        if args and args[0] not in self._summaries and not args[0].startswith("-"):
            from forgetest.files.schema import nearest

            guess = nearest(args[0], self._summaries)
            hint = f'; did you mean "{guess}"?' if guess else f"; there are: {', '.join(self._summaries)}"
            raise click.UsageError(f"no such command: {args[0]}{hint}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command to its last written byte."""
        try:
            result: object = super().invoke(ctx)
            if sys.stdout is not None:  # None where it was closed before we began
                sys.stdout.flush()
        except BrokenPipeError as error:
            raise _NobodyReadsError from error  # click would make it exit code 1, which is a gate's
        return result


class _NobodyReadsError(Exception):
    """Whoever read our output has seen enough."""


def run(cli: click.Group, arguments: list[str] | None, *, program: str, interrupted: str, advice: str = "") -> int:
    """Run a command line; its exit code. What a person needs to know after a Ctrl-C, or of our machinery, is told."""
    try:
        result = cli.main(args=arguments, prog_name=program, standalone_mode=False)
    except click.UsageError as error:
        error.show()
        return EXIT_INPUT
    except click.ClickException as error:
        return _tell(program, error.format_message(), EXIT_INPUT)
    except (UserError, ProviderError) as error:
        return _tell(program, str(error), EXIT_INPUT)
    except MachineryError as error:
        return _tell(program, f"{error}{advice}", EXIT_BUG)
    except (KeyboardInterrupt, click.Abort):
        return _tell(program, interrupted, EXIT_INTERRUPTED)
    except _NobodyReadsError:
        # Python must not try to flush the rest
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_PIPE
    except OSError as error:
        if error.errno not in _MENDABLE:
            return _bug(program)
        # Python names no file where writing to one that is open fails
        place = f"{error.filename}: " if error.filename else "writing failed: "
        return _tell(program, f"{place}{error.strerror}; make room, or allow it, and try again", EXIT_INPUT)
    except Exception:
        return _bug(program)
    return result if isinstance(result, int) else 0


def _bug(program: str) -> int:
    import traceback

    with contextlib.suppress(OSError):
        traceback.print_exc()
    return _tell(program, "this is a bug of ours; please report it with the lines above in the issue tracker", EXIT_BUG)


def _tell(program: str, message: str, code: int) -> int:
    # several lines about the user's input each begin with their own place
    prefix = "" if "\n" in message and code == EXIT_INPUT else f"{program}: "
    with contextlib.suppress(OSError):  # where nothing can be said, the exit code still tells
        print(f"{prefix}{message}", file=sys.stderr, flush=True)
    return code


def number(least: float, most: float | None = None, *, above_least: bool = False) -> click.FloatRange:
    """An option's number within limits; NaN lies within any as click sees it, and would open every gate."""
    return _Number(least, most, min_open=above_least)


class _Number(click.FloatRange):
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, if it is one and within the limits."""
        converted = super().convert(value, param, ctx)
        if not math.isfinite(converted):
            self.fail(f"{value} is not a number that can be compared", param, ctx)
        return converted
