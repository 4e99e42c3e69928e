"""Scores of a calibration that has not ended, so that the same command goes on where it was interrupted.

One file for each gold file, grader and setting, with a line for each run. A run whose log, spec or patch has changed
since then is scored again.
"""

from __future__ import annotations

import contextlib
import hashlib
from fractions import Fraction
from pathlib import Path

import msgspec

from forgetest.errors import ForgetestError
from forgetest.version import __version__
from nerv.calibration.scored import RunScore
from nerv.judge.trust import rubric_version
from nerv.readers import RunSource, main_file
from nerv.score import GradingOptions


class _Line(msgspec.Struct):
    run: str
    exact: str
    categories: dict[str, int | None]
    answered_by: tuple[str, ...]


class KeptScores:
    """The scores that are known already."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._known: dict[str, RunScore] = {}
        with contextlib.suppress(OSError):
            for line in file.read_bytes().split(b"\n"):
                # a line may be cut off where the program was killed
                with contextlib.suppress(msgspec.DecodeError, ValueError, ZeroDivisionError):
                    self._read(msgspec.json.decode(line, type=_Line))

    def _read(self, line: _Line) -> None:
        self._known[line.run] = RunScore(
            exact=Fraction(line.exact), categories=line.categories, answered_by=line.answered_by
        )

    def __len__(self) -> int:
        return len(self._known)

    def get(self, source: RunSource) -> RunScore | None:
        """Return the score of a run, if it is known and its files have not changed."""
        return self._known.get(_digest_of_run(source))

    def keep(self, source: RunSource, score: RunScore) -> None:
        """Add the score of a run. If that is not possible, the run is scored again next time."""
        run = _digest_of_run(source)
        line = _Line(run=run, exact=str(score.exact), categories=dict(score.categories), answered_by=score.answered_by)
        self._known[run] = score
        with contextlib.suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self.file.open("ab") as stream:
                stream.write(b"\n" + msgspec.json.encode(line))

    def discard(self) -> None:
        """Delete the file: the calibration has ended."""
        with contextlib.suppress(OSError):
            self.file.unlink(missing_ok=True)


def kept_scores(home: Path, gold: Path, grading: GradingOptions) -> KeptScores:
    """Return the scores that an earlier call with this gold file, grader and version left."""
    setting = (str(gold.resolve()), grading.grader, grading.verify, grading.mutants, rubric_version(), __version__)
    digest = hashlib.sha256(msgspec.json.encode(setting)).hexdigest()[:16]
    return KeptScores(home / "benchmarks" / f"calibration-{digest}.jsonl")


def _digest_of_run(source: RunSource) -> str:
    log = source.path
    with contextlib.suppress(ForgetestError, OSError):
        log = main_file(source.path)
    files = [(str(path), *_state(path)) for path in (log, source.spec, source.diff) if path is not None]
    found = (str(source.path), str(source.repository), source.base, files)
    return hashlib.sha256(msgspec.json.encode(found)).hexdigest()[:32]


def _state(file: Path) -> tuple[int, int]:
    try:
        state = file.stat()
    except OSError:
        return 0, 0
    return state.st_size, state.st_mtime_ns
