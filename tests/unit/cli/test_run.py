from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import click
import pytest

from forgetest import evaluation
from forgetest.cli import run
from forgetest.cli.options import choose_sandbox
from forgetest.cli.run import OutputOptions, check_gates, output_options, run_options
from forgetest.errors import UserError
from forgetest.evaluation import RunOptions
from specimens import a_report, a_sample, a_verdict


def parse(*arguments: str) -> dict[str, Any]:
    """The parameters that click parses from a command line."""
    context: click.Context = run.command.make_context("run", ["--eval-set", "quickstart", *arguments])
    return context.params


def test_without_options_a_run_has_the_defaults_of_the_python_api() -> None:
    assert run_options(parse()) == RunOptions(eval_sets=("quickstart",))
    assert output_options(parse()) == OutputOptions()


def test_options_of_the_command_line_become_run_options() -> None:
    given = parse(
        *("--models", "a/b,c/d", "--pass-k", "1,5", "--samples", "7", "--temperature", "0.5", "--seed", "3"),
        *("--stop", "END", "--filter", "x,y", "--case", "add", "--since", "2024-05-31", "--no-cache", "--recheck", "2"),
        *("--no-sharing", "--confirm-failures", "--max-sample-size", "5000"),
        *("--executor", "processes", "--config", "other.toml", "--output", "there", "--fresh", "--batch"),
    )

    assert run_options(given) == RunOptions(
        eval_sets=("quickstart",),
        models=("a/b", "c/d"),
        pass_k=(1, 5),
        samples=7,
        temperature=0.5,
        seed=3,
        stop=("END",),
        tags=("x", "y"),
        case_ids=("add",),
        since="2024-05-31",
        cache=False,
        sharing=False,
        confirm_failures=True,
        max_sample_size=5000,
        recheck=2,
        executor="processes",
        config=Path("other.toml"),
        output=Path("there"),
        fresh=True,
        batch=True,
    )


def test_every_run_option_is_a_keyword_of_the_python_api() -> None:
    assert list(inspect.signature(evaluation.run).parameters) == list(inspect.signature(RunOptions).parameters)
    with pytest.raises(TypeError, match="modles"):
        evaluation.run(["quickstart"], modles=["acme/small"])  # type: ignore[call-arg]


def test_output_options_are_those_of_the_command_line() -> None:
    given = parse("--format", "csv", "--plots", "--quiet", "--json", "--fail-under", "0.5", "--fail-on-unjudged")

    assert output_options(given) == OutputOptions(
        formats=("json", "csv"), plots=True, quiet=True, as_json=True, fail_under=0.5, fail_on_unjudged=True
    )


def test_no_sandbox_takes_an_option_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UserError, match="--unsafe-no-sandbox"):
        choose_sandbox("none", unsafe=False)
    assert choose_sandbox("landlock", unsafe=False) == "landlock"
    assert capsys.readouterr().err == ""
    assert choose_sandbox("bubblewrap", unsafe=True) == "none"
    assert "can read, change and delete your files" in capsys.readouterr().err


def test_a_mean_score_below_the_gate_fails(capsys: pytest.CaptureFixture[str]) -> None:
    report = a_report([a_sample(), a_sample(attempt=2, verdict=a_verdict(compiled=False))])

    assert check_gates(report, OutputOptions(fail_under=0.5)) == 0
    assert capsys.readouterr().err == ""
    assert check_gates(report, OutputOptions(fail_under=0.6)) == 1
    assert capsys.readouterr().err == "acme/small: mean score 0.500 is below --fail-under 0.6\n"


def test_unjudged_samples_are_a_warning_or_a_gate(capsys: pytest.CaptureFixture[str]) -> None:
    unjudged = {"outcome": "unjudged", "score": None, "correct": None, "code": None}
    report = a_report([a_sample(), *(a_sample(attempt=n, reason="no credit left", **unjudged) for n in (2, 3))])

    assert check_gates(report, OutputOptions()) == 0
    warning = "warning: acme/small: 2 of 3 samples could not be judged: no credit left\n"
    assert capsys.readouterr().err == warning
    assert check_gates(report, OutputOptions(fail_on_unjudged=True)) == 1
