"""Errors become exit codes and one message on standard error."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable
from types import ModuleType

import click
import pytest

from forgetest import command_line
from forgetest.command_line import Commands
from forgetest.errors import InvalidInput, MachineryError, Problem, ProviderError, UserError

INTERRUPTED = "interrupted; call it again to continue"

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Call a command line whose command `go` does what is given; its exit code, output and error output."""

    def invoke(action: Callable[[], object], *arguments: str) -> tuple[int, str, str]:
        @click.command()
        @click.option("--share", type=command_line.number(0, 1))
        def go(share: float | None) -> object:
            return action()

        module = ModuleType("commands_of_a_test.go")
        module.__dict__["command"] = go
        monkeypatch.setitem(sys.modules, module.__name__, module)
        cli = Commands("acme", package="commands_of_a_test", summaries={"go": "Go.", "get-there": "Arrive."})
        code = command_line.run(
            cli, list(arguments or ["go"]), program="acme", interrupted=INTERRUPTED, advice="; see `acme doctor`"
        )
        output = capsys.readouterr()
        return code, output.out, output.err

    return invoke


def fail_with(error: BaseException) -> Callable[[], object]:
    def fail() -> object:
        raise error

    return fail


def test_a_command_that_returns_nothing_exits_0(call: Call) -> None:
    assert call(lambda: print("done")) == (0, "done\n", "")


def test_a_command_that_returns_an_exit_code_exits_with_it(call: Call) -> None:
    assert call(lambda: command_line.EXIT_GATE) == (1, "", "")


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (UserError("set.toml: no such file"), 2, "acme: set.toml: no such file\n"),
        (ProviderError("acme/small: the key is wrong"), 2, "acme: acme/small: the key is wrong\n"),
        (click.ClickException("not possible"), 2, "acme: not possible\n"),
        (MachineryError("the sandbox failed"), 3, "acme: the sandbox failed; see `acme doctor`\n"),
        (KeyboardInterrupt(), 130, f"\nacme: {INTERRUPTED}\n"),
        (click.Abort(), 130, f"acme: {INTERRUPTED}\n"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_an_expected_error_is_one_message_and_its_exit_code(
    call: Call, error: BaseException, code: int, message: str
) -> None:
    assert call(fail_with(error)) == (code, "", message)


def test_several_problems_in_a_file_are_printed_one_per_line_without_the_name_of_the_program(call: Call) -> None:
    problems = [Problem(file="a.toml", line=line, key="id", message="missing") for line in (3, 9)]

    assert call(fail_with(InvalidInput(problems))) == (2, "", "a.toml:3: id: missing\na.toml:9: id: missing\n")


@pytest.mark.parametrize("error", [ZeroDivisionError("division by zero"), OSError(errno.EIO, "I/O error")])
def test_an_unexpected_error_is_a_bug_with_its_traceback(call: Call, error: Exception) -> None:
    code, output, errors = call(fail_with(error))

    assert (code, output) == (3, "")
    assert errors.startswith("Traceback (most recent call last):\n")
    assert f"{type(error).__name__}: {error}\nacme: this is a bug" in errors
    assert "please report it" in errors.splitlines()[-1]


def test_a_full_disk_is_the_users_to_solve_and_names_the_file(call: Call) -> None:
    code, _, errors = call(fail_with(OSError(errno.ENOSPC, "No space left on device", "report.json")))

    assert code == 2
    assert errors.startswith("acme: report.json: No space left on device; make room")


def test_a_full_disk_behind_an_open_file_is_reported_without_a_name(call: Call) -> None:
    code, _, errors = call(fail_with(OSError(errno.ENOSPC, "No space left on device")))

    assert code == 2
    assert errors.startswith("acme: writing failed: No space left on device; make room")


def test_output_that_nobody_reads_any_more_is_the_exit_code_of_a_closed_pipe_and_no_message(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with monkeypatch.context() as patch, os.fdopen(writer, "w") as output:
        patch.setattr(sys, "stdout", output)
        code, _, errors = call(lambda: print("more than anybody wants to read"))

    assert (code, errors) == (141, "")


def test_standard_output_that_was_never_open_is_no_error(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", None)
        code, _, errors = call(lambda: None)

    assert (code, errors) == (0, "")


class FullLog(io.StringIO):
    """Standard error on a full disk."""

    def write(self, _: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize(("error", "code"), [(UserError("wrong"), 2), (MachineryError("broken"), 3), (ValueError(), 3)])
def test_the_exit_code_is_right_even_if_no_message_can_be_written(
    call: Call, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", FullLog())
        found, _, _ = call(fail_with(error))

    assert found == code


def test_an_unknown_option_is_exit_code_2_with_the_usage(call: Call) -> None:
    code, _, errors = call(lambda: None, "go", "--unknown")

    assert code == 2
    assert "Usage: acme go" in errors
    assert "No such option" in errors


def test_a_misspelt_command_is_answered_with_the_nearest_one(call: Call) -> None:
    code, _, errors = call(lambda: None, "get-their")

    assert code == 2
    assert 'no such command: get-their; did you mean "get-there"?' in errors


def test_an_unknown_command_is_answered_with_all_commands(call: Call) -> None:
    code, _, errors = call(lambda: None, "something-else")

    assert code == 2
    assert "no such command: something-else; there are: go, get-there" in errors


def test_help_lists_the_commands_in_their_order_without_importing_them(call: Call) -> None:
    code, output, _ = call(lambda: None, "--help")  # there is no module for `get-there`

    assert code == 0
    assert output.index("go         Go.") < output.index("get-there  Arrive.")


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1.5", "-0.1", "much"])
def test_a_number_outside_its_limits_is_exit_code_2(call: Call, value: str) -> None:
    code, _, errors = call(lambda: None, "go", "--share", value)

    assert code == 2
    assert "Invalid value for '--share'" in errors


@pytest.mark.parametrize("value", ["0", "0.5", "1"])
def test_a_number_within_its_limits_is_accepted(call: Call, value: str) -> None:
    assert call(lambda: None, "go", "--share", value) == (0, "", "")


def test_a_lower_limit_can_be_excluded() -> None:
    positive = command_line.number(0, above_least=True)

    assert positive.convert("0.001", None, None) == 0.001
    with pytest.raises(click.BadParameter):
        positive.convert("0", None, None)
