"""A model's text → the code in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from forgetest import rust_items
from forgetest.extraction import fences
from forgetest.extraction.fences import Block
from forgetest.rust_items import Item
from forgetest.rust_program import assemble

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
    2. Code is looked for in fenced blocks tagged with the language; else in blocks without a tag; else in the
       text outside of blocks, without the lines that are no code; else in blocks with another tag, if a Rust
       function is in them. Items (functions, types …) that are cut off count where no whole ones are found,
       mere statements only where no items are. So blocks of shell commands, of settings and of example output
       are passed over. A block that is Markdown itself, or that begins with a fence, is looked into.
    3. One block is taken as it stands. Several blocks of Rust are one program, put together in their order:
       - a block that only repeats lines of an earlier one, that holds a method without its `impl` or statements
         without a function, or that imports what another block defines (it is another file), is left out;
       - a block that defines again all that was defined before is the new version and stands alone
         (`main` and `mod tests` need not be repeated);
       - a block that defines some of it again replaces only that, unless it is a mere outline (`// ...`);
       - whatever is new is added; an import that is there already is not repeated.
       If no block is whole, the one with most whole items counts, and of equals the last. In other languages
       the longest block counts.
    """
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    places, outside = _places(_without_reasoning(plain), language, _MOST_NESTED)
    if language != "rust":
        tagged, untagged, _ = places
        blocks = tagged or untagged
        return _tidy(max(blocks, key=len)) if blocks else _bare(outside)
    in_tagged, in_untagged, in_foreign = ([rust_items.items(code) for code in each] for each in places)
    pieces = rust_items.items(outside)
    bare = list(_runs_of_code(pieces))
    with_function = [part for part in in_foreign if any(item.kind == "fn" for item in part)]
    found = (
        assemble(in_tagged)
        or _richest(in_tagged)
        or assemble(in_untagged)
        or assemble(bare)
        or assemble(with_function)
        or _richest(in_untagged)
        or _richest(bare)
        or next(reversed(in_tagged), None)
        or next((part for part in (*reversed(in_untagged), pieces) if _only_statements(part)), None)
    )
    return _tidy("".join(item.text for item in found)) if found else None


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


def _places(text: str, language: str, nested: int) -> tuple[tuple[list[str], list[str], list[str]], str]:
    """The code in blocks tagged with the language, with none, with another; and the text outside of blocks."""
    places: tuple[list[str], list[str], list[str]] = ([], [], [])
    tagged, untagged, foreign = places
    blocks, outside = fences.split(text)
    tags = _TAGS.get(language, {language})
    for block in blocks:
        code, tag = _first_line(block, language) + block.code, block.tag
        if code != block.code and tag not in tags:
            tag = ""
        if not code.strip() or tag in _DIFFERENCES:
            continue
        if nested and _holds_blocks(tag, code, tags):
            inner, _ = _places(code, language, nested - 1)
            for mine, theirs in zip(places, inner, strict=True):
                mine += theirs
        elif tag in tags:
            tagged.append(code)
        elif tag in ("", "code", "none"):
            untagged.append(code)
        else:
            foreign.append(code)
    return places, outside


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


def _richest(parts: list[list[Item]]) -> list[Item] | None:
    """The block that holds most whole items, of equals the last; None where none holds any, not even a part."""
    some = [part for part in parts if any(item.defines for item in part)]
    return max(reversed(some), key=lambda part: sum(item.complete for item in part), default=None)


def _only_statements(pieces: list[Item]) -> bool:
    code = [item for item in pieces if item.kind not in ("prose", "comment")]
    prose = [item.text for item in pieces if item.kind == "prose"]
    return code != [] and all(map(_EXPRESSION.fullmatch, prose))


def _bare(text: str) -> str | None:
    """The text, if most of its lines look like code of some language."""
    lines = [line for line in text.split("\n") if line.strip()]
    code = re.compile(r".*[;{}:(,\[\])]|\s+\S.*|(?:import|from|package|use|using|#include|//|#)\b.*|.*\S\s*=\s*\S.*")
    like_code = sum(code.fullmatch(line) is not None for line in lines)
    return _tidy(text) if like_code * 2 > len(lines) else None


def _tidy(code: str) -> str:
    """The code without empty lines around it, ending in one newline."""
    lines = code.split("\n")
    written = [number for number, line in enumerate(lines) if line.strip()]
    return "\n".join(lines[written[0] : written[-1] + 1]) + "\n" if written else ""
