"""The criteria of Efficiency: share, scoring guide, and the numbers with the reason for each."""

from __future__ import annotations

from nerv.rubric.scale import Guide, ScoreScale

_NOT_EFFICIENT = "at most 5 if neither tests nor an audit show that it works: cheap wrong work is not efficient"
_THINLY_TESTED = "at most 6 if tests try nothing of what the spec states, and our own runs do not show the change"

EFFICIENCY: tuple[Guide, ...] = (
    Guide(
        category="efficiency",
        key="tokens",
        share=30,
        looks_at="tokens per completed item, relative to the spec's size",
        bands=(
            "up to 35,000 tokens per item",
            "up to 90,000 tokens per item, as in a good session",
            "up to 190,000 tokens per item",
            "up to 420,000 tokens per item",
            "more, or not recorded, or nothing completed",
        ),
        scale=ScoreScale(
            figure="tokens (input, output, cache writes; cache reads count a tenth, as they are billed) per "
            "completed item (one that nothing shows to work counts half, here and below)",
            bounds=(20_000, 35_000, 60_000, 90_000, 130_000, 190_000, 280_000, 420_000, 640_000),
            more_is_better=False,
            reason="counted this way, the three example sessions used 126,000, 203,000 and 897,000 tokens for two, "
            "three and six requests: 63,000 to 150,000 each",
        ),
        caps=(_NOT_EFFICIENT, _THINLY_TESTED),
        advice="use fewer tokens per item: smaller contexts, fewer attempts",
    ),
    Guide(
        category="efficiency",
        key="cost",
        share=30,
        looks_at="dollars per completed task, measured in completed items of the spec; unfinished tasks do not count",
        bands=(
            "up to $0.20 per item",
            "up to $0.50 per item, as in a good session",
            "up to $1.10 per item",
            "up to $2.40 per item",
            "more, or not recorded, or nothing completed",
        ),
        scale=ScoreScale(
            figure="dollars per completed item of the spec",
            bounds=(0.1, 0.2, 0.35, 0.5, 0.75, 1.1, 1.6, 2.4, 3.6),
            more_is_better=False,
            reason="the example sessions' tokens at the list price of their model ($3 per million in, $15 out) cost "
            "$0.20 to $0.50 per request; the items stand for the tasks, because splitting a task must not help, and "
            "without a finished task nothing counts as completed",
        ),
        caps=(_NOT_EFFICIENT, _THINLY_TESTED),
        advice="use a cheaper model for simple tasks, and avoid failed attempts",
    ),
    Guide(
        category="efficiency",
        key="compaction",
        share=20,
        looks_at="compactions per completed requirement",
        bands=(
            "none, or one per twenty items",
            "up to one per five items",
            "up to one per two items",
            "up to one per item",
            "more, or nothing is recorded",
        ),
        scale=ScoreScale(
            figure="compactions per completed item",
            bounds=(0.0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.5),
            more_is_better=False,
            reason="a compaction loses context; none of the three example sessions had one, with up to six requests",
        ),
        caps=(
            "at most 8 if no source states the number of compactions: the log merely shows none",
            "at most 5 without a completed item: no compaction says little then",
            _NOT_EFFICIENT,
        ),
        advice="plan smaller tasks, so that each fits into one context",
    ),
    Guide(
        category="efficiency",
        key="speed",
        share=20,
        looks_at="working time per completed requirement",
        bands=(
            "up to 3 minutes per item",
            "up to 8 minutes per item",
            "up to 18 minutes per item",
            "up to 40 minutes per item",
            "more, or not recorded, or nothing completed",
        ),
        scale=ScoreScale(
            figure="minutes of work per completed item",
            bounds=(1.5, 3, 5, 8, 12, 18, 27, 40, 60),
            more_is_better=False,
            reason="two of the example sessions took 16 and 27 minutes for three and six requests, about 5 minutes "
            "each; the third waited for its user",
        ),
        caps=(_NOT_EFFICIENT, _THINLY_TESTED),
        advice="run independent tasks in parallel, and stop tasks that are stuck in a loop",
    ),
)
