"""The gap between visible and hidden tests: samples that pass what the model has seen, and fail what it has not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum

from forgetest.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibleGap:
    """Visible against hidden tests, over the judged samples whose case has both kinds."""

    samples: int
    pass_visible: int
    """Samples that pass all visible tests."""
    pass_all: int
    """Samples that pass the hidden tests as well."""
    visible_test_rate: float
    """Mean share of visible tests that a sample passes."""
    hidden_test_rate: float

    @property
    def gap(self) -> float:
        """Share of samples that pass all visible tests and fail a hidden one."""
        return (self.pass_visible - self.pass_all) / self.samples


def of_verdict(verdict: Verdict | None) -> VisibleGap | None:
    """Return the gap of one sample; None where it has not both kinds of tests."""
    if verdict is None:
        return None
    visible = [test.status == "passed" for test in verdict.tests if test.visible is True]
    hidden = [test.status == "passed" for test in verdict.tests if test.visible is False]
    if not visible or not hidden:
        return None
    return VisibleGap(
        samples=1,
        pass_visible=all(visible),
        pass_all=all(visible) and all(hidden),
        visible_test_rate=sum(visible) / len(visible),
        hidden_test_rate=sum(hidden) / len(hidden),
    )


def total(gaps: Iterable[VisibleGap | None]) -> VisibleGap | None:
    """Return the gap over all samples; None where no sample has one."""
    known = [gap for gap in gaps if gap is not None]
    samples = sum(gap.samples for gap in known)
    if not samples:
        return None
    return VisibleGap(
        samples=samples,
        pass_visible=sum(gap.pass_visible for gap in known),
        pass_all=sum(gap.pass_all for gap in known),
        visible_test_rate=fsum(gap.visible_test_rate * gap.samples for gap in known) / samples,
        hidden_test_rate=fsum(gap.hidden_test_rate * gap.samples for gap in known) / samples,
    )
