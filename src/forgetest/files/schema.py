"""A description of the keys of a file that checks values and writes their JSON Schema."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from forgetest.files.toml_lines import KeyPath

Schema = dict[str, Any]


class SchemaError(NamedTuple):
    """One mistake in a value; `about` is the key or table whose line is shown."""

    key: KeyPath
    message: str
    about: KeyPath


class Kind(Protocol):
    """A kind of value."""

    def errors(self, value: object, at: KeyPath) -> Iterator[SchemaError]:
        """Yield every mistake in `value`, which is at `at`."""

    def schema(self) -> Schema:
        """Return the JSON Schema of such values."""


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    def errors(self, value: object, at: KeyPath) -> Iterator[SchemaError]:
        """Yield every mistake in `value`."""
        if not isinstance(value, bool):
            yield _wrong_type("true or false", value, at)

    def schema(self) -> Schema:
        """Return the JSON Schema of flags."""
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A string; `otherwise` is the error if `pattern` is not found in it."""

    pattern: str | None = None
    otherwise: str = ""
    choices: tuple[str, ...] = ()

    def errors(self, value: object, at: KeyPath) -> Iterator[SchemaError]:
        """Yield every mistake in `value`."""
        if not isinstance(value, str):
            yield _wrong_type("a string", value, at)
        elif self.choices and value not in self.choices:
            yield SchemaError(at, f'"{value}" is none of {", ".join(self.choices)}', at)
        elif self.pattern is not None and not re.search(self.pattern, value):
            yield SchemaError(at, self.otherwise, at)

    def schema(self) -> Schema:
        """Return the JSON Schema of such strings."""
        schema: Schema = {"type": "string"}
        if self.choices:
            schema["enum"] = list(self.choices)
        if self.pattern is not None:
            schema["pattern"] = self.pattern
        return schema


NON_EMPTY_TEXT = Text(pattern=r"\S", otherwise="must not be empty")


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number within bounds."""

    whole: bool = False
    above: float | None = None
    least: float | None = None
    most: float | None = None

    def errors(self, value: object, at: KeyPath) -> Iterator[SchemaError]:
        """Yield every mistake in `value`."""
        wanted = "a whole number" if self.whole else "a number"
        # in Python, True is an int
        if isinstance(value, bool) or not isinstance(value, int if self.whole else int | float):
            yield _wrong_type(wanted, value, at)
        elif isinstance(value, int) and abs(value) >> 63:
            yield SchemaError(at, "must be less than 2 to the power of 63", at)
        elif not math.isfinite(value):
            yield SchemaError(at, f"must be finite, not {value}", at)
        elif self.above is not None and value <= self.above:
            yield SchemaError(at, f"must be more than {self.above:g}, not {value}", at)
        elif self.least is not None and value < self.least:
            yield SchemaError(at, f"must be at least {self.least:g}, not {value}", at)
        elif self.most is not None and value > self.most:
            yield SchemaError(at, f"must be at most {self.most:g}, not {value}", at)

    def schema(self) -> Schema:
        """Return the JSON Schema of such numbers."""
        bounds = {"exclusiveMinimum": self.above, "minimum": self.least, "maximum": self.most}
        schema: Schema = {"type": "integer" if self.whole else "number"}
        return schema | {name: bound for name, bound in bounds.items() if bound is not None}


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of values of one kind."""

    kind: Kind

    def errors(self, value: object, at: KeyPath) -> Iterator[SchemaError]:
        """Yield every mistake in `value`."""
        if not isinstance(value, list):
            yield _wrong_type("a list", value, at)
            return
        for position, item in enumerate(value):
            yield from self.kind.errors(item, (*at, position))

    def schema(self) -> Schema:
        """Return the JSON Schema of such lists."""
        return {"type": "array", "items": self.kind.schema()}


