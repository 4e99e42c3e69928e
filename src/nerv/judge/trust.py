"""Trust in a judge: its measured agreement with known outcomes, kept in nerv's own folder.

A judge decides an exit code only if its scores were compared with outcomes that are known, with the same model and the
same questions, and agreed well enough. `nerv benchmark calibrate GOLD.jsonl --grader JUDGE` measures and keeps that.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import msgspec

from forgetest.files import atomic
from nerv.judge import tricks
from nerv.judge.prompt import ANSWER, SYSTEM, UNMET
from nerv.rubric import WEIGHTS, guide_text
from nerv.scorecard import CATEGORIES

FORMAT_VERSION = 1
LEAST_RUNS = 20
"""Fewer runs say too little about a judge."""
LEAST_OF_EACH = 5
"""Fewer runs of one outcome say as little, however many there are of the other."""
LEAST_AUC = 0.8
LEAST_KAPPA = 0.6

_FILE = "judges.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAgreement:
    """How well one judge agreed with a gold file."""

    judge: str
    """`claude`, or `provider/model`."""
    answered_by: tuple[str, ...]
    """The models that answered, by their real names."""
    rubric: str
    """Version of the questions."""
    created_at: str
    runs: int
    """Runs with a known outcome that have a score."""
    auc: float | None
    rarer: int | None = None
    """Runs of the outcome that fewer of them have; None in an older record."""
    people: int = 0
    """Runs with a person's score."""
    weighted_kappa: float | None = None


class _Record(msgspec.Struct, forbid_unknown_fields=False):
    format_version: int
    judges: dict[str, JudgeAgreement]


def rubric_version() -> str:
    """Return a digest of everything in our questions but the material: another text is another judge."""
    guides = "\n".join(f"{category} {WEIGHTS[category]}\n{guide_text(category)}" for category in CATEGORIES)
    return hashlib.sha256(f"{SYSTEM}\n{ANSWER}\n{UNMET}\n{tricks.QUESTION}\n{guides}".encode()).hexdigest()[:16]


def read_agreement(home: Path, judge: str) -> JudgeAgreement | None:
    """Return what was measured of a judge, or None; a file that cannot be read holds nothing."""
    return _read(home).get(judge)


def keep_agreement(home: Path, found: JudgeAgreement) -> Path:
    """Keep a measurement in place of an earlier one of the same judge, and return the file."""
    file = home / "benchmarks" / _FILE
    record = _Record(format_version=FORMAT_VERSION, judges={**_read(home), found.judge: found})
    file.parent.mkdir(parents=True, exist_ok=True)
    atomic.write_bytes(file, msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n", sync=True)
    return file


def distrust(judge: str, answered_by: tuple[str, ...], found: JudgeAgreement | None) -> str:
    """Return why a judge may not decide, as the end of a sentence; empty if it may."""
    if found is None:
        return f"the judge {judge} was never calibrated"
    if found.rubric != rubric_version():
        return f"the judge {judge} was calibrated with other questions"
    if found.answered_by and not answered_by:
        known = ", ".join(found.answered_by)
        return f"nothing says which model answered for the judge {judge}, which was calibrated with {known}"
    strangers = sorted(set(answered_by) - set(found.answered_by))
    if strangers:
        known = ", ".join(found.answered_by) or "a model that was not named"
        return f"{strangers[0]} answered for the judge {judge}, which was calibrated with {known}"
    return _shortfall(judge, found)


def _shortfall(judge: str, found: JudgeAgreement) -> str:
    auc = found.auc if found.runs >= LEAST_RUNS else None
    kappa = found.weighted_kappa if found.people >= LEAST_RUNS else None
    if auc is None and kappa is None:
        runs = max(found.runs, found.people)
        return f"the judge {judge} was calibrated with {runs} runs, and {LEAST_RUNS} of both outcomes are needed"
    if auc is not None and found.rarer is not None and found.rarer < LEAST_OF_EACH:
        few = f"{found.rarer} runs of one outcome"
        return f"the judge {judge} was calibrated with {few}, and {LEAST_OF_EACH} of each are needed"
    if auc is not None and auc < LEAST_AUC:
        return f"the judge {judge} has an AUC of {auc:.2f} against known outcomes, and {LEAST_AUC} is needed"
    if kappa is not None and kappa < LEAST_KAPPA:
        return f"the judge {judge} agrees with people at a kappa of {kappa:.2f}, and {LEAST_KAPPA} is needed"
    return ""


def _read(home: Path) -> dict[str, JudgeAgreement]:
    try:
        record = msgspec.json.decode((home / "benchmarks" / _FILE).read_bytes(), type=_Record)
    except (OSError, msgspec.DecodeError):
        return {}
    return record.judges if record.format_version == FORMAT_VERSION else {}
