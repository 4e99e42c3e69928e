"""Findings: signs of cheating, each with its level, its place and the lines that show it."""

from __future__ import annotations

from collections.abc import Callable

from nerv.evidence import Evidence
from nerv.finding import LEVELS, Finding
from nerv.inspection import Inspection
from nerv.verification.result import Verification

Detector = Callable[[Evidence, Inspection, Verification | None], list[Finding]]
DETECTORS: tuple[Detector, ...] = ()


def find(evidence: Evidence, inspection: Inspection, verification: Verification | None) -> tuple[Finding, ...]:
    """Return everything that was found, strongest first."""
    found = [finding for detect in DETECTORS for finding in detect(evidence, inspection, verification)]
    return tuple(sorted(found, key=lambda finding: -LEVELS.index(finding.level)))
