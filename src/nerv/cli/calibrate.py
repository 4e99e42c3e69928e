"""`nerv benchmark calibrate`."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from forgetest.command_line import EXIT_GATE, EXIT_INPUT, EXIT_INTERRUPTED, number
from forgetest.errors import UserError
from forgetest.files.printable import terminal_safe, terminal_safe_json
from nerv import config
from nerv.cli.score import say

if TYPE_CHECKING:
    from nerv.calibration.agreement import Agreement
    from nerv.calibration.calibrate import Calibration
    from nerv.judge.trust import JudgeAgreement

_BETWEEN_LINES_S = 60


@click.command("calibrate", short_help="Measure how well scores agree with known outcomes.")
@click.argument("gold", metavar="GOLD.jsonl", type=click.Path(path_type=Path))
@click.option("--grader", metavar="JUDGE", help="Calibrate a judge: `claude`, or provider/model. Default: the rules.")
@click.option(
    "--verify/--no-verify",
    default=None,
    help="Run each repository's tests in the sandbox.  [default: where a line names a repository]",
)
@click.option("--min-auc", type=number(0, 1), metavar="A", help="Exit with 1 if the overall AUC is below this.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON, with the score of every run.")
def command(gold: Path, grader: str | None, verify: bool | None, min_auc: float | None, as_json: bool) -> int:
    """Score runs whose outcome is known, and print how well the scores agree with it.

    A judge's agreement (--grader) is kept in ~/.nerv/benchmarks/judges.json: a judge that agrees well enough may decide
    the exit code of `score`. Until the end, scores are kept there too: if it is interrupted, the same command goes on.

    Each line of GOLD.jsonl names a run and its outcome: `resolved` (true or false, by tests that the run did not see),
    or a person's `score` (1 to 10), or `scores` by category. With `honest` (false: tests were tampered with, or the
    answer was copied), a second figure counts only results as good that are right and honestly obtained, and that one
    decides. `spec`, `repo`, `base` and `diff` are the options of
    `score`. Paths are relative to the file.

    \b
      {"run": "runs/1/", "resolved": true}
      {"run": "logs/2.traj", "resolved": false, "score": 3}
      {"run": "logs/3.jsonl", "resolved": true, "honest": false}

    AUC is the chance that a resolved run has a higher score than an unresolved one: 0.5 is a coin, 1 is perfect.
    """
    import msgspec

    from nerv.calibration import calibrate
    from nerv.calibration.gold import read_gold
    from nerv.calibration.kept_scores import kept_scores
    from nerv.judge.model_judge import JudgeUnavailableError
    from nerv.score import GradingOptions

    grading = GradingOptions(grader=grader, verify=verify, trust_judge=True)
    runs = read_gold(gold)
    is_mock = config.mock_mode()
    kept = None if is_mock else kept_scores(config.home(), gold, grading)
    if kept:
        say(f"notice: {len(kept)} scores are those of an earlier call; to score these runs again, delete {kept.file}")
    progress = _Progress()
    try:
        found = calibrate.calibrate(runs, grading, progress.say, progress.show, kept)
    except (KeyboardInterrupt, JudgeUnavailableError) as error:
        progress.clear()
        going_on = f"; {len(kept)} scores are kept, and the same command goes on from there" if kept else ""
        if isinstance(error, KeyboardInterrupt):
            say(f"interrupted{going_on}")
            return EXIT_INTERRUPTED
        say(str(error).replace("; nothing was written", going_on))
        return EXIT_INPUT
    if grader is not None and not is_mock:
        _keep(calibrate.judge_agreement(found, _now()))
    if as_json:
        encoded = msgspec.json.encode(calibrate.document(found))
        print(terminal_safe_json(msgspec.json.format(encoded, indent=2).decode()))
    else:
        print(terminal_safe("\n".join(_text(found))))
    if kept is not None:
        kept.discard()
    if all(run.score is None for run in found.runs):
        raise UserError(f"{gold}: none of its runs could be scored; the reason of each is given above")
    overall = found.deciding
    if min_auc is not None and (overall is None or overall.value is None or overall.value < min_auc):
        return EXIT_GATE
    return 0


class _Progress:
    """The number of scored runs: one line of a terminal, or a line a minute."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._told = time.monotonic()

    def show(self, done: int, total: int) -> None:
        """Show how many runs have been scored."""
        if self._is_terminal:
            self.clear()
            print(f"{done}/{total}", end="\n" if done == total else "", file=sys.stderr, flush=True)
        elif time.monotonic() - self._told >= _BETWEEN_LINES_S and done < total:
            self._told = time.monotonic()
            say(f"{done} of {total} runs are scored")

    def say(self, message: str) -> None:
        """Print a warning or notice on a line of its own."""
        self.clear()
        say(message)

    def clear(self) -> None:
        """Remove the line of a terminal."""
        if self._is_terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _keep(found: JudgeAgreement) -> None:
    """Keep a judge's agreement, and say whether the judge may decide from now on."""
    from nerv.judge import trust

    if not found.runs and not found.people:
        say("notice: nothing was kept of this judge, as no run was scored")
        return
    try:
        file = trust.keep_agreement(config.home(), found)
    except OSError as error:
        say(f"warning: the judge's agreement was not kept: {error.strerror}")
        return
    reason = trust.distrust(found.judge, found.answered_by, found)
    say(f"notice: kept in {file}; " + (f"the rules still decide, as {reason}" if reason else "this judge may decide"))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _text(found: Calibration) -> Iterator[str]:
    scored = [run for run in found.runs if run.score is not None]
    yield f"Grader: {found.grader}    Runs: {len(scored)} of {len(found.runs)} scored"
    for run in found.runs:
        if run.score is None:
            yield f"  left out: {run.run.name}: {run.reason}"
    if found.outcomes:
        resolved = sum(run.run.resolved is True for run in scored)
        unresolved = sum(run.run.resolved is False for run in scored)
        yield ""
        yield f"Resolved against unresolved ({resolved} and {unresolved})    {_of_auc(resolved, unresolved)}"
        for key, value in found.outcomes.items():
            yield f"  {key:<24} {_figure(value)}"
    if found.acceptable:
        good = sum(run.run.acceptable is True for run in scored)
        others = sum(run.run.acceptable is False for run in scored)
        yield ""
        yield f"Resolved and honestly obtained against all others ({good} and {others})    {_of_auc(good, others)}"
        for key, value in found.acceptable.items():
            yield f"  {key:<24} {_figure(value)}"
    for key, statistics in found.scores.items():
        yield ""
        yield f"People's scores: {key}"
        for name, value in statistics.items():
            yield f"  {name.replace('_', ' '):<24} {_figure(value)}"


def _of_auc(good: int, others: int) -> str:
    return "AUC, 95% interval" if good and others else "AUC: not known, as all runs have the same outcome"


def _figure(found: Agreement) -> str:
    if found.value is None:
        return "n/a"
    if found.low is None or found.high is None:
        return _two_digits(found.value)
    return f"{_two_digits(found.value)}  ({_two_digits(found.low)} to {_two_digits(found.high)})"


def _two_digits(value: float) -> str:
    return f"{round(value, 2) + 0.0:.2f}"  # 0.00 for what rounds to -0.00
