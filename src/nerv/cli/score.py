"""`nerv benchmark score`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from forgetest.command_line import EXIT_GATE, number
from forgetest.errors import UserError
from forgetest.files.printable import terminal_safe, terminal_safe_json
from nerv.cli.options import json_option
from nerv.finding import LEVELS, Finding, FindingLevel
from nerv.readers import RunSource
from nerv.score import GradingOptions, ScoredRun
from nerv.scorecard import Scorecard

_FORMATS = ("text", "json", "html")


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputOptions:
    """Options of the command line itself: format, files and history."""

    format: str = "text"
    explain: bool = False
    file: Path | None = None
    """None: stdout."""
    report: bool = True
    """Write score-report.json into the results folder, or next to the log."""
    history: bool = True
    fail_on_finding: FindingLevel | None = None
    """The weakest level of a finding that makes the command fail."""


class _Threshold(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A score, kept exactly as written, so that no rounding error decides."""

    name = "score"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Fraction:
        """Convert the text to an exact number."""
        try:
            threshold = Fraction(str(value).strip())
        except (ValueError, ZeroDivisionError):
            self.fail(f"{value!r} is not a number", param, ctx)
        if not 1 <= threshold <= 10:
            self.fail(f"{value} is not between 1 and 10", param, ctx)
        return threshold


@click.command("score", short_help="Score a run, criterion by criterion.")
@click.argument("path", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--spec", type=click.Path(path_type=Path), help="The spec of what was to be built.  [default: DIR/spec.md]"
)
@click.option(
    "--repo", "repository", type=click.Path(path_type=Path), help="The git repository that the run worked on."
)
@click.option("--base", metavar="REV", help="The commit of --repo at which the run began.")
@click.option("--diff", type=click.Path(path_type=Path), help="A patch of the result, if DIR has none.")
@click.option(
    "--verify/--no-verify",
    default=None,
    help="Run the repository's tests in the sandbox, on base and result.  [default: if there is a repository]",
)
@click.option("--tests", metavar="CMD", help="Acceptance tests: a command that is run in the result, in the sandbox.")
@click.option(
    "--tests-dir",
    "tests_folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Files of the acceptance tests, at /tests in the sandbox.",
)
@click.option(
    "--test-timeout",
    "test_timeout_s",
    type=number(1),
    default=300.0,
    show_default=True,
    metavar="SECONDS",
    help="CPU time that one run of the tests may take. If all take longer, only those about the change are run.",
)
@click.option(
    "--mutants",
    type=click.IntRange(0, 200),
    default=10,
    show_default=True,
    help="The most small changes to the new code that the tests should notice, tried in the sandbox; 0: none.",
)
@click.option("--threshold", type=_Threshold(), default="7", show_default=True, help="The lowest score that passes.")
@click.option(
    "--fail-on-finding",
    type=click.Choice(LEVELS),
    help="Exit with 1 if there is a finding of this level or a stronger one.",
)
@click.option("--explain", is_flag=True, help="Explain each category: reasons, evidence and its location.")
@click.option("--format", type=click.Choice(_FORMATS), default="text", show_default=True)
@json_option("Short for --format json.")
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="Write to this file instead of stdout.")
@click.option("--no-report", is_flag=True, help="Do not write score-report.json; --output implies it.")
@click.option("--no-history", is_flag=True, help="Do not add a line to the history.")
@click.option("--no-visual", is_flag=True, hidden=True, help="Accepted and ignored: nothing visual is graded.")
@click.option(
    "--grade-claude", is_flag=True, help="Short for --grader claude: `claude --print` judges, one call per category."
)
@click.option("--grader", metavar="PROVIDER/MODEL", help="Let a model of a configured provider judge.")
@click.option(
    "--prd", type=click.Path(path_type=Path), help="Workflow rules for the judge, instead of the built-in ones."
)
@click.option(
    "--trust-judge",
    is_flag=True,
    help="Let the judge decide the exit code, although it is not calibrated; otherwise the rules do.",
)
@click.option(
    "--votes",
    type=click.IntRange(1, 25),
    default=1,
    show_default=True,
    help="Ask the judge each question this often, and take the median.",
)
@click.option(
    "--judge-timeout",
    "timeout_s",
    type=number(1),
    default=300.0,
    show_default=True,
    metavar="SECONDS",
    help="Time limit for one answer of a judge.",
)
@click.option(
    "--judge-budget",
    "budget",
    type=click.IntRange(min=4_000),
    default=120_000,
    show_default=True,
    metavar="CHARACTERS",
    help="Limit of the material in one question to a judge.",
)
def command(**given: Any) -> int:
    """Score a run: a results folder of nerv, or the log of a coding agent.

    Logs of Claude Code, SWE-agent, mini-swe-agent, OpenHands, Harbor, Terminal-Bench, Codex, Gemini, Cursor, opencode
    and Aider are recognised by their content (docs/agent-logs.md); FILE#RUN names one of several runs in a file.

    Writes score-report.json into the results folder (for a log: LOG.score-report.json next to it), unless --output or
    --no-report is given, and adds a line to ~/.nerv/benchmarks/history.jsonl. The exit code is 0 if the overall score
    reaches the threshold, otherwise 1; with --fail-on-finding also if there is such a finding.

    \b
      nerv benchmark score test-results/benchmark-20260101/ --explain
      nerv benchmark score session.jsonl --spec prompt.md --repo . --base main~3
      nerv benchmark score DIR --grade-claude --format html --output run.html
    """
    from nerv import score

    source, grading, output = run_source(given), grading_options(given), output_options(given)
    scored = score.score(source, grading, say)
    if output.report:
        score.write_report(scored, source, say)
    content = _encode_scorecard(scored, output)  # before this run is part of the history that a page shows
    if output.history:
        score.add_to_history(scored, source, say)
    _write(content, output.file)
    if _has_finding(scored.report.findings, output.fail_on_finding):
        return EXIT_GATE
    code, verification = exit_code(scored.report.deciding), scored.report.verification
    if code == 0 and grading.tests and verification is not None and verification.accepted is None:
        reason = verification.acceptance_problem
        raise UserError(f"--tests: the acceptance tests were not run, so the run is not accepted: {reason}")
    return code


