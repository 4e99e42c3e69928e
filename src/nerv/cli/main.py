"""The front door of `nerv`: finds the command, and turns errors into exit codes."""

from __future__ import annotations

import errno
import os
import sys
from importlib import import_module
from typing import NoReturn

import click

import forgetest
from forgetest.errors import MachineryError, ProviderError, UserError

EXIT_GATE, EXIT_INPUT, EXIT_BUG, EXIT_INTERRUPTED, EXIT_PIPE = 1, 2, 3, 130, 141

_MENDABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM)
_COMMANDS = {
    "score": "Score a run: what it was worth, point by point.",
    "history": "Show the runs that were scored.",
    "compare": "Set two runs side by side.",
    "rubric": "Print the rubric: criteria, guides, numbers and their reasons.",
}


class _Commands(click.Group):
    """Imports a command when it is called."""

    def list_commands(self, _: click.Context) -> list[str]:
        """The commands, in the order in which people meet them."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one; for the list in `--help`, its summary will do."""
        if cmd_name not in _COMMANDS:
            return None
        if ctx.resilient_parsing or ctx.meta.get(_LISTING):
            return click.Command(cmd_name, help=_COMMANDS[cmd_name])
        command: click.Command = import_module(f"nerv.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands."""
        ctx.meta[_LISTING] = True
        super().format_commands(ctx, formatter)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command to its last written byte."""
        try:
            result: object = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError as error:
            raise _NobodyReadsError from error  # click would make it exit code 1, which is a gate's
        return result


class _NobodyReadsError(Exception):
    """Whoever read our output has seen enough."""


_LISTING = "nerv.listing"


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with `nerv benchmark score DIR --explain`.",
)
@click.version_option(forgetest.__version__, prog_name="nerv")
def cli() -> None:
    """Grade what a coding agent's run was worth.

    Exit codes: 0 done, or the run passed; 1 it did not; 2 the input is wrong; 3 a bug of ours; 130 interrupted.
    """


@cli.group(cls=_Commands)
def benchmark() -> None:
    """Score runs, look back at them, and compare them."""


def main() -> NoReturn:
    """Run the command line; the console script."""
    sys.exit(run())


def run(arguments: list[str] | None = None, prog_name: str = "nerv") -> int:
    """Run the command line; its exit code."""
    try:
        result = cli.main(args=arguments, prog_name=prog_name, standalone_mode=False)
    except click.UsageError as error:
        error.show()
        return EXIT_INPUT
    except click.ClickException as error:
        return _tell(error.format_message(), EXIT_INPUT)
    except (UserError, ProviderError) as error:
        return _tell(str(error), EXIT_INPUT)
    except MachineryError as error:
        return _tell(str(error), EXIT_BUG)
    except (KeyboardInterrupt, click.Abort):
        return _tell("interrupted; nothing was written", EXIT_INTERRUPTED)
    except _NobodyReadsError:
        # Python must not try to flush the rest
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_PIPE
    except OSError as error:
        if error.errno not in _MENDABLE:
            return _bug()
        return _tell(f"{error.filename or 'a file'}: {error.strerror}", EXIT_INPUT)
    except Exception:
        return _bug()
    return result if isinstance(result, int) else 0


def _bug() -> int:
    import traceback

    traceback.print_exc()
    return _tell("this is a bug of ours; please report it with the lines above in the issue tracker", EXIT_BUG)


def _tell(message: str, code: int) -> int:
    print(f"nerv: {message}", file=sys.stderr)
    return code
