"""Names after each language's convention, and names that say nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nerv.inspection.languages import name_of
from nerv.inspection.values import Issue, ParsedFile

_EMPTY = re.compile(r"(?:tmp|temp|foo|bar|baz|func|function|stuff|thing|doit|do_it|asdf|test|helper)\d*|[a-z]\d+", re.I)
_WEIGHT = 0.5


def names(parsed: ParsedFile) -> Iterator[Issue]:
    """Functions and types whose names break the convention, or say nothing of what they are."""
    language = parsed.language
    for node in parsed.nodes:
        is_function = node.type in language.functions
        if not (is_function or node.type in language.types) or not parsed.own(node):
            continue
        name = name_of(node)
        if not name or name.startswith(("[", '"', "'", "#")):
            continue
        convention = language.function_names if is_function else language.type_names
        if not re.fullmatch(convention, name):
            yield parsed.issue("name", node, f"{name} is not named as {language.name} names things", _WEIGHT)
        elif is_function and not parsed.is_test and _EMPTY.fullmatch(name):
            yield parsed.issue("name", node, f"{name} says nothing of what it does", _WEIGHT)
