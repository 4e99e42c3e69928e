"""Examples in prompts: calls with the value that they are said to have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from forgetest.toolchains.probing import closing

_VALUE = re.compile(r"\s*(?:==|=>|->|➞|→|returns?\b|gives?\b|is\b|should return\b|\n(?!\s*>>>))\s*`?([^\n`]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptExample:
    """A call and its value, as the prompt writes them."""

    arguments: str
    value: str


def examples(prompt: str, function: str) -> Iterator[PromptExample]:
    """Yield what looks like an example of a function: `f(1, 2) == 3`, `f(1, 2) -> 3`, or as in a Python session."""
    for call in re.finditer(rf"(?<![\w.]){re.escape(function)}\(", prompt):
        end = closing(prompt, call.end())
        if end is None:
            continue
        value = _VALUE.match(prompt, end + (prompt[end : end + 1] == "`"))
        if value is not None:
            text = value[1].strip().rstrip(".,;")
            yield PromptExample(arguments=prompt[call.end() : end - 1], value=text)
