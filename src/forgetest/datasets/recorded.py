"""Samples that a model has already written: JSON lines, checked once, and read again when each is judged."""

from __future__ import annotations

import hashlib
import os
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, NamedTuple

from forgetest.datasets import sample_lines
from forgetest.errors import InvalidInput, MachineryError, Problem, UserError
from forgetest.evalset import EvalSet
from forgetest.extraction import fences
from forgetest.files.printable import printable
from forgetest.files.schema import (
    NON_EMPTY_TEXT,
    Key,
    Number,
    PlainOrTable,
    Rule,
    SchemaError,
    Table,
    Text,
    key_text,
    nearest,
)
from forgetest.files.toml_lines import KeyPath
from forgetest.sample import Attempt, Completion, Usage

_CODE_KEYS = ("code", "solution", "completion")
_ANSWER = "answer"
"""Holds a whole response. It counts only if none of the others is there, and is ignored otherwise."""
_FREE_NUMBERS = ("cost_usd", "latency_ms")
_NAMES = ("case_id", "task_id", "eval_set", "model")
_MOST_PROBLEMS = 50


class Recording:
    """A file of samples. It stays open as long as this object; only the position of each line is in memory."""

    def __init__(
        self,
        file: IO[bytes],
        digest: str,
        lines: Mapping[Attempt, _Line],
        prompts: Mapping[tuple[str, str], str],
        shapes: _Shapes,
    ) -> None:
        self._file = file
        self._shapes = shapes
        self._lines = lines
        self._prompts = prompts
        self.attempts = sorted(lines)
        """The attempts in the file, in the order of reports."""
        self.hash = digest
        """SHA-256 of the unpacked content."""
        weakref.finalize(self, file.close)

    def completion(self, attempt: Attempt) -> Completion:
        """Read the sample of an attempt; safe from many threads."""
        line = self._lines[attempt]
        try:
            sample = _decoded(os.pread(self._file.fileno(), line.size, line.start))
        except (OSError, ValueError) as error:
            raise MachineryError(f"line {line.number} of the samples cannot be read any more: {error}") from None
        key = next((key for key in (*_CODE_KEYS, _ANSWER) if key in sample), None)
        if key is None or _case_id(sample) != attempt.case_id or self._shapes.errors(sample):
            raise MachineryError(f"line {line.number} of the samples has changed since it was checked")
        text = sample[key]
        # text that begins with a fence is a model's answer, and not a continuation of the prompt
        fenced = fences.opens(next((row for row in text.split("\n") if row.strip()), "")) is not None
        answer = fenced or key == _ANSWER
        if key == "completion" and not answer:
            text = self._prompts[attempt.eval_set_id, attempt.case_id] + text
        return Completion(
            text=text, verbatim=not answer, usage=_recorded_usage(sample), latency_ms=sample.get("latency_ms")
        )


class _Line(NamedTuple):
    number: int
    start: int
    size: int


def read(path: str | Path, eval_sets: Sequence[EvalSet]) -> Recording:
    """Check every line of a file (`-`: standard input); raise InvalidInput with all mistakes.

    A line is an object with `case_id` (or `task_id`) and the code as `code`, `solution`, or `completion`, which
    continues the case's prompt; or with a model's whole response as `answer`, from which the code is extracted, as
    it is from any of the others that begins with a fence. It may name `eval_set`, `model`, `attempt`, `tokens`,
    `cost_usd`, `latency_ms`; further keys are ignored, and null is the same as no key.
    """
    name = str(path)
    cases, shapes = _Cases(eval_sets), _Shapes()
    problems = _Problems(name)
    lines: dict[Attempt, _Line] = {}
    unnumbered: list[tuple[Attempt, _Line]] = []
    digest = hashlib.sha256()
    with ExitStack() as stack:
        file = stack.enter_context(sample_lines.open_samples(name))
        start = 0
        for number, raw in enumerate(sample_lines.lines(file, name), start=1):
            line = _Line(number, start, len(raw))
            start += len(raw)
            digest.update(raw)
            if not raw.strip():
                continue
            try:
                sample = _decoded(raw)
            except ValueError as error:
                problems.add(number, "", str(error))
                continue
            errors = [*shapes.errors(sample), *cases.errors(sample)]
            if not errors:
                number_given = sample.get("attempt", 0)
                attempt = Attempt(cases.eval_set_of(sample), _case_id(sample), *_model_of(sample, name), number_given)
                if not number_given:
                    unnumbered.append((attempt, line))
                elif (earlier := lines.setdefault(attempt, line)) is not line:
                    message = f"line {earlier.number} is this attempt of {attempt.model_name} at the case already"
                    errors.append(SchemaError(("attempt",), message, ()))
            for key, message, _ in errors:
                problems.add(number, key_text(key), message)
        if problems.count:
            raise problems.as_error()
        if not lines and not unnumbered:
            raise UserError(f"{name}: there is no sample in it")
        _assign_numbers(unnumbered, lines)
        stack.pop_all()  # from here on the recording keeps the file open
        return Recording(file, digest.hexdigest(), lines, cases.prompts, shapes)


