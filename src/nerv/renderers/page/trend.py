"""Earlier scores of the same spec: a small chart, and the same as a table."""

from __future__ import annotations

from collections.abc import Sequence

from nerv.renderers.page.html import escaped, quantity, section
from nerv.renderers.page.overview import overall_text
from nerv.scorecard.history import HistoryLine
from nerv.scorecard.score_report import ScoreReport

_MOST = 20
_WIDTH, _HEIGHT, _MARGIN = 320, 80, 10


def trend_html(report: ScoreReport, earlier: Sequence[HistoryLine]) -> str:
    """Return the earlier scores, oldest first, with this run's; empty where there are none."""
    scored = [line for line in earlier if line.overall is not None]
    if not scored:
        return ""
    shown = scored[-_MOST:]
    values = [line.overall for line in shown if line.overall is not None]
    if report.card.overall is not None:
        values.append(report.card.overall)
    rows = "".join(_row(line) for line in reversed(shown))
    this = (
        f"<tr><td>this run</td><td>{overall_text(report.card)}</td>"
        f"<td>{_passed_text(report.deciding.passed)}</td><td>{escaped(report.mode)}</td></tr>"
    )
    head = "<tr><th>graded at</th><th>score</th><th>result</th><th>graded by</th></tr>"
    left_out = f", the last {_MOST} of {len(scored)}" if len(scored) > _MOST else ""
    note = f"{quantity(len(shown), 'earlier score')} of the same spec{left_out}"
    table = f'<table class="trend"><thead>{head}</thead><tbody>{this}{rows}</tbody></table>'
    chart = _chart(values, float(report.card.threshold)) if len(values) > 1 else ""
    return section("Earlier scores", f'<div class="trendline">{chart}{table}</div>', key="earlier", note=note)


def _row(line: HistoryLine) -> str:
    score = "n/a" if line.overall is None else f"{line.overall:.1f}/10"
    return (
        f"<tr><td>{escaped(line.timestamp[:16].replace('T', ' ')) or 'n/a'}</td><td>{score}</td>"
        f"<td>{_passed_text(line.passed)}</td><td>{escaped(line.mode[:60]) or 'n/a'}</td></tr>"
    )


def _passed_text(passed: bool | None) -> str:
    return {True: "PASS", False: "not passed", None: "n/a"}[passed]


def _chart(values: Sequence[float], threshold: float) -> str:
    """Return the scores as a line from left to right, this run's last, with the threshold."""
    step = (_WIDTH - 2 * _MARGIN) / (len(values) - 1)
    points = [(_MARGIN + index * step, _y(value)) for index, value in enumerate(values)]
    path = " ".join(f"{'L' if index else 'M'}{x:.1f} {y:.1f}" for index, (x, y) in enumerate(points))
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" class="dot"/>' for x, y in points[:-1])
    x, y = points[-1]
    title = f"Scores from the oldest to this run: {', '.join(f'{value:.1f}' for value in values)}"
    return (
        f'<svg class="small" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escaped(title)}">'
        f'<title>{escaped(title)}</title><line x1="0" x2="{_WIDTH}" y1="{_y(threshold):.1f}" y2="{_y(threshold):.1f}" '
        f'class="threshold"/><path d="{path}" class="line"/>{dots}'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" class="dot"/></svg>'
    )


def _y(value: float) -> float:
    inner = _HEIGHT - 2 * _MARGIN
    return _HEIGHT - _MARGIN - inner * (max(1.0, min(10.0, value)) - 1) / 9
