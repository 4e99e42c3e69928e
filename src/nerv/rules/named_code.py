"""Code that requirements name: whether the result has it, and whether the run wrote it."""

from __future__ import annotations

import re

from nerv.evidence import Evidence
from nerv.inspection.languages import unsupported_language
from nerv.inspection.source import is_written
from nerv.matching.code_names import names_of, plain_name, words_of
from nerv.matching.spec_names import DefinitionIndex, SpecName
from nerv.scorecard import Observation
from nerv.spec import SpecItem

_DOCUMENTS = (".md", ".markdown", ".rst", ".txt")
_TAKES_AWAY = re.compile(r"\b(?:remov|delet|drop|renam|replac|rid of|no longer)", re.I)
"""Words of a request after which a name may rightly be gone."""


def words_in_result(evidence: Evidence) -> frozenset[str] | None:
    """Return every word in the code of the result, or None where not all of it is known."""
    repository = evidence.changes.repository
    if repository is None or repository.left_out:
        return None
    if any(unsupported_language(source.path) for source in evidence.changes.written):
        return None
    code = (file.text for file in repository.files if not file.path.lower().endswith(_DOCUMENTS))
    return words_of([*code, *repository.paths])


def absent_name(item: SpecItem, present: frozenset[str] | None) -> Observation | None:
    """Return an observation if the result nowhere has a name that an item gives as code."""
    if not present or _TAKES_AWAY.search(re.sub("`[^`]*`", "", item.text)):
        return None
    absent = [name for name in names_of(item.text) if plain_name(name) not in present]
    if not absent:
        return None
    text = f"the result nowhere has {', '.join(f'`{name}`' for name in absent)}: {item.text}"
    return Observation(text=text, location=item.location)


def named_definitions(evidence: Evidence, definition_index: DefinitionIndex) -> dict[int, tuple[str, Observation]]:
    """Return the items that name a function or a type whose file the run changed, each with the name."""
    changed = {
        source.path: words_of(line for index, line in enumerate(source.text.split("\n")) if is_written(source, index))
        for source in evidence.changes.written
    }
    found: dict[int, tuple[str, Observation]] = {}
    for index, item in enumerate(evidence.spec.items):
        for name in names_of(item.text):
            wanted = SpecName(kind="function", name=name, location=item.location)
            definition = definition_index.find(wanted)
            if definition is not None and changed.get(definition.location.file):
                text = f"{definition.location.file}, which defines `{name}`, was changed: {item.text[:100]}"
                found[index] = (name, Observation(text=text, location=definition.location))
                break
    return found