def _assign_numbers(unnumbered: list[tuple[Attempt, _Line]], lines: dict[Attempt, _Line]) -> None:
    """Give each sample without an attempt number the next free one, in order."""
    last: dict[Attempt, int] = {}
    for subject, line in unnumbered:
        number = last.get(subject, 0) + 1
        while subject._replace(attempt=number) in lines:
            number += 1
        last[subject] = number
        lines[subject._replace(attempt=number)] = line


class _Problems:
    """The first problems of a file; a file may have any number, and the rest are only counted."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._first: list[Problem] = []
        self.count = 0

    def add(self, line: int, key: str, message: str) -> None:
        """Add a problem."""
        self.count += 1
        if self.count <= _MOST_PROBLEMS:
            self._first.append(Problem(file=self._file, line=line, key=key, message=message))

    def as_error(self) -> InvalidInput:
        """Return the error that lists them."""
        more = self.count - len(self._first)
        rest = [Problem(file=self._file, line=None, key="", message=f"… and {more} more")] if more else []
        return InvalidInput([*self._first, *rest])


class _Shapes:
    """Checks samples by `SAMPLE`; fast for those that differ from a valid one only in code and numbers."""

    def __init__(self) -> None:
        self._valid: set[tuple[object, ...]] = set()

    def errors(self, sample: Mapping[str, Any]) -> list[SchemaError]:
        """Return the mistakes in a sample."""
        shape = (*_keys_with_code(sample), *(sample.get(key) for key in _NAMES))
        try:
            if shape in self._valid and _has_plain_values(sample):
                return []
        except TypeError:  # a name that is a list or a table
            return list(SAMPLE.errors(sample, ()))
        found = list(SAMPLE.errors(sample, ()))
        if not found:
            self._valid.add(shape)
        return found


def _has_plain_values(sample: Mapping[str, Any]) -> bool:
    """Return whether everything but the names is certainly valid."""
    attempt = sample.get("attempt", 1)
    if "tokens" in sample or type(attempt) is not int or not 1 <= attempt < 10**15:
        return False
    for key in _FREE_NUMBERS:
        number = sample.get(key, 0)
        if type(number) not in (int, float) or not 0 <= number < 1e15:
            return False
    return all(type(sample[key]) is str for key in _keys_with_code(sample))


class _Cases:
    """The cases that samples can belong to."""

    def __init__(self, eval_sets: Sequence[EvalSet]) -> None:
        self.prompts = {(eval_set.id, case.id): case.prompt for eval_set in eval_sets for case in eval_set.cases}
        self._sets_with: dict[str, list[str]] = {}
        for set_id, case_id in self.prompts:
            self._sets_with.setdefault(case_id, []).append(set_id)

    def errors(self, sample: Mapping[str, Any]) -> Iterator[SchemaError]:
        """Yield the mistakes in the case that a sample names, if it names one."""
        case_id, set_id = _case_id(sample), sample.get("eval_set")
        if not isinstance(case_id, str) or not isinstance(set_id, str | None):
            return
        sets = self._sets_with.get(case_id)
        if sets is None:
            key = "case_id" if "case_id" in sample else "task_id"
            guess = nearest(case_id, self._sets_with)
            advice = f'; did you mean "{guess}"?' if guess else ""
            yield SchemaError((key,), f'no case "{case_id}" in the eval sets{advice}', ())
        elif set_id is None and len(sets) > 1:
            yield SchemaError(("eval_set",), f'missing key: "{case_id}" is a case of {" and ".join(sets)}', ())
        elif set_id is not None and set_id not in sets:
            yield SchemaError(("eval_set",), f'"{set_id}" has no case "{case_id}"; it is in {", ".join(sets)}', ())

    def eval_set_of(self, sample: Mapping[str, Any]) -> str:
        """Return the id of the eval set of a valid sample's case."""
        sets = self._sets_with[_case_id(sample)]
        return sets[0] if len(sets) == 1 else sets[sets.index(sample["eval_set"])]


