"""Several blocks of Rust in one answer → the program that they form."""

from __future__ import annotations

import re

from forgetest.toolchains.rust.answer.items import Item

_MOST_BLOCKS = 200
"""Putting blocks together takes time that grows with the square of their number; only the last ones count."""
INCIDENTAL = {("value", "main"), ("type", "tests")}
"""Items that a new version of a program need not repeat."""


def combine_blocks(parts: list[list[Item]]) -> list[Item] | None:
    """Return the program in the blocks that are whole; None where none of them holds what matters."""
    whole = [part for part in parts if all(item.complete and not item.stray for item in part)][-_MOST_BLOCKS:]
    defined = definitions(whole)
    if not defined or (defined <= INCIDENTAL and not definitions(parts) <= INCIDENTAL):
        return None
    own_files = [part for part in whole if not _imports_from_others(part, whole)]
    program: list[Item] = []
    for part in own_files or whole:
        program = _combined(program, part) if program else part
    return program


def definitions(parts: list[list[Item]]) -> set[tuple[str, str]]:
    """Return what blocks define, each as the key that cannot be defined twice."""
    return {item.defines for part in parts for item in part if item.defines}


def _imports_from_others(part: list[Item], parts: list[list[Item]]) -> bool:
    others = [item for other in parts if other is not part for item in other]
    defined = {item.name for item in others if item.defines and item.kind != "impl"}
    return any(item.imports & defined for item in part)


def _combined(earlier: list[Item], later: list[Item]) -> list[Item]:
    """Merge two blocks; the later one wins where both define the same item."""
    if _distinct_lines(later) <= _distinct_lines(earlier):
        return earlier
    if _replaces(later, earlier):
        return later
    old = {item.defines: item for item in earlier if item.defines}
    imported = {name for item in earlier for name in item.imports}
    dropped: list[Item] = []
    added: list[Item] = []
    attributes: list[Item] = []
    for item in later:
        before = old.get(item.defines) if item.defines else None
        if item.kind == "attribute":
            attributes.append(item)
        elif before is None:
            if item.kind != "use" or not item.imports or not item.imports <= imported:
                added.append(item)
        elif item.outline and not before.outline:
            continue
        elif item.kind != "impl" or before.functions <= item.functions:
            dropped.append(before)
            added.append(item)
        elif " for " not in item.name and not before.functions & item.functions:
            added.append(item)
    kept = [item for item in earlier if not any(item is each for each in dropped)]
    # the compiler wants attributes of the whole program before anything else
    return [*_paragraph(attributes), *_paragraph(kept), *_paragraph(added)]


def _paragraph(pieces: list[Item]) -> list[Item]:
    """Return the pieces with no empty line before them and one after them."""
    if not pieces:
        return []
    first, *rest = pieces
    blank = len(first.text) - len(first.text.lstrip("\n"))
    *most, last = [first._replace(text=first.text[blank:], begins=max(0, first.begins - blank)), *rest]
    return [*most, last._replace(text=last.text.rstrip("\n") + "\n\n")]


def _replaces(later: list[Item], earlier: list[Item]) -> bool:
    """Return True if the later block is a new version of the whole earlier one."""
    old = {item.defines: item for item in earlier if item.defines}
    new = {item.defines: item for item in later if item.defines}
    common = old.keys() & new.keys()
    missing = old.keys() - new.keys() - INCIDENTAL
    if not common or missing or any(new[key].outline and not old[key].outline for key in common):
        return False
    brought = {name for item in later for name in (*item.imports, item.name)}
    wanted = {name for item in earlier for name in item.imports} - brought
    mentioned = set(re.findall(r"\w+", "".join(item.text for item in later)))
    return not wanted & mentioned


def _distinct_lines(part: list[Item]) -> set[str]:
    lines = {line.strip() for line in "".join(item.text for item in part).split("\n")}
    return {line for line in lines if line and not line.startswith("//")}
