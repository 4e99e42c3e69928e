"""Attempt, Completion, Sample: what is asked of a model, what it answered, what that was worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Literal, NamedTuple

from forgetest.verdict import Verdict


class Attempt(NamedTuple):
    """One try of one model at one case. Attempts sort as reports list them."""

    eval_set_id: str
    case_id: str
    provider: str
    model: str
    attempt: int

    @property
    def model_name(self) -> str:
        """The model as the command line and reports call it: `provider/model`."""
        return f"{self.provider}/{self.model}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a provider is asked."""

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
    """Further settings that only some providers know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens and money; None where it is not known."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None
    cached_tokens: int | None = None
    """Those of the prompt that came out of the service's cache."""
    cache_write_tokens: int | None = None
    """Those of the prompt that were written into it."""
    reasoning_tokens: int | None = None
    """Those of the completion that the model only thought."""


def shared(usage: Usage, count: int) -> list[Usage]:
    """What each of so many answers to one request has of its tokens and cost; together it is all of it."""

    def part(total: int | None, position: int) -> int | None:
        return None if total is None else total // count + (position < total % count)

    counts = {field.name: getattr(usage, field.name) for field in fields(Usage) if field.name != "cost_usd"}
    cost = None if usage.cost_usd is None else usage.cost_usd / count
    return [
        Usage(cost_usd=cost, **{name: part(total, position) for name, total in counts.items()})
        for position in range(count)
    ]


def in_total(usages: Iterable[Usage]) -> Usage:
    """What several answers took together; None where it is not known of each."""
    every = list(usages)
    totals = {field.name: [getattr(each, field.name) for each in every] for field in fields(Usage)}
    return Usage(**{name: None if None in values else sum(values) for name, values in totals.items()})


Finish = Literal["stop", "length", "refusal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A model's answer."""

    text: str
    finish: Finish = "stop"
    verbatim: bool = False
    """The text is code as it stands; nothing needs to be extracted from it."""
    usage: Usage = Usage()
    latency_ms: float | None = None
    from_cache: bool = False
    """It was given to an earlier run; this one did not pay for it."""
    leave_alone_s: float | None = None
    """How long the service, which has room for no more, wants to be left alone from here on; not kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The components and their weighted sum, each 0..1."""

    compilation: float
    tests: float
    lint: float
    overall: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Recheck:
    """What judging the same answer again showed."""

    times: int
    """How often it was judged again."""
    disagreeing: int = 0
    """How many of these verdicts differ from the one that counts."""
    changes: tuple[str, ...] = ()
    """In what they differ."""

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
    """Why it was not judged, or why there is no code, or what made it incorrect."""
    code: str | None = None
    verdict: Verdict | None = None
    score: Score | None = None
    correct: bool | None = None
    usage: Usage = Usage()
    latency_ms: float | None = None
    total_ms: float = 0.0
    """Wall time of judging."""
    recheck: Recheck | None = None
    """None where it was judged once."""