def _decoded(raw: bytes) -> dict[str, Any]:
    return _without_nulls(sample_lines.decode(raw))


def _without_nulls(table: dict[str, Any]) -> dict[str, Any]:
    tokens = table.get("tokens")
    inner = {"tokens": _without_nulls(tokens)} if isinstance(tokens, dict) else {}
    return {key: value for key, value in (table | inner).items() if value is not None}


def _case_id(sample: Mapping[str, Any]) -> Any:
    return sample.get("case_id", sample.get("task_id"))


def _model_of(sample: Mapping[str, Any], file: str) -> tuple[str, str]:
    name = sample.get("model")
    if name is None:
        return "recorded", "stdin" if file == "-" else printable(Path(Path(file).name.removesuffix(".gz")).stem)
    provider, slash, model = name.partition("/")
    return (provider, model) if slash else ("recorded", name)


def _recorded_usage(sample: Mapping[str, Any]) -> Usage:
    tokens = sample.get("tokens", {})
    counts = tokens if isinstance(tokens, Mapping) else {"completion": tokens}
    return Usage(
        prompt_tokens=counts.get("prompt", counts.get("prompt_tokens")),
        completion_tokens=counts.get("completion", counts.get("completion_tokens")),
        cost_usd=sample.get("cost_usd"),
    )


def _keys_with_code(sample: Mapping[str, Any]) -> list[str]:
    return [key for key in _CODE_KEYS if key in sample] or [key for key in (_ANSWER,) if key in sample]


def _code_is_there(sample: Mapping[str, Any], at: KeyPath) -> Iterator[SchemaError]:
    given = _keys_with_code(sample)
    if not given:
        message = (
            "missing key; the code stands in code, solution, or (continuing the prompt) completion, "
            "a model's whole response in answer"
        )
        yield SchemaError((*at, "code"), message, at)
    elif given == [_ANSWER]:
        yield from Text().errors(sample[_ANSWER], (*at, _ANSWER))
    elif len(given) > 1:
        # one of them may be the reference solution that came with the task: ask instead of grading it
        yield SchemaError((*at, given[0]), f"{' and '.join(given)} are here; which is the sample? Keep one", at)


def _case_is_named(sample: Mapping[str, Any], at: KeyPath) -> Iterator[SchemaError]:
    if _case_id(sample) is None:
        yield SchemaError((*at, "case_id"), "missing key", at)


_COUNT = Number(whole=True, least=0)

SAMPLE = Table(
    (
        Key("case_id", NON_EMPTY_TEXT, "The case that the sample answers"),
        Key("task_id", NON_EMPTY_TEXT, "The same, as other tools call it"),
        Key("eval_set", NON_EMPTY_TEXT, "The id of the case's eval set, needed where several hold that case"),
        Key("code", Text(), "The code as it stands"),
        Key("solution", Text(), "The same, as other tools call it"),
        Key("completion", Text(), "Code that continues the case's prompt"),
        Key(
            "model",
            Text(pattern=r"^[^/]*[^/\s][^/]*(?:/.*\S.*)?$", otherwise="must be provider/model, or a model's name"),
            "Who wrote it",
        ),
        Key("attempt", Number(whole=True, least=1), "Which try it is; numbered in order where it is absent"),
        Key(
            "tokens",
            PlainOrTable(
                _COUNT,
                Table(
                    tuple(
                        Key(name, _COUNT, "How many tokens")
                        for name in ("prompt", "completion", "prompt_tokens", "completion_tokens")
                    ),
                    allows_unlisted=True,
                ),
            ),
            "Tokens of the answer, or of prompt and completion",
        ),
        Key("cost_usd", Number(least=0), "What it cost"),
        Key("latency_ms", Number(least=0), "How long the model took"),
    ),
    rules=(Rule(_case_is_named), Rule(_code_is_there)),
    allows_unlisted=True,
)
