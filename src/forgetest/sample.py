"""Attempt, Request, Completion, Sample: a question to a model, its answer, and the graded result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Literal, NamedTuple

from msgspec import UNSET, UnsetType

from forgetest.verdict import Verdict

DEFAULT_MAX_SAMPLE_SIZE = 1_000_000
"""Longest answer that is judged, in bytes. Real code is far shorter, and reading it takes time outside the sandbox."""


class Attempt(NamedTuple):
    """One try of one model at one case. Attempts sort in the order of reports."""

    eval_set_id: str
    case_id: str
    provider: str
    model: str
    attempt: int

    @property
    def model_name(self) -> str:
        """The model's full name on the command line and in reports: `provider/model`."""
        return f"{self.provider}/{self.model}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request to a provider."""

    model: str
    system: str
    prompt: str
    temperature: float = 0.0
    max_tokens: int = 1024
    seed: int | None = None
    top_p: float | None = None
    stop: tuple[str, ...] = ()
    reasoning_effort: str | None = None
    options: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    """Settings that only some providers support."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens and cost; None where unknown."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None
    cached_tokens: int | None = None
    """Prompt tokens read from the service's cache."""
    cache_write_tokens: int | None = None
    """Prompt tokens written to the service's cache."""
    reasoning_tokens: int | None = None
    """Completion tokens spent on reasoning."""


def split_usage(usage: Usage, count: int) -> list[Usage]:
    """Divide the usage of one request among its `count` answers; the parts add up to the whole."""

    def part(total: int | None, position: int) -> int | None:
        return None if total is None else total // count + (position < total % count)

    counts = {field.name: getattr(usage, field.name) for field in fields(Usage) if field.name != "cost_usd"}
    cost = None if usage.cost_usd is None else usage.cost_usd / count
    return [
        Usage(cost_usd=cost, **{name: part(total, position) for name, total in counts.items()})
        for position in range(count)
    ]


def total_usage(usages: Iterable[Usage]) -> Usage:
    """Return the total usage of several answers; None for what is not known of each of them."""
    every = list(usages)
    totals = {field.name: [getattr(each, field.name) for each in every] for field in fields(Usage)}
    return Usage(**{name: None if None in values else sum(values) for name, values in totals.items()})


Finish = Literal["stop", "length", "refusal"]
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A model's answer."""

    text: str
    finish: Finish = "stop"
    verbatim: bool = False
    """The text is bare code; nothing needs to be extracted."""
    usage: Usage = Usage()
    latency_ms: float | None = None
    from_cache: bool = False
    """The answer was given to an earlier run; this one did not pay for it."""
    leave_alone_s: float | None = None
    """Seconds for which an overloaded service asks to be left alone; not recorded."""
    model: str | UnsetType = UNSET
    """Name of the model that answered, where the service says it; journals leave it out otherwise."""


def stated_model(name: object) -> str | UnsetType:
    """Return the name of the model that answered, as a service says it; UNSET if it says none."""
    return name[:_LONGEST_NAME] if isinstance(name, str) and name.strip() else UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The components and their weighted sum, each from 0 to 1."""

    compilation: float
    tests: float
    lint: float
    overall: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Recheck:
    """Result of judging the same answer again."""

    times: int
    """Number of times it was judged again."""
    disagreeing: int = 0
    """Number of these verdicts that differ from the one that counts."""
    changes: tuple[str, ...] = ()
    """The differences."""

    @property
    def flaky(self) -> bool:
        """The verdict changes when the sample is judged again."""
        return self.disagreeing > 0


Outcome = Literal["judged", "unjudged"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One finished attempt."""

    attempt: Attempt
    run_id: str
    outcome: Outcome
    reason: str | None = None
    """The reason why it was not judged, has no code, or is incorrect."""
    code: str | None = None
    verdict: Verdict | None = None
    score: Score | None = None
    correct: bool | None = None
    usage: Usage = Usage()
    latency_ms: float | None = None
    total_ms: float = 0.0
    """Wall time of judging."""
    recheck: Recheck | None = None
    """None for a sample that was judged once."""
