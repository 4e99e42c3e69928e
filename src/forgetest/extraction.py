"""A model's text → the code in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from forgetest import fences, rust_items
from forgetest.fences import Block
from forgetest.rust_items import Item

_TAGS = {
    "rust": {"rust", "rs"},
    "python": {"python", "py", "python3"},
    "javascript": {"javascript", "js", "node"},
    "typescript": {"typescript", "ts"},
    "go": {"go", "golang"},
    "cpp": {"cpp", "c++", "cc", "cxx"},
}
_MARKDOWN = {"markdown", "md"}
_DIFFERENCES = {"diff", "patch"}
_REASONING = "think|thinking|thought|reasoning"
_EXPRESSION = re.compile(r"\s*(?!.*[A-Za-z]{2} [A-Za-z]{2})(?:\w+|[\w(&*!\[{-].*[^.:!?\s])\s*")
"""A line that may be the value of a block: it does not read like words in a row."""
_MOST_NESTED = 4


def extract(text: str, language: str = "rust") -> str | None:
    """The code in an answer, ending in a newline; None where there is none.

    1. Reasoning (`<think>…</think>`, also where the opening tag is missing) is taken away.
    2. Code is looked for in fenced blocks tagged with the language, else in blocks without a tag, else in the
       text outside of blocks, else (Rust only) in blocks with another tag that define a whole function. Whole
       items (functions, types …) are looked for in all these places before items that are cut off, and those
       before lines that are only statements. So a block of shell commands, of settings or of example output
       is passed over. Of text outside of blocks, lines that are not code are left away. A block that is
       Markdown itself, or that begins with a fence, is looked into.
    3. One block is taken as it stands. Several blocks of Rust are one program, put together in their order:
       - a block that repeats lines of an earlier one, holds a method without its `impl` or statements without
         a function, or imports what another block defines (it is another file), is left out;
       - a block that defines again all that was defined before is the new version and stands alone
         (`main` and `mod tests` need not be repeated);
       - a block that defines some of it again replaces only that, unless it is a mere outline (`// ...`);
       - whatever is new is added; an import that is there already is not repeated.
       If no block is whole, the one with most whole items counts, and of equals the last. In other languages
       the longest block counts.
    """
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    tagged, untagged, foreign, outside = _places(_without_reasoning(plain), language, _MOST_NESTED)
    if language != "rust":
        blocks = tagged or untagged
        return _tidy(max(blocks, key=len)) if blocks else _bare(outside)
    in_tagged, in_untagged = list(map(rust_items.items, tagged)), list(map(rust_items.items, untagged))
    pieces = rust_items.items(outside)
    bare = list(_runs_of_code(pieces))
    alien = [part for part in map(rust_items.items, foreign) if any(item.kind == "fn" for item in part)]
    for place in (in_tagged, in_untagged, bare, alien):
        whole = [part for part in place if all(item.complete and not item.stray for item in part)]
        if any(item.defines for part in whole for item in part):
            return _text(_program(whole))
    for place in (in_tagged, in_untagged, bare):
        some = [part for part in place if any(item.defines for item in part)]
        if some:
            return _text(max(reversed(some), key=lambda part: sum(item.complete for item in part)))
    statements = in_tagged or [part for part in (pieces, *in_untagged) if _only_statements(part)]
    return _text(statements[-1]) if statements else None


def _without_reasoning(text: str) -> str:
    while opening := re.match(rf"\s*<({_REASONING})>", text, re.IGNORECASE):
        closing = re.compile(f"</{opening[1]}>|\\Z").search(text, opening.end())
        text = text[closing.end() :] if closing else ""
    # the chat templates of some models open the reasoning, so that their answer only closes it
    closing = re.search(rf"^[ \t]*</({_REASONING})>|</({_REASONING})>[ \t]*$", text, re.IGNORECASE | re.MULTILINE)
    if closing is None or (closing[2] and fences.split(text[: closing.start()])[0]):
        return text
    opening = re.search(rf"^[ \t]*<{closing[1] or closing[2]}>", text[: closing.start()], re.MULTILINE)
    return (text[: opening.start()] if opening else "") + text[closing.end() :]


def _places(text: str, language: str, nested: int) -> tuple[list[str], list[str], list[str], str]:
    """The code in blocks tagged with the language, with none, with another; and the text outside of blocks."""
    tagged: list[str] = []
    untagged: list[str] = []
    foreign: list[str] = []
    blocks, outside = fences.split(text)
    tags = _TAGS.get(language, {language})
    for block in blocks:
        code, tag = _first_line(block, language) + block.code, block.tag
        if code != block.code and tag not in tags:
            tag = ""
        if not code.strip() or tag in _DIFFERENCES:
            continue
        if nested and _holds_blocks(tag, code, tags):
            inner = _places(code, language, nested - 1)
            for mine, theirs in zip((tagged, untagged, foreign), inner, strict=False):
                mine += theirs
        elif tag in tags:
            tagged.append(code)
        elif tag in ("", "code", "none"):
            untagged.append(code)
        else:
            foreign.append(code)
    return tagged, untagged, foreign, outside


def _first_line(block: Block, language: str) -> str:
    """Code that stands on the line of the opening fence, where it should not."""
    if language == "rust":
        for info in (block.info, block.info.partition(" ")[2]):
            if rust_items.begins_item(info):
                return info + "\n"
    return ""


def _holds_blocks(tag: str, code: str, tags: set[str]) -> bool:
    openings = [fences.opens(line) for line in code.split("\n") if line.strip()]
    if openings[0] is not None:
        return True
    found = [opening.tag for opening in openings if opening is not None]
    return (tag in _MARKDOWN and found != []) or (tag == "" and any(each in tags for each in found))


def _runs_of_code(pieces: list[Item]) -> Iterator[list[Item]]:
    """The stretches of code between the prose."""
    run: list[Item] = []
    for piece in (*pieces, Item("prose", "", "")):
        if piece.kind != "prose":
            run.append(piece)
        elif any(item.defines for item in run):
            yield run
            run = []
        else:
            run = []


def _program(parts: list[list[Item]]) -> list[Item]:
    """One program from several whole blocks."""
    own_files = [part for part in parts if not _imports_from_others(part, parts)]
    program: list[Item] = []
    for part in own_files or parts:
        program = _combined(program, part) if program else part
    return program


def _imports_from_others(part: list[Item], parts: list[list[Item]]) -> bool:
    others = [item for other in parts if other is not part for item in other]
    defined = {item.name for item in others if item.defines and item.kind != "impl"}
    return any(item.imports & defined for item in part)


def _combined(earlier: list[Item], later: list[Item]) -> list[Item]:
    """Two blocks as one: the later one wins where both define the same."""
    if _lines(later) <= _lines(earlier):
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
    """Pieces with no empty line before them and one behind."""
    if not pieces:
        return []
    first, *rest = pieces
    blank = len(first.text) - len(first.text.lstrip("\n"))
    *most, last = [first._replace(text=first.text[blank:], begins=max(0, first.begins - blank)), *rest]
    return [*most, last._replace(text=last.text.rstrip("\n") + "\n\n")]


def _replaces(later: list[Item], earlier: list[Item]) -> bool:
    """Whether the later block is a new version of all that the earlier one is for."""
    old = {item.defines: item for item in earlier if item.defines}
    new = {item.defines: item for item in later if item.defines}
    common = old.keys() & new.keys()
    missing = old.keys() - new.keys() - {("value", "main"), ("type", "tests")}
    if not common or missing or any(new[key].outline and not old[key].outline for key in common):
        return False
    brought = {name for item in later for name in (*item.imports, item.name)}
    wanted = {name for item in earlier for name in item.imports} - brought
    mentioned = set(re.findall(r"\w+", _text(later)))
    return not wanted & mentioned


def _lines(part: list[Item]) -> set[str]:
    lines = {line.strip() for line in _text(part).split("\n")}
    return {line for line in lines if line and not line.startswith("//")}


def _only_statements(pieces: list[Item]) -> bool:
    statements = [item for item in pieces if item.kind == "statement"]
    prose = [item.text for item in pieces if item.kind == "prose"]
    return statements != [] and all(map(_EXPRESSION.fullmatch, prose))


def _bare(text: str) -> str | None:
    """The text, if most of its lines look like code of some language."""
    lines = [line for line in text.split("\n") if line.strip()]
    code = re.compile(r".*[;{}:(,\[\])]|\s+\S.*|(?:import|from|package|use|using|#include|//|#)\b.*|.*\S\s*=\s*\S.*")
    like_code = sum(code.fullmatch(line) is not None for line in lines)
    return _tidy(text) if like_code * 2 > len(lines) else None


def _text(pieces: list[Item]) -> str:
    return _tidy("".join(item.text for item in pieces))


def _tidy(code: str) -> str:
    """The code without empty lines around it, ending in one newline."""
    lines = code.split("\n")
    written = [number for number, line in enumerate(lines) if line.strip()]
    return "\n".join(lines[written[0] : written[-1] + 1]) + "\n" if written else ""
