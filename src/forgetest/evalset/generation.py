"""How models are asked, as forgetest.toml (`[generation]`) and eval sets (`[eval_set.generation]`) may say it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from forgetest.files.schema import SOME_TEXT, Key, ListOf, Number, Table, Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What is said of it; None where nothing is."""

    max_tokens: int | None = None
    top_p: float | None = None
    stop: tuple[str, ...] | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    system_prompt: str | None = None
    prompt_template: str | None = None

    def over(self, other: Asking) -> Asking:
        """The same, and what it leaves open as the other says."""
        mine = {field.name: getattr(self, field.name) for field in fields(self)}
        return Asking(**{name: getattr(other, name) if value is None else value for name, value in mine.items()})


NOTHING_SAID = Asking()


def read(table: Mapping[str, Any]) -> Asking:
    """A table that was checked before."""
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in table.items()}
    return Asking(**values)


KEYS = Table(
    (
        Key("max_tokens", Number(whole=True, above=0), "How long an answer may be"),
        Key("top_p", Number(above=0, most=1), "Only the likeliest tokens that make up this share are drawn from"),
        Key("stop", ListOf(SOME_TEXT), "Texts at which an answer ends"),
        Key("seed", Number(whole=True, least=0), "Makes sampling repeatable, where a model can"),
        Key("reasoning_effort", SOME_TEXT, "How much a model is to think, in the words of its API"),
        Key("system_prompt", Text(), "In place of ours; {language} stands for the case's, empty is none"),
        Key(
            "prompt_template",
            Text(pattern=r"\{prompt\}", otherwise="must hold {prompt}, where the case's prompt is to stand"),
            "What a model is asked: {prompt}, {context} and {language} stand for the case's",
        ),
    )
)
