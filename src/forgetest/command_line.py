"""The command line of `forgetest` and `nerv`: commands imported by name, errors turned into exit codes."""

from __future__ import annotations

import contextlib
import errno
import io
import keyword
import math
import os
import sys
from importlib import import_module
from typing import Any

import click

from forgetest.errors import MachineryError, ProviderError, UserError
from forgetest.files.printable import terminal_safe

EXIT_GATE, EXIT_INPUT, EXIT_BUG, EXIT_INTERRUPTED, EXIT_PIPE = 1, 2, 3, 130, 141

_FIXABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM)
"""Errors that the user can fix: no room, or no permission to write."""

_LISTING = "forgetest.listing"


class Commands(click.Group):
    """Imports a command from its module when it is called; `--help` imports none of them."""

    def __init__(self, *args: Any, package: str, summaries: dict[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._package = package
        self._summaries = summaries

    def list_commands(self, _: click.Context) -> list[str]:
        """Return the commands in the order in which people need them."""
        return list(self._summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; the list in `--help` needs only its summary."""
        if cmd_name not in self._summaries:
            return None
        if ctx.resilient_parsing or ctx.meta.get(_LISTING):
            return click.Command(cmd_name, help=self._summaries[cmd_name])
        module = f"{cmd_name}_" if keyword.iskeyword(cmd_name) else cmd_name.replace("-", "_")
        command: click.Command = import_module(f"{self._package}.{module}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands."""
        ctx.meta[_LISTING] = True
        super().format_commands(ctx, formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; if there is none of that name, suggest the one that was probably meant."""
        if args and args[0] not in self._summaries and not args[0].startswith("-"):
            from forgetest.files.schema import nearest

            guess = nearest(args[0], self._summaries)
            hint = f'; did you mean "{guess}"?' if guess else f"; there are: {', '.join(self._summaries)}"
            raise click.UsageError(f"no such command: {args[0]}{hint}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command, and flush its output."""
        try:
            result: object = super().invoke(ctx)
            if sys.stdout is not None:  # None where it was closed before we began
                sys.stdout.flush()
        except BrokenPipeError as error:
            raise _ClosedPipeError from error  # click would exit with code 1, which means a failed gate
        return result


class _ClosedPipeError(Exception):
    """The reader of our output has closed it."""


def run(cli: click.Command, arguments: list[str] | None, *, program: str, interrupted: str, advice: str = "") -> int:
    """Run a command line and return its exit code.

    `interrupted` is printed after Ctrl-C, `advice` after an error of our own machinery.
    """
    stdout = sys.stdout
    try:
        result = cli.main(args=arguments, prog_name=program, standalone_mode=False)
    except click.UsageError as error:
        return _print_usage_error(error)
    except click.ClickException as error:
        return _print_error(program, error.format_message(), EXIT_INPUT)
    except (UserError, ProviderError) as error:
        return _print_error(program, str(error), EXIT_INPUT)
    except MachineryError as error:
        return _print_error(program, f"{error}{advice}", EXIT_BUG)
    except (KeyboardInterrupt, click.Abort):
        return _print_error(program, interrupted, EXIT_INTERRUPTED)
    except _ClosedPipeError:
        return _discard_output()
    except SystemExit:
        # if the reader of its help is gone, click replaces the stream, and exits with the code of a failed gate
        if sys.stdout is stdout:
            raise
        return _discard_output()
    except OSError as error:
        if isinstance(error.__context__, KeyboardInterrupt):  # click could not end the line that shows ^C
            return _print_error(program, interrupted, EXIT_INTERRUPTED)
        if error.errno not in _FIXABLE:
            return _bug(program)
        # the error has no file name if writing to an open file failed
        place = f"{error.filename}: " if error.filename else "writing failed: "
        return _print_error(program, f"{place}{error.strerror}; make room, or allow it, and try again", EXIT_INPUT)
    except Exception:
        return _bug(program)
    return result if isinstance(result, int) else 0


def _discard_output() -> int:
    """Keep Python from flushing the rest into a closed pipe; return the exit code."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EXIT_PIPE


def _bug(program: str) -> int:
    import traceback

    _print_to_stderr(traceback.format_exc().rstrip("\n"))
    return _print_error(
        program, "this is a bug of ours; please report it with the lines above in the issue tracker", EXIT_BUG
    )


def _print_error(program: str, message: str, code: int) -> int:
    # each of several lines about the user's input begins with its own location
    prefix = "" if "\n" in message and code == EXIT_INPUT else f"{program}: "
    _print_to_stderr(f"{prefix}{message}")
    return code


def _print_usage_error(error: click.UsageError) -> int:
    shown = io.StringIO()
    error.show(file=shown)
    _print_to_stderr(shown.getvalue().rstrip("\n"))
    return EXIT_INPUT


def _print_to_stderr(text: str) -> None:
    with contextlib.suppress(OSError):  # if nothing can be printed, there is still the exit code
        print(terminal_safe(text), file=sys.stderr, flush=True)


def number(least: float, most: float | None = None, *, above_least: bool = False) -> click.FloatRange:
    """Return the type of a number within limits; click accepts NaN within any, which would pass every gate."""
    return _Number(least, most, min_open=above_least)


class _Number(click.FloatRange):
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number if it is within the limits."""
        converted = super().convert(value, param, ctx)
        if not math.isfinite(converted):
            self.fail(f"{value} is not a number that can be compared", param, ctx)
        return converted
