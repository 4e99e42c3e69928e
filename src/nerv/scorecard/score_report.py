"""score-report.json: a scorecard with everything that it rests on."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from forgetest.files import atomic
from forgetest.files.printable import printable_all
from forgetest.version import __version__
from nerv.finding import Finding
from nerv.scorecard import CategoryScore, Criterion, Scorecard
from nerv.verification.result import Verification

FILENAME = "score-report.json"
FORMAT_VERSION = 1
MOCK_NOTICE = "mock scores: nothing was called or computed; they prove nothing about the code"

_STRONG, _WEAK = 8, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class UnmetRequirement:
    """A requirement that the result does not meet, as a judge says."""

    requirement: str
    """In the words of the spec."""
    place: str
    """The code that breaks it."""
    example: str
    """An input, what the result gives for it, and what the spec asks for."""

    def __str__(self) -> str:
        return f"{self.requirement} ({self.place}): {self.example}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """A judge's comments on a category."""

    strengths: tuple[str, ...] = ()
    weaknesses: tuple[str, ...] = ()
    evidence: str = ""
    unmet: tuple[UnmetRequirement, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreReport:
    """One scoring of one run."""

    card: Scorecard
    benchmark_dir: str
    created_at: str
    mode: str
    inputs: Mapping[str, str] = field(default_factory=dict)
    warnings: Sequence[str] = ()
    opinions: Mapping[str, Opinion] = field(default_factory=dict)
    """By category, where a judge gave one."""
    judge: Mapping[str, Any] | None = None
    """The judge's questions and answers, for the report."""
    rules: Scorecard | None = None
    """The scorecard by the rules, where `card` is a judge's."""
    untrusted: str = ""
    """Why the rules decide although a judge gave the scores, in one sentence; empty where that is not so."""
    findings: Sequence[Finding] = ()
    """Signs of cheating, strongest first."""
    verification: Verification | None = None
    """What our own run of the tests showed; None if there was none."""

    @property
    def deciding(self) -> Scorecard:
        """The scorecard that decides whether the run passed."""
        return self.rules if self.untrusted and self.rules is not None else self.card

    def document(self) -> dict[str, Any]:
        """The JSON form."""
        card = self.card
        found: dict[str, Any] = {
            "format_version": FORMAT_VERSION,
            "benchmark_dir": self.benchmark_dir,
            "created_at": self.created_at,
            "mode": self.mode,
            "scores": dict(card.scores),
            "overall": card.overall,
            "threshold": _shortest_number(float(card.threshold)),
            "passed": self.deciding.passed,
            "verified": None if self.verification is None else self.verification.verified,
            "verification": None if self.verification is None else _verification_document(self.verification),
            "vetoes": list(card.vetoes),
            "findings": [_finding_document(finding) for finding in self.findings],
            "weights": {key: weight / 100 for key, weight in card.weights.items()},
            "recorded_share": round(float(card.recorded), 4),
            "categories": {
                category.key: _category_document(category, self.opinions.get(category.key))
                for category in card.categories
            },
            "inputs": dict(self.inputs),
            "warnings": list(self.warnings),
            "versions": {"forgetest": __version__, "python": platform.python_version()},
        }
        if self.mode == "mock":
            found["notice"] = MOCK_NOTICE
        if self.judge is not None:
            found["judge"] = {**self.judge, "decides": not self.untrusted, "untrusted": self.untrusted or None}
        if self.rules is not None:
            found["rules"] = {
                "scores": dict(self.rules.scores),
                "overall": self.rules.overall,
                "passed": self.rules.passed,
                "categories": {category.key: _category_document(category, None) for category in self.rules.categories},
            }
        return found


def encode(report: ScoreReport) -> bytes:
    """Encode the report; the same run gives the same bytes, except for `created_at`."""
    return msgspec.json.format(msgspec.json.encode(printable_all(report.document())), indent=2) + b"\n"


def report_file(run: Path) -> Path:
    """Return the path of a run's report: in its folder, or next to its log with the log's name."""
    return run / FILENAME if run.is_dir() else run.with_name(f"{run.stem}.{FILENAME}")


def write(report: ScoreReport, file: Path) -> None:
    """Write the report atomically."""
    atomic.write_bytes(file, encode(report), sync=True)


def strengths(category: CategoryScore) -> list[str]:
    """Return a sentence for each strong criterion."""
    return [_sentence(criterion) for criterion in category.criteria if (criterion.score or 0) >= _STRONG]


def weaknesses(category: CategoryScore) -> list[str]:
    """Return a sentence for each weak criterion, worst first."""
    weak = [each for each in category.criteria if each.score is not None and each.score <= _WEAK]
    return [_sentence(criterion) for criterion in sorted(weak, key=lambda each: (each.score or 0, -each.share))]


def _category_document(category: CategoryScore, opinion: Opinion | None) -> dict[str, Any]:
    mean = category.mean
    return {
        "score": category.score,
        "mean": None if mean is None else round(mean, 4),
        "strengths": list(opinion.strengths) if opinion else strengths(category),
        "weaknesses": list(opinion.weaknesses) if opinion else weaknesses(category),
        "evidence": opinion.evidence if opinion else _evidence_text(category),
        **({"unmet": [asdict(each) for each in opinion.unmet]} if opinion and opinion.unmet else {}),
        "criteria": [_criterion_document(criterion) for criterion in category.criteria],
    }


def _criterion_document(criterion: Criterion) -> dict[str, Any]:
    return {
        "key": criterion.key,
        "score": criterion.score,
        "share": criterion.share,
        "applies": criterion.applies,
        "standing": criterion.status,
        "certainty": criterion.certainty,
        "reason": criterion.reason,
        "advice": criterion.advice,
        "evidence": [
            {
                "text": observation.text,
                "file": observation.location.file if observation.location else None,
                "line": observation.location.line if observation.location else None,
            }
            for observation in criterion.observations
        ],
    }


def _finding_document(finding: Finding) -> dict[str, Any]:
    return {
        "kind": finding.kind,
        "level": finding.level,
        "text": finding.text,
        "file": finding.location.file if finding.location else None,
        "line": finding.location.line if finding.location else None,
        "lines": list(finding.lines),
        "criterion": finding.criterion or None,
        "found_by": finding.found_by,
    }


def _verification_document(verification: Verification) -> dict[str, Any]:
    return {
        "skipped": verification.skipped or None,
        "builds": verification.builds,
        "accepted": verification.accepted,
        "forged": verification.forged,
        "early_exits": list(verification.early_exits),
        "broken": list(verification.broken),
        "rewritten": list(verification.rewritten),
        "superseded": list(verification.superseded),
        "disputed": list(verification.disputed),
        "restorable": [
            {"test": each.test, "file": each.path, "line": each.line, "shown": each.shown}
            for each in verification.restorable
        ],
        "entangled": list(verification.entangled),
        "unbuilt": list(verification.unbuilt),
        "removed": list(verification.removed),
        "shown": list(verification.shown),
        "idle": list(verification.idle),
        "detached": list(verification.detached),
        "dulled": list(verification.dulled),
        "unmoved": list(verification.unmoved),
        "watched": list(verification.watched),
        "switched_off": list(verification.switched_off),
        "by_name": list(verification.by_name),
        "known_names": list(verification.known_names),
        "silent": list(verification.silent),
        "doubled": list(verification.doubled),
        "unheld": list(verification.unheld),
        "unseen": list(verification.unseen),
        "replaced": list(verification.replaced),
        "failing": list(verification.failing),
        "examples": [
            {
                "item": example.item,
                "call": example.call,
                "expected": example.expected,
                "got": example.got,
                "status": example.status,
            }
            for example in verification.examples
        ],
        "mutants": [
            {
                "file": mutant.path,
                "line": mutant.line,
                "before": mutant.before,
                "after": mutant.after,
                "status": mutant.status,
            }
            for mutant in verification.mutants
        ],
        "noticed_share": None if verification.noticed_share is None else round(verification.noticed_share, 4),
        "notes": list(verification.notes),
        "suites": [
            {
                "tree": suite.tree,
                "tests": suite.source,
                "project": suite.project,
                "runner": suite.runner or None,
                "command": suite.command,
                "passed": suite.count("passed"),
                "failed": suite.count("failed"),
                "skipped": suite.count("skipped"),
                "problem": suite.problem or None,
                "broken_build": suite.broken_build,
                "outcomes": dict(sorted(suite.outcomes.items())),
            }
            for suite in verification.suites
        ],
    }


def _evidence_text(category: CategoryScore) -> str:
    """Return the most important observations in one text, each with its location."""
    leading = [observation for criterion in category.criteria for observation in criterion.observations[:1]]
    return "; ".join(f"{each.text} ({each.location})" if each.location else each.text for each in leading)


def _sentence(criterion: Criterion) -> str:
    return f"{criterion.key}: {criterion.reason}"


def _shortest_number(value: float) -> int | float:
    return int(value) if value.is_integer() else value
