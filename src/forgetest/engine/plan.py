"""Plan of a run: all attempts (cases by models by numbers), and the name that identifies the run."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

import msgspec

from forgetest.errors import UserError
from forgetest.evalset import Case, EvalSet
from forgetest.evalset.generation import EMPTY, GenerationSettings
from forgetest.evalset.io_keys import is_date
from forgetest.files.schema import nearest
from forgetest.sample import Attempt

DEFAULT_MAX_TOKENS = 4096

_SETTINGS = frozenset(each.name for each in fields(GenerationSettings))


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """How the models of a run are asked. A run resumes only if all of this is unchanged."""

    temperature: float
    settings: GenerationSettings
    """As the command line, else forgetest.toml, has them; an eval set may override what the latter says."""
    prompt_template_hash: str
    from_command_line: tuple[str, ...] = ()
    """Names of the settings that no eval set overrides."""
    provider_options: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """Options of forgetest.toml, for each provider that is asked."""

    @property
    def max_tokens(self) -> int:
        """The longest answer, in tokens, where neither the case nor its eval set has a limit of its own."""
        return self.settings.max_tokens or DEFAULT_MAX_TOKENS

    def settings_for(self, eval_set: EvalSet) -> GenerationSettings:
        """Return the settings for the cases of an eval set, which may have settings of its own."""
        overridable = replace(eval_set.generation, **dict.fromkeys(self.from_command_line))
        return overridable.merged_over(replace(self.settings, max_tokens=self.max_tokens))

    def non_default(self) -> dict[str, object]:
        """Return the settings that differ from their defaults, beyond the four that are always recorded."""
        given = self.settings.given()
        held = {name: value for name, value in given.items() if name not in ("max_tokens", "seed")}
        return held | ({"provider_options": self.provider_options} if self.provider_options else {})

    def to_record(self) -> dict[str, object]:
        """Return the form in which a run's folder describes it."""
        settings = asdict(self.settings)
        del settings["max_tokens"]
        return {
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "seed": settings.pop("seed"),
            "prompt_template_hash": self.prompt_template_hash,
            **settings,
            "said": self.from_command_line,
            "provider_options": self.provider_options,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Generation:
        """Read that form back. Raises ValueError where it does not have it."""
        names = {"said": "from_command_line"}
        own = {names.get(key, key): record[key] for key in record if key not in _SETTINGS}
        settings = {key: record[key] for key in record if key in _SETTINGS}
        return msgspec.convert({**own, "settings": settings}, cls)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Cases of one language that a run leaves out, because their tools are missing on this machine."""

    language: str
    cases: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All attempts of a run."""

    name: str
    """Also the run's folder: the same plan finds its journal again."""
    eval_sets: tuple[EvalSet, ...]
    attempts: tuple[Attempt, ...]
    pass_k: tuple[int, ...]
    samples: int
    generation: Generation | None
    """None for samples that were made elsewhere."""
    left_out: tuple[LeftOut, ...] = ()

    def cases(self) -> Iterator[tuple[EvalSet, Case]]:
        """Every case that has an attempt."""
        asked = {(attempt.eval_set_id, attempt.case_id) for attempt in self.attempts}
        for eval_set in self.eval_sets:
            for case in eval_set.cases:
                if (eval_set.id, case.id) in asked:
                    yield eval_set, case


def chosen(eval_sets: Sequence[EvalSet], tags: Sequence[str], case_ids: Sequence[str]) -> tuple[EvalSet, ...]:
    """The sets with the cases that have any of the tags and are among the ids; all where none are given."""
    known = [case.id for eval_set in eval_sets for case in eval_set.cases]
    for case_id in case_ids:
        if case_id not in known:
            guess = nearest(case_id, known)
            raise UserError(
                f"--case {case_id}: there is no such case" + (f'; did you mean "{guess}"?' if guess else "")
            )
    named = [
        replace(eval_set, cases=tuple(case for case in eval_set.cases if not case_ids or case.id in case_ids))
        for eval_set in eval_sets
    ]
    tagged = [
        replace(eval_set, cases=tuple(case for case in eval_set.cases if not tags or set(tags) & set(case.tags)))
        for eval_set in named
    ]
    if not any(eval_set.cases for eval_set in tagged):
        there = sorted({tag for eval_set in named for case in eval_set.cases for tag in case.tags})
        which = f"no case of --case {','.join(case_ids)}" if case_ids else "no case"
        raise UserError(f"--filter {','.join(tags)}: {which} has such a tag; there are: {', '.join(there) or 'none'}")
    return tuple(eval_set for eval_set in tagged if eval_set.cases)


def published(eval_sets: Sequence[EvalSet], since: str | None, until: str | None) -> tuple[EvalSet, ...]:
    """The sets with the cases that were published between two days, both included; all where none is given.

    A case without a date is left out, unless no day is given.
    """
    for option, day in (("--since", since), ("--until", until)):
        if day is not None and not is_date(day):
            raise UserError(f"{option} {day}: not a day, as in 2024-05-31")
    if since is None and until is None:
        return tuple(eval_sets)

    def is_within(case: Case) -> bool:
        return case.date is not None and (since or case.date) <= case.date <= (until or case.date)

    kept = [replace(each, cases=tuple(case for case in each.cases if is_within(case))) for each in eval_sets]
    if not any(each.cases for each in kept):
        dates = sorted(case.date for each in eval_sets for case in each.cases if case.date is not None)
        there = f"those with a date are of {dates[0]} to {dates[-1]}" if dates else "no case has a date"
        option = " ".join(f"{name} {day}" for name, day in (("--since", since), ("--until", until)) if day is not None)
        raise UserError(f"{option}: no case was published then; {there}")
    return tuple(each for each in kept if each.cases)


def for_models(
    eval_sets: Sequence[EvalSet],
    whole_sets: Sequence[EvalSet],
    models: Sequence[tuple[str, str]],
    pass_k: Sequence[int],
    samples: int,
    generation: Generation,
) -> Plan:
    """Plan `samples` attempts of each model at each case. A smaller choice of the same sets is the same run."""
    attempts = [
        Attempt(eval_set.id, case.id, provider, model, number)
        for eval_set in eval_sets
        for case in eval_set.cases
        for provider, model in models
        for number in range(1, samples + 1)
    ]
    identity = ([(each.id, each.hash) for each in whole_sets], sorted(models), _identity(generation, whole_sets))
    return Plan(
        name=_run_name(whole_sets, identity),
        eval_sets=tuple(eval_sets),
        attempts=tuple(sorted(attempts)),
        pass_k=tuple(pass_k),
        samples=samples,
        generation=generation,
    )


def for_recording(
    eval_sets: Sequence[EvalSet],
    whole_sets: Sequence[EvalSet],
    attempts: Sequence[Attempt],
    recording_hash: str,
    pass_k: Sequence[int],
) -> Plan:
    """Judge what some model already wrote."""
    kept = {(eval_set.id, case.id) for eval_set in eval_sets for case in eval_set.cases}
    wanted = sorted(attempt for attempt in attempts if (attempt.eval_set_id, attempt.case_id) in kept)
    if not wanted:
        raise UserError("--samples-from: no sample is for a case that is to be judged")
    asked = {(attempt.eval_set_id, attempt.case_id) for attempt in wanted}
    sets = [replace(s, cases=tuple(case for case in s.cases if (s.id, case.id) in asked)) for s in eval_sets]
    counts: dict[tuple[str, ...], int] = {}
    for attempt in wanted:
        counts[attempt[:4]] = counts.get(attempt[:4], 0) + 1
    return Plan(
        name=_run_name(whole_sets, ([(each.id, each.hash) for each in whole_sets], recording_hash)),
        eval_sets=tuple(each for each in sets if each.cases),
        attempts=tuple(wanted),
        pass_k=tuple(pass_k),
        samples=max(counts.values()),
        generation=None,
    )


def without_languages(plan: Plan, missing: Mapping[str, str]) -> Plan:
    """Leave out the cases in languages that are missing here, by name with the reason. It is still the same run."""
    sets = [replace(s, cases=tuple(case for case in s.cases if case.language not in missing)) for s in plan.eval_sets]
    kept = {(eval_set.id, case.id) for eval_set in sets for case in eval_set.cases}
    languages = [case.language for _, case in plan.cases()]
    return replace(
        plan,
        eval_sets=tuple(eval_set for eval_set in sets if eval_set.cases),
        attempts=tuple(each for each in plan.attempts if (each.eval_set_id, each.case_id) in kept),
        left_out=tuple(
            LeftOut(language=name, cases=languages.count(name), reason=reason)
            for name, reason in sorted(missing.items())
            if name in languages
        ),
    )


def _identity(generation: Generation, eval_sets: Sequence[EvalSet]) -> dict[str, object]:
    """Return the settings that distinguish the answers of one run from another's; defaults are left out."""
    overriding = {each.id: generation.settings_for(each) for each in eval_sets if each.generation != EMPTY}
    return {
        "temperature": generation.temperature,
        "max_tokens": generation.max_tokens,
        "seed": generation.settings.seed,
        "prompt_template_hash": generation.prompt_template_hash,
        **generation.non_default(),
        **({"eval_sets": overriding} if overriding else {}),
    }


def _run_name(eval_sets: Sequence[EvalSet], identity: object) -> str:
    digest = hashlib.sha256(msgspec.json.encode(identity)).hexdigest()[:10]
    label = eval_sets[0].id if len(eval_sets) == 1 else f"{len(eval_sets)}-sets"
    return f"{re.sub(r'[^A-Za-z0-9._-]', '-', label)}-{digest}"
