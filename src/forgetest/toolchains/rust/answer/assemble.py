"""The parts of a model's answer → the Rust program that they mean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from forgetest.language import AnswerParts
from forgetest.toolchains.rust.answer.items import Item, items
from forgetest.toolchains.rust.answer.program import INCIDENTAL, combine_blocks, definitions

_EXPRESSION = re.compile(r"\s*(?!.*[A-Za-z]{2} [A-Za-z]{2})(?:\w+|[\w(&*!\[{-].*[^.:!?\s])\s*")
"""A line that may be an expression: it does not read like prose."""

_EMPTY_MAIN = re.compile(r"fn\s+main\s*\(\s*\)\s*\{(?:\s|//.*)*\}\s*")


def assemble(parts: AnswerParts) -> str | None:
    """Return the program in an answer, or None.

    1. Code is looked for in blocks tagged as Rust; else in blocks without a tag; else in the text outside of blocks,
       without the lines that are no code; else in blocks with another tag, if a Rust function is in them. Items
       (functions, types …) that are cut off count where no whole ones are found, mere statements only where no items
       are. So blocks of shell commands, of settings and of example output are passed over. Where the blocks tagged as
       Rust hold only a `main` that is empty or uses what another place defines, both belong to the program.
    2. One block is taken as it stands. Several blocks are one program, put together in their order:
       - a block that only repeats lines of an earlier one, that holds a method without its `impl` or statements
         without a function, or that imports what another block defines (it is another file), is left out;
       - a block that defines again all that was defined before is the new version and stands alone
         (`main` and `mod tests` need not be repeated);
       - a block that defines some of it again replaces only that, unless it is a mere outline (`// ...`);
       - whatever is new is added; an import that is there already is not repeated.
       If no block is whole, the one with most whole items counts, and of equals the last.
    """
    tagged, untagged, foreign = (
        [items(code) for code in blocks] for blocks in (parts.tagged, parts.untagged, parts.foreign)
    )
    pieces = items(parts.outside)
    bare = list(_runs_of_code(pieces))
    with_function = [part for part in foreign if any(item.kind == "fn" for item in part)]
    tagged = _with_what_main_uses(tagged, (untagged, bare, with_function))
    program = (
        combine_blocks(tagged)
        or _richest(tagged)
        or combine_blocks(untagged)
        or combine_blocks(bare)
        or combine_blocks(with_function)
        or _richest(untagged)
        or _richest(bare)
        or next(reversed(tagged), None)
        or next((part for part in (*reversed(untagged), pieces) if _only_statements(part)), None)
    )
    return "".join(item.text for item in program) if program else None


def _runs_of_code(pieces: list[Item]) -> Iterator[list[Item]]:
    """Yield the runs of code between the prose."""
    run: list[Item] = []
    for piece in (*pieces, Item("prose", "", "")):
        if piece.kind != "prose":
            run.append(piece)
        elif any(item.defines for item in run):
            yield run
            run = []
        else:
            run = []


def _with_what_main_uses(tagged: list[list[Item]], others: Sequence[list[list[Item]]]) -> list[list[Item]]:
    """Return the tagged blocks, and before them those of another place where they are only an example of its use."""
    if not tagged or not definitions(tagged) <= INCIDENTAL:
        return tagged
    main = "".join(item.text[item.begins :] for part in tagged for item in part if item.kind == "fn")
    words = set(re.findall(r"\w+", main))
    for blocks in others:
        found = definitions(blocks) - INCIDENTAL if combine_blocks(blocks) else set()
        if found and (_EMPTY_MAIN.fullmatch(main) or words.intersection(name for _, name in found)):
            return [*blocks, *tagged]
    return tagged


def _richest(parts: list[list[Item]]) -> list[Item] | None:
    """Return the block with most whole items, the last of equals; None if none defines anything.

    An item that a program need not have, such as `main`, counts less than any other.
    """

    def riches(part: list[Item]) -> tuple[int, int]:
        whole = [item for item in part if item.complete]
        return sum(item.defines is not None and item.defines not in INCIDENTAL for item in whole), len(whole)

    some = [part for part in parts if any(item.defines for item in part)]
    return max(reversed(some), key=riches, default=None)


def _only_statements(pieces: list[Item]) -> bool:
    code = [item for item in pieces if item.kind not in ("prose", "comment")]
    prose = [item.text for item in pieces if item.kind == "prose"]
    return code != [] and all(map(_EXPRESSION.fullmatch, prose))
