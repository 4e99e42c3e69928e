"""The front door: finds the command, and turns errors into exit codes."""

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

_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM)
"""What a user can mend: no room, or no right to write."""

_COMMANDS = {
    "run": "Ask models for code, judge it, and report.",
    "compare": "Compare two reports; fail on a regression.",
    "validate": "Check eval sets, and their reference solutions.",
    "merge": "Put the reports or journals of several shards together.",
    "regrade": "Judge a run's answers again, without asking a model.",
    "init": "Write a configuration and an eval set to start from.",
    "list-models": "Show the models that can be asked.",
    "cache": "Show or shorten what is kept of earlier verdicts.",
    "schema": "Print the JSON Schema of a file format.",
    "doctor": "Show what is installed, what the sandbox holds back, and what is missing.",
}


class _Commands(click.Group):
    """Imports a command when it is called: `--help` needs none of them."""

    def list_commands(self, _: click.Context) -> list[str]:
        """The commands, in the order in which people meet them."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one; for the list in `--help`, its summary will do."""
        if cmd_name not in _COMMANDS:
            return None
        if ctx.resilient_parsing or ctx.meta.get(_LISTING):
            return click.Command(cmd_name, help=_COMMANDS[cmd_name])
        module = import_module(f"forgetest.cli.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands."""
        ctx.meta[_LISTING] = True
        super().format_commands(ctx, formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; where there is none of that name, say which was probably meant."""
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            from forgetest.key_table import nearest

            guess = nearest(args[0], _COMMANDS)
            hint = f'; did you mean "{guess}"?' if guess else f"; there are: {', '.join(_COMMANDS)}"
            raise click.UsageError(f"no such command: {args[0]}{hint}", ctx)
        return super().resolve_command(ctx, args)

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


_LISTING = "forgetest.listing"


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with `forgetest run --eval-set quickstart --pass-k 1,3 --temperature 0.8`; "
    "`forgetest COMMAND --help` says more about each.",
)
@click.version_option(forgetest.__version__, prog_name="forgetest")
def cli() -> None:
    """Grade LLM-written code: compile, test and lint it in a sandbox, and score it honestly.

    Exit codes: 0 done; 1 the gate said no; 2 the input is wrong; 3 a bug of ours; 130 interrupted.
    """


def main() -> NoReturn:
    """Run the command line; the console script."""
    sys.exit(_run())


def _run() -> int:
    try:
        result = cli.main(prog_name="forgetest", standalone_mode=False)
    except click.UsageError as error:
        error.show()
        return EXIT_INPUT
    except click.ClickException as error:
        return _tell(error.format_message(), EXIT_INPUT)
    except (UserError, ProviderError) as error:
        return _tell(str(error), EXIT_INPUT)
    except MachineryError as error:
        return _tell(f"{error}\n`forgetest doctor` shows what this machine is missing.", EXIT_BUG)
    except (KeyboardInterrupt, click.Abort):
        return _tell("interrupted; the same command goes on where it was", EXIT_INTERRUPTED)
    except _NobodyReadsError:
        # Python must not try to flush the rest
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_PIPE
    except OSError as error:
        if error.errno not in _DISK:
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
    prefix = "" if "\n" in message and code == EXIT_INPUT else "forgetest: "
    print(f"{prefix}{message}", file=sys.stderr)
    return code
