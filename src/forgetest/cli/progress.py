"""Progress of a run: a live table on a terminal, a line every few seconds elsewhere."""

from __future__ import annotations

import contextlib
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from forgetest.cli.output import say
from forgetest.files.printable import terminal_safe_line
from forgetest.renderers.model_table import counted
from forgetest.sample import Attempt, Sample

if TYPE_CHECKING:
    from rich.table import Table

_LINE_EVERY_S = 10.0


class Tally:
    """Counts finished samples, and prints nothing: the observer for `--quiet`."""

    def __init__(self, left: Mapping[str, int]) -> None:
        """`left`: the number of samples that are left, by model."""
        self.left = left
        self.total = self.before = self.done = 0
        self.counts: dict[str, Counter[str]] = {model: Counter() for model in left}
        self._began = time.monotonic()

    def started(self, total: int, done: int) -> None:
        """Remember the totals."""
        self.total, self.before = total, done
        self._began = time.monotonic()

    def finished(self, sample: Sample) -> None:
        """Count a finished sample."""
        self.done += 1
        counts = self.counts[sample.attempt.model_name]
        counts["done"] += 1
        counts["passing"] += sample.correct is True
        counts["compiling"] += sample.verdict is not None and sample.verdict.compiled
        counts["unjudged"] += sample.outcome == "unjudged"

    def time_left(self) -> str:
        """Return an estimate from the pace so far."""
        left = self.total - self.before - self.done
        if not self.done or not left:
            return ""
        seconds = (time.monotonic() - self._began) / self.done * left
        return f"about {_duration_text(seconds)} left"


class Lines(Tally):
    """Prints a line every few seconds, for logs and pipes."""

    def __init__(self, left: Mapping[str, int]) -> None:
        super().__init__(left)
        self._printed_at = time.monotonic()

    def started(self, total: int, done: int) -> None:
        """Print the totals."""
        super().started(total, done)
        say(
            f"judging {counted(total - done, 'sample')}"
            + (f"; {done} of {total} are in the journal already" if done else "")
        )

    def finished(self, sample: Sample) -> None:
        """Print the progress, at most every few seconds."""
        super().finished(sample)
        now, last = time.monotonic(), self.before + self.done == self.total
        if now - self._printed_at >= _LINE_EVERY_S or last:
            self._printed_at = now
            passing, unjudged = (sum(c[key] for c in self.counts.values()) for key in ("passing", "unjudged"))
            state = f"{self.before + self.done}/{self.total} judged, {passing} of {self.done} passing"
            extra = [f"{unjudged} unjudged"] if unjudged else []
            say(", ".join([state, *extra, *([left] if (left := self.time_left()) else [])]))


class Screen(Tally):
    """A table that is redrawn as samples finish."""

    def __rich__(self) -> Table:
        """Return the current table."""
        from rich.table import Table
        from rich.text import Text

        caption = ", ".join(
            part for part in (f"{self.before} from the journal" if self.before else "", self.time_left()) if part
        )
        table = Table(caption=caption or None, caption_justify="left", title_justify="left")
        table.add_column("Model")
        for heading in ("Done", "Compiling", "Passing", "Unjudged"):
            table.add_column(heading, justify="right")
        for model, left in sorted(self.left.items()):
            counts = self.counts[model]
            numbers = (str(counts[key]) for key in ("compiling", "passing", "unjudged"))
            # not a string: rich would take brackets in a name for markup, and links are among it
            table.add_row(Text(terminal_safe_line(model)), f"{counts['done']}/{left}", *numbers)
        return table


@contextlib.contextmanager
def show_progress(attempts: Iterable[Attempt], *, quiet: bool) -> Iterator[Tally]:
    """Yield the observer for the kind of standard error; `attempts` are those that are left to judge."""
    left = Counter(attempt.model_name for attempt in attempts)
    if quiet:
        yield Tally(left)
    elif not sys.stderr.isatty():
        yield Lines(left)
    else:
        from rich.console import Console
        from rich.live import Live

        screen = Screen(left)
        with Live(screen, console=Console(stderr=True), refresh_per_second=4, transient=True):
            yield screen


def _duration_text(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