@dataclass(frozen=True, slots=True)
class PlainOrTable:
    """A table of one kind, or a plain value of another."""

    plain: Kind
    table: Table

    def errors(self, value: object, at: KeyPath) -> Iterator[SchemaError]:
        """Yield every mistake in `value`."""
        kind = self.table if isinstance(value, Mapping) else self.plain
        return kind.errors(value, at)

    def schema(self) -> Schema:
        """Return the JSON Schema of either."""
        return {"anyOf": [self.plain.schema(), self.table.schema()]}


@dataclass(frozen=True, slots=True)
class Key:
    """A key that a table may hold."""

    name: str
    kind: Kind
    about: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A condition on several keys of a table, checked once their values are of the right kinds."""

    errors: Callable[[Mapping[str, Any], KeyPath], Iterable[SchemaError]]
    schema: Schema = field(default_factory=dict)
    """The same condition in JSON Schema, as far as it can express it."""


@dataclass(frozen=True, slots=True)
class Table:
    """Keys with values."""

    keys: tuple[Key, ...]
    rules: tuple[Rule, ...] = ()
    allows_unlisted: bool = False
    """True if other keys are allowed, with any values."""
    unlisted: Kind | None = None
    """The kind of the values of other keys, which are allowed then."""
    misplaced: Mapping[str, str] = field(default_factory=dict)
    """Keys that people put here by mistake, and where they belong."""

    def errors(self, value: object, at: KeyPath) -> Iterator[SchemaError]:
        """Yield every mistake in `value`."""
        if not isinstance(value, Mapping):
            yield _wrong_type("a table", value, at)
            return
        known = {key.name: key for key in self.keys}
        others = [name for name in value if name not in known]
        unknown = [] if self.allows_unlisted or self.unlisted else others
        guesses = {name: nearest(name, known) for name in unknown if name not in self.misplaced}
        for name in unknown:
            yield SchemaError((*at, name), self._unknown(name, guesses.get(name)), (*at, name))
        valid = not unknown
        for name, key in known.items():
            if name in value:
                found = list(key.kind.errors(value[name], (*at, name)))
                valid = valid and not found
                yield from found
            elif key.required:
                valid = False
                if name not in guesses.values():  # a misspelt key is one mistake, not two
                    yield SchemaError((*at, name), "missing key", at)
        if self.unlisted is not None:
            for name in others:
                yield from self.unlisted.errors(value[name], (*at, name))
        if valid:
            for rule in self.rules:
                yield from rule.errors(value, at)

    def _unknown(self, name: str, guess: str | None) -> str:
        if name in self.misplaced:
            return f"unknown key here; it belongs {self.misplaced[name]}"
        if guess is not None:
            return f'unknown key; did you mean "{guess}"?'
        return f"unknown key; known here: {', '.join(key.name for key in self.keys)}"

    def schema(self) -> Schema:
        """Return the JSON Schema of such tables."""
        schema: Schema = {
            "type": "object",
            "properties": {key.name: {"description": key.about, **key.kind.schema()} for key in self.keys},
        }
        required = [key.name for key in self.keys if key.required]
        if required:
            schema["required"] = required
        if self.unlisted is not None:
            schema["additionalProperties"] = self.unlisted.schema()
        elif not self.allows_unlisted:
            schema["additionalProperties"] = False
        rules = [rule.schema for rule in self.rules if rule.schema]
        if rules:
            schema["allOf"] = rules
        return schema


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that was probably meant, or None."""
    by_lower_case = {candidate.lower(): candidate for candidate in known}
    matches = difflib.get_close_matches(name.lower(), by_lower_case, n=1)
    return by_lower_case[matches[0]] if matches else None


def key_text(path: KeyPath) -> str:
    """Return a key path as messages show it: `cases[2].prompt`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


def _wrong_type(wanted: str, value: object, at: KeyPath) -> SchemaError:
    return SchemaError(at, f"must be {wanted}, not {_value_description(value)}", at)


def _value_description(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return "a string"
        case int() | float():
            return f"the number {value}"
        case list():
            return "a list"
        case Mapping():
            return "a table"
        case _:
            return "a date or time"
