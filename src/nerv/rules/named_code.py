"""Code that requirements name: whether the result has it, and whether the run wrote it."""

from __future__ import annotations

import re

from nerv.evidence import Evidence
from nerv.inspection.languages import language_of, unsupported_language
from nerv.inspection.source import is_test_path, is_written
from nerv.matching.code_names import names_of, names_to_create, plain_name, surely_code, words_of
from nerv.matching.spec_names import DefinitionIndex, SpecName, is_built_in
from nerv.scorecard import Observation
from nerv.spec import SpecItem

_DOCUMENTS = (".md", ".markdown", ".rst", ".txt")
_TAKES_AWAY = re.compile(r"\b(?:remov|delet|drop|renam|replac|rid of|no longer|gone\b|go(?:es)? away)", re.I)
"""Words of a request after which a name may rightly be gone."""

_SIGNATURE = re.compile(r"(?:\*\*[^*`]+\*\*[:.]?\s+)?(?:the |an? )?`([A-Za-z_]\w*)\([^`]*\)[^`]*`", re.I)
"""What an item is about, perhaps behind a heading of its own."""
_OPTION = re.compile(r"(?<=`)--[A-Za-z][\w-]+")
"""An option with which a piece of code begins."""
_GOES = re.compile(
    r"`([A-Za-z_]\w*)(?:\(\))?`\s+(?:is|are|has been|goes|gets|must be|should be)\s+"
    r"(?:gone|away|removed|deleted|dropped)\b"
    r"|\b(?:remove|delete|drop|get rid of)\s+(?:the\s+)?(?:old\s+|deprecated\s+)?"
    r"(?:functions?\s+|methods?\s+)?`([A-Za-z_]\w*)(?:\(\))?`(?!\s+(?:from|of|in)\b)",
    re.I,
)


def words_in_result(evidence: Evidence) -> frozenset[str] | None:
    """Return every word in the code of the result, or None where not all of it is known."""
    repository = evidence.changes.repository
    if repository is None or repository.left_out:
        return None
    if any(unsupported_language(source.path) for source in evidence.changes.written):
        return None
    code = (file.text for file in repository.files if not file.path.lower().endswith(_DOCUMENTS))
    return words_of([*code, *repository.paths])


def words_taken_away(evidence: Evidence, *, of_tests: bool = True) -> frozenset[str]:
    """Return the words of the code that the run removed: a name that the base had is none to be added."""
    files = evidence.changes.diff.files if evidence.changes.diff is not None else ()
    code = (file for file in files if language_of(file.path) and (of_tests or not is_test_path(file.path)))
    return words_of(line for file in code for hunk in file.hunks for line in hunk.removed)


def absent_name(
    item: SpecItem,
    present: frozenset[str] | None,
    taken_away: frozenset[str] = frozenset(),
    *,
    to_create: bool = False,
) -> Observation | None:
    """Return an observation if neither the result nor what the run removed has a name that can only be code's.

    With `to_create`, only names count that the item asks for.
    """
    if not present or _TAKES_AWAY.search(re.sub("`[^`]*`", "", item.text)):
        return None
    names = names_to_create(item.text) if to_create else surely_code(item.text)
    absent = [name for name in names if plain_name(name) not in present | taken_away]
    if not absent:
        return None
    text = f"the result nowhere has {', '.join(f'`{name}`' for name in absent)}: {item.text}"
    return Observation(text=text, location=item.location)


def undefined_function(item: SpecItem, evidence: Evidence) -> Observation | None:
    """Return an observation if an item is about a function by its signature, and the result defines none of its name.

    The mere word may be there: `split` is also a method of texts.
    """
    code = _known_code(evidence)
    match = _SIGNATURE.match(item.text)
    if not code or match is None or _TAKES_AWAY.search(re.sub("`[^`]*`", "", item.text)):
        return None
    if is_built_in(match[1]) or _definition(match[1]).search(code) or _is_tested(match[1], evidence):
        return None
    return Observation(text=f"the result does not define `{match[1]}`: {item.text}", location=item.location)


def absent_option(item: SpecItem, evidence: Evidence) -> Observation | None:
    """Return an observation if an item gives an option of a command as code, and the result's code never has it.

    Some libraries take its name without dashes, and some the name of a variable.
    """
    code = _known_code(evidence)
    if not code or _TAKES_AWAY.search(re.sub("`[^`]*`", "", item.text)):
        return None
    for option in dict.fromkeys(_OPTION.findall(item.text)):
        name = option.lstrip("-")
        variable = re.escape(name).replace(r"\-", "[-_]?")
        declared = rf"(?<![\w-]){re.escape(option)}(?![\w-])|['\"`]{re.escape(name)}[\s'\"`,=]"
        field = rf"\b{variable}\s*:" if re.search(r"\bclap\b|\bstructopt\b|\bargh\b", code) else ""
        if not re.search(f"{declared}|{field}" if field else declared, code, re.I):
            return Observation(text=f"the result nowhere has `{option}`: {item.text}", location=item.location)
    return None


def remaining_function(item: SpecItem, evidence: Evidence) -> Observation | None:
    """Return an observation if an item says that a function is to go, and the result still defines it."""
    code = _known_code(evidence)
    for match in _GOES.finditer(item.text):
        name = match[1] or match[2]
        if code and _definition(name).search(code):
            return Observation(text=f"the result still defines `{name}`: {item.text}", location=item.location)
    return None


def _is_tested(name: str, evidence: Evidence) -> bool:
    """Return whether a test calls a function of this name: it may be defined in a way that is not seen."""
    repository = evidence.changes.repository
    call = re.compile(rf"\b{re.escape(name)}!?\s*\(")
    files = repository.files if repository is not None else ()
    return any(is_test_path(file.path) and call.search(file.text) for file in files)


def _known_code(evidence: Evidence) -> str:
    """Return the code of the result; empty where not all of it is known."""
    repository = evidence.changes.repository
    if repository is None or repository.left_out:
        return ""
    if any(unsupported_language(path) for path in repository.paths):
        return ""
    return "\n".join(file.text for file in repository.files if language_of(file.path) and not is_test_path(file.path))


def _definition(name: str) -> re.Pattern[str]:
    """Return a pattern for a definition of a name in any of the languages, also as a variable or an import."""
    word = re.escape(name)
    return re.compile(
        rf"\b(?:def|fn|func|function\*?|class|struct|enum|trait|type|interface|const|let|var|static|get|set|as|import)\s+"
        rf"(?:\([^)\n]*\)\s*)?{word}\b|^\s*(?:[\w<>\[\],.?]+\s+)*{word}\s*(?:<[^>\n]*>)?\([^\n]*\{{\s*$"
        rf"|\b{word}\s*[:=](?!=)|^\s*from\s+\S+\s+import\s[^\n]*\b{word}\b",
        re.M,
    )


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
