"""What was found: signs of cheating, strongest first, each with the lines that show it."""

from __future__ import annotations

from collections.abc import Sequence

from nerv.finding import LEVELS, Finding, strongest_first
from nerv.renderers.page.html import escaped, lines_html, location_html, quantity, section

_MEANINGS = {
    "proven": ("bad", "The run cannot pass with this."),
    "likely": ("poor", "This lowers the score."),
    "note": ("none", "For the reviewer; it does not change the score."),
}


def findings_html(findings: Sequence[Finding]) -> str:
    """Return the findings; that there are none is said as well."""
    if not findings:
        body = "<p>No sign of cheating was found. That is no proof that there is none.</p>"
        return section("Findings", body, key="findings")
    counts = ", ".join(
        f"{sum(finding.level == level for finding in findings)} {level}"
        for level in reversed(LEVELS)
        if any(finding.level == level for finding in findings)
    )
    body = "".join(_finding_html(finding) for finding in strongest_first(findings))
    return section("Findings", body, key="findings", note=counts if len(findings) > 1 else quantity(1, "finding"))


def _finding_html(finding: Finding) -> str:
    tone, effect = _MEANINGS[finding.level]
    return (
        f'<article class="finding {finding.level}"><h3><span class="chip {tone}">{finding.level}</span> '
        f"{escaped(finding.text)}</h3>"
        f'<p class="faint">{escaped(finding.kind.replace("_", " "))}{location_html(finding.location)} · {effect}</p>'
        f"{lines_html(finding.lines)}</article>"
    )