def run_source(given: Mapping[str, Any]) -> RunSource:
    """Return the run to score among the parsed parameters."""
    return RunSource(**{field.name: given[field.name] for field in fields(RunSource)})


def grading_options(given: Mapping[str, Any]) -> GradingOptions:
    """Return the options of grading among the parsed parameters."""
    if given["grade_claude"] and given["grader"]:
        raise click.UsageError("--grade-claude and --grader exclude each other: there is one judge")
    grader = "claude" if given["grade_claude"] else given["grader"]
    if given["prd"] and not grader:
        raise click.UsageError("--prd is for a judge: use it with --grade-claude or --grader")
    if given["votes"] > 1 and not grader:
        raise click.UsageError("--votes is for a judge: use it with --grade-claude or --grader")
    if given["trust_judge"] and not grader:
        raise click.UsageError("--trust-judge is for a judge: use it with --grade-claude or --grader")
    if given["verify"] is False and given["tests"]:
        raise click.UsageError("--no-verify and --tests exclude each other")
    if given["tests"] is not None and not given["tests"].strip():  # an empty variable of a script, maybe
        raise click.UsageError("--tests names no command; every result would pass it")
    if given["tests_folder"] and not given["tests"]:
        raise click.UsageError("--tests-dir is for acceptance tests: use it with --tests CMD")
    chosen = {**given, "grader": grader}
    return GradingOptions(**{field.name: chosen[field.name] for field in fields(GradingOptions)})


def output_options(given: Mapping[str, Any]) -> OutputOptions:
    """Return the options of the output among the parsed parameters."""
    if given["as_json"] and given["format"] == "html":
        raise click.UsageError("--json and --format html exclude each other")
    return OutputOptions(
        format="json" if given["as_json"] else given["format"],
        explain=given["explain"],
        file=given["output"],
        report=not given["no_report"] and given["output"] is None,
        history=not given["no_history"],
        fail_on_finding=given["fail_on_finding"],
    )


def exit_code(card: Scorecard) -> int:
    """Return 0 if the run passed, otherwise 1."""
    return 0 if card.passed else EXIT_GATE


def _has_finding(findings: Sequence[Finding], level: FindingLevel | None) -> bool:
    """Return whether there is a finding of this level or a stronger one; say so if there is."""
    found = [each for each in findings if level is not None and LEVELS.index(each.level) >= LEVELS.index(level)]
    if found:
        count = f"{len(found)} findings" if len(found) > 1 else "a finding"
        say(f"failed because of {count} of level {level} or above (--fail-on-finding): {found[0].text}")
    return bool(found)


def say(message: str) -> None:
    """Print a warning or notice to stderr."""
    print(terminal_safe(f"nerv: {message}"), file=sys.stderr)


def _write(content: bytes, file: Path | None) -> None:
    if file is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    from forgetest.files import atomic

    try:
        atomic.write_bytes(file, content, sync=True)
    except OSError as error:
        raise UserError(f"{file}: cannot be written: {error.strerror}; choose another --output") from error


def _encode_scorecard(scored: ScoredRun, output: OutputOptions) -> bytes:
    if output.format == "json":
        from nerv.scorecard import score_report

        return terminal_safe_json(score_report.encode(scored.report).decode()).encode()
    if output.format == "html":
        from nerv.renderers.page import page
        from nerv.score import earlier_scores

        return page(scored.report, scored.facts, earlier_scores(scored, say)).encode("utf-8", "replace")
    from nerv import config
    from nerv.renderers.text import card_text

    text = terminal_safe(card_text(scored.report, explain=output.explain))
    if output.file is None and sys.stdout.isatty() and config.wants_colour():
        text = _coloured(text)
    return text.encode("utf-8", "replace")


def _coloured(text: str) -> str:
    """Colour the headline and the result; the text stays the same."""
    text = text.replace("Result: PASS", f"Result: {click.style('PASS', fg='green', bold=True)}")
    text = text.replace("Result: FAIL", f"Result: {click.style('FAIL', fg='red', bold=True)}")
    return text.replace("  NERV Benchmark Scores", f"  {click.style('NERV Benchmark Scores', bold=True)}")
