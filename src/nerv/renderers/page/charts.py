"""Charts of a run as self-contained SVG: a timeline, and lines over time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from nerv.evidence import Evidence, Task
from nerv.location import Moment

_WIDTH = 1000
_LEFT = 190
_RIGHT = 20
_ROW = 22
_MOST_TASKS = 60
_MOST_MARKS = 400


def timeline(evidence: Evidence) -> str:
    """Draw cycles, tasks, reviews, merges and compactions over time; empty if the run has no times."""
    span = _time_span(evidence)
    if span is None:
        return ""
    rows = list(_timeline_rows(evidence, span))
    if not rows:
        return ""
    height = 34 + len(rows) * _ROW + 24
    parts = [_axis(span, height)]
    for index, (name, body) in enumerate(rows):
        y = 34 + index * _ROW
        shade = f'<rect x="0" y="{y}" width="{_WIDTH}" height="{_ROW}" class="stripe"/>' if index % 2 else ""
        label = f'<text x="{_LEFT - 8}" y="{y + 15}" text-anchor="end" class="name">{escape(_shorten(name, 25))}</text>'
        parts.append(f'{shade}{label}<g transform="translate(0 {y})">{body}</g>')
    return _svg("Timeline of the run", height, "".join(parts))


def completion_chart(evidence: Evidence) -> str:
    """Draw the completion of the spec over time."""
    points = [
        (point.moment.ms, 100 * point.checked / point.total)
        for point in evidence.workflow.completion
        if point.moment.ms is not None and point.total
    ]
    return _line_chart("Spec completion over time", evidence, points, "%", stepped=True, top=100.0)


def cost_chart(evidence: Evidence) -> str:
    """Draw spending over time: dollars where they are known, or else tokens."""
    dollars = [(point.ms, point.cost_usd) for point in evidence.resources.usage_over_time if point.cost_usd is not None]
    if dollars:
        return _line_chart(spending_title(evidence), evidence, dollars, "$")
    tokens = [
        (point.ms, point.tokens / 1_000) for point in evidence.resources.usage_over_time if point.tokens is not None
    ]
    return _line_chart(spending_title(evidence), evidence, tokens, "k")


def spending_title(evidence: Evidence) -> str:
    """Return the title of the spending chart: cost, or else tokens."""
    known = any(point.cost_usd is not None for point in evidence.resources.usage_over_time)
    return "Cost over time" if known else "Tokens over time"


# --- the timeline's rows


def _timeline_rows(evidence: Evidence, span: tuple[int, int]) -> Iterator[tuple[str, str]]:
    if evidence.workflow.cycles:
        yield "cycles", "".join(_cycle_bars(evidence, span))
    for task in evidence.workflow.tasks[:_MOST_TASKS]:
        yield task.title or task.id, _task_bar(task, evidence, span)
    more = len(evidence.workflow.tasks) - _MOST_TASKS
    if more > 0:
        yield f"… {more} more tasks", ""
    loose = [
        *(
            (review.moment, f"review {review.decision}", review.decision)
            for review in evidence.workflow.reviews
            if not _of_task(review.task_id, evidence)
        ),
        *(
            (merge.moment, "merge", "merged" if merge.clean else "failed")
            for merge in evidence.workflow.merges
            if not _of_task(merge.task_id, evidence)
        ),
    ]
    if loose:
        yield "reviews and merges", _marks_svg(loose, span)
    if evidence.activity.test_runs:
        runs = [
            (run.moment, f"tests: {run.command or 'reported'}", "approved" if run.succeeded else "rejected")
            for run in evidence.activity.test_runs
        ]
        body = _marks_svg(runs, span)
        if body:
            yield "test runs", body
    for name, occurrences in (
        ("compactions", evidence.resources.compactions),
        ("tool errors", evidence.incidents.tool_errors),
        ("time-outs", evidence.incidents.task_timeouts),
        ("interruptions", evidence.incidents.interruptions),
    ):
        body = _marks_svg([(moment, name, "trouble") for moment in occurrences.moments], span)
        if body:
            yield f"{name} ({occurrences.count})", body


def _of_task(task_id: str | None, evidence: Evidence) -> bool:
    return any(task.id == task_id for task in evidence.workflow.tasks[:_MOST_TASKS])


def _cycle_bars(evidence: Evidence, span: tuple[int, int]) -> Iterator[str]:
    for cycle in evidence.workflow.cycles[:200]:
        begin = cycle.started.ms if cycle.started else None
        end = cycle.completed.ms if cycle.completed else span[1]
        if begin is None or end is None:
            continue
        x, width = _x(begin, span), max(3.0, _x(end, span) - _x(begin, span))
        title = escape(f"Cycle {cycle.number}: {cycle.goal} ({_clock(begin)} to {_clock(end)})")
        yield (
            f'<g><title>{title}</title><rect x="{x:.1f}" y="3" width="{width:.1f}" height="16" rx="3" class="cycle"/>'
            f'<text x="{x + 5:.1f}" y="15" class="inside">{cycle.number}</text></g>'
        )


def _task_bar(task: Task, evidence: Evidence, span: tuple[int, int]) -> str:
    parts = []
    begin = task.started.ms if task.started else None
    end = task.ended.ms if task.ended else None
    if begin is not None:
        stop = end if end is not None else span[1]
        x, width = _x(begin, span), max(3.0, _x(stop, span) - _x(begin, span))
        title = escape(f"{task.id}: {task.title or 'no title'}; {task.status} ({_clock(begin)} to {_clock(stop)})")
        parts.append(
            f'<g><title>{title}</title><rect x="{x:.1f}" y="5" width="{width:.1f}" height="12" rx="3" '
            f'class="task {task.status}"/></g>'
        )
    parts.append(
        _marks_svg(
            [
                *(
                    (review.moment, f"review {review.decision}", review.decision)
                    for review in evidence.workflow.reviews
                    if review.task_id == task.id
                ),
                *(
                    (merge.moment, "merged" if merge.clean else "merge failed", "merged" if merge.clean else "failed")
                    for merge in evidence.workflow.merges
                    if merge.task_id == task.id
                ),
                *((moment, "time-out", "trouble") for moment in task.timeouts.moments),
            ],
            span,
        )
    )
    return "".join(parts)


_SHAPES = {
    "started": '<circle r="3.5" class="open"/>',
    "approved": '<path d="M-5 0 L0 -6 L5 0 L0 6 Z" class="good"/>',
    "changes_requested": '<path d="M-5 0 L0 -6 L5 0 L0 6 Z" class="warn"/>',
    "rejected": '<path d="M-5 0 L0 -6 L5 0 L0 6 Z" class="bad"/>',
    "merged": '<circle r="5" class="good"/>',
    "failed": '<circle r="5" class="bad"/>',
    "trouble": '<path d="M0 -6 L6 5 L-6 5 Z" class="bad"/>',
}


_MEANINGS = {
    "approved": ("good", "◆ approved, or tests passed"),
    "changes_requested": ("warn", "◆ changes asked for"),
    "rejected": ("bad", "◆ rejected, or tests failed"),
    "merged": ("good", "● merged"),
    "failed": ("bad", "● merge failed"),
    "trouble": ("bad", "▲ trouble"),
    "started": ("open", "○ review started"),
}


def legend(drawn: str) -> str:
    """Return a legend for the marks that occur in a timeline."""
    title_text = [
        f'<span class="{tone}">{meaning}</span>'
        for shape, (tone, meaning) in _MEANINGS.items()
        if _SHAPES[shape] in drawn
    ]
    return f'<p class="legend">{" ".join(title_text)}</p>' if title_text else ""


def _marks_svg(marks: Iterable[tuple[Moment, str, str]], span: tuple[int, int]) -> str:
    drawn = []
    for moment, title, shape in list(marks)[:_MOST_MARKS]:
        if moment.ms is None:
            continue
        title_text = escape(f"{title}, {_clock(moment.ms)} ({moment.location})")
        x = _x(moment.ms, span)
        drawn.append(f'<g transform="translate({x:.1f} 11)"><title>{title_text}</title>{_SHAPES[shape]}</g>')
    return "".join(drawn)


# --- axes and lines


def _line_chart(
    title: str,
    evidence: Evidence,
    points: Sequence[tuple[int, float]],
    unit: str,
    *,
    stepped: bool = False,
    top: float | None = None,
) -> str:
    span = _time_span(evidence)
    if span is None or not points:
        return ""
    height, floor, ceiling = 172, 150.0, 34.0
    most = top or max((value for _, value in points), default=0.0) or 1.0
    path: list[str] = []
    last = floor
    for ms, value in sorted(points):
        x, y = _x(ms, span), floor - (floor - ceiling) * min(1.0, value / most)
        if not path:
            path.append(f"M{_x(span[0], span):.1f} {floor:.1f}")
        if stepped:
            path.append(f"L{x:.1f} {last:.1f}")
        path.append(f"L{x:.1f} {y:.1f}")
        last = y
    if stepped:
        path.append(f"L{_x(span[1], span):.1f} {last:.1f}")
    grid = "".join(
        f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>'
        f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" class="name">{_amount(share * most, unit)}</text>'
        for share in (0.0, 0.5, 1.0)
        for y in (floor - (floor - ceiling) * share,)
    )
    final = _amount(max(points)[1], unit)
    y = max(last - 8, ceiling + 16) if stepped else min(last + 18, floor - 6)
    end = f'<text x="{_WIDTH - _RIGHT}" y="{y:.1f}" text-anchor="end" class="value">{final}</text>'
    return _svg(title, height, f'{_axis(span, height)}{grid}<path d="{" ".join(path)}" class="line"/>{end}')


def _axis(span: tuple[int, int], height: float) -> str:
    marks = []
    for index in range(6):
        ms = span[0] + (span[1] - span[0]) * index / 5
        x = _x(ms, span)
        anchor = "end" if index == 5 else "middle"
        marks.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="26" y2="{height - 20:.1f}" class="grid"/>'
            f'<text x="{x:.1f}" y="18" text-anchor="{anchor}" class="tick">{_clock(ms)}</text>'
        )
    return "".join(marks)


def _svg(title: str, height: float, body: str) -> str:
    return (  # on a small screen the chart can be scrolled, also with the keyboard
        f'<div class="wide" tabindex="0" role="group" aria-label="{escape(title)}">'
        f'<svg viewBox="0 0 {_WIDTH} {height:.0f}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{body}</svg></div>"
    )


def _time_span(evidence: Evidence) -> tuple[int, int] | None:
    """Return the first and the last moment of everything on the page."""
    moments = [
        *(moment for task in evidence.workflow.tasks for moment in (task.started, task.ended) if moment),
        *(moment for cycle in evidence.workflow.cycles for moment in (cycle.started, cycle.completed) if moment),
        *(review.moment for review in evidence.workflow.reviews),
        *(merge.moment for merge in evidence.workflow.merges),
        *(run.moment for run in evidence.activity.test_runs),
        *(point.moment for point in evidence.workflow.completion),
        *evidence.resources.compactions.moments,
        *evidence.incidents.tool_errors.moments,
        *evidence.incidents.interruptions.moments,
    ]
    times = [moment.ms for moment in moments if moment.ms is not None]
    times += [point.ms for point in evidence.resources.usage_over_time]
    if not times:
        return None
    first, last = min(0, *times), max(times)
    return (first, last) if last > first else (first, first + 1)


def _x(ms: float, span: tuple[int, int]) -> float:
    inner = _WIDTH - _LEFT - _RIGHT
    return _LEFT + inner * (ms - span[0]) / (span[1] - span[0])


def _clock(ms: float) -> str:
    seconds = round(ms / 1000)
    if abs(seconds) < 120:
        return f"{ms / 1000:.0f} s"
    if abs(seconds) < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def _amount(value: float, unit: str) -> str:
    if unit == "$":
        return f"${value:.2f}"
    if unit == "k" and value >= 1_000:
        return f"{value / 1000:.1f}M"
    return f"{value:.0f}{unit}"


def _shorten(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
