"""Generation settings: the one definition for forgetest.toml (`[generation]`), eval sets and the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from forgetest.files.schema import NON_EMPTY_TEXT, Key, ListOf, Number, Table, Text


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationSettings:
    """How models are asked; None where a setting is left open."""

    max_tokens: int | None = None
    top_p: float | None = None
    stop: tuple[str, ...] | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    system_prompt: str | None = None
    prompt_template: str | None = None

    def given(self) -> dict[str, Any]:
        """Return the settings that are not left open, by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None}

    def merged_over(self, other: GenerationSettings) -> GenerationSettings:
        """Return these settings, with those of the other where these leave one open."""
        return replace(other, **self.given())


EMPTY = GenerationSettings()


def read(table: Mapping[str, Any]) -> GenerationSettings:
    """Return the settings of a table that has been checked against KEYS."""
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in table.items()}
    return GenerationSettings(**values)


KEYS = Table(
    (
        Key("max_tokens", Number(whole=True, above=0), "Longest answer, in tokens"),
        Key("top_p", Number(above=0, most=1), "Sample only from the most likely tokens with this total probability"),
        Key("stop", ListOf(NON_EMPTY_TEXT), "Texts that end an answer"),
        Key("seed", Number(whole=True, least=0), "Makes sampling repeatable, where the model supports it"),
        Key("reasoning_effort", NON_EMPTY_TEXT, "Reasoning effort, as the model's API names it"),
        Key(
            "system_prompt",
            Text(),
            "Replaces the built-in system prompt; {language} is the case's, empty is none",
        ),
        Key(
            "prompt_template",
            Text(pattern=r"\{prompt\}", otherwise="must hold {prompt}, where the case's prompt is to stand"),
            "What a model is asked: {prompt}, {context} and {language} stand for the case's",
        ),
    )
)
