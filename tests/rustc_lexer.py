"""rustc's lexer, reached through a procedural macro, and our tokens in the same form."""

from __future__ import annotations

import re
import subprocess
import unicodedata
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from forgetest.toolchains.rust.source.lexer import code_start, end_of_block_comment, tokens

_MACRO = Path(__file__).with_name("rustc_tokens.rs")
_ENDS = {"(": ")", "[": "]", "{": "}"}


@cache
def _compiled_macro() -> Path:
    library = Path(mkdtemp(prefix="rustc-tokens-")) / "librustc_tokens.so"
    call = ["rustc", "--edition=2021", "--crate-type=proc-macro", "--crate-name=rustc_tokens", f"-o{library}"]
    subprocess.run([*call, str(_MACRO)], check=True, capture_output=True)
    return library


def rustc_tokens(texts: Sequence[str], edition: str) -> list[list[str] | None]:
    """Return rustc's tokens for each text, each with a letter for its kind; None if rustc does not accept the text.

    rustc reports an invalid literal, and returns it as a token all the same.
    """
    library = _compiled_macro()
    folder = Path(mkdtemp(dir=library.parent))
    contents = [text.encode() for text in texts]
    (folder / "texts").write_bytes(b"".join(b"%d\n%b" % (len(content), content) for content in contents))
    (folder / "call.rs").write_text(f'rustc_tokens::lex!("{folder}/texts" "{folder}/tokens");')
    call = ["rustc", f"--edition={edition}", "--crate-type=lib", "--emit=metadata", "-Awarnings"]
    call += [f"--extern=rustc_tokens={library}", f"-o{folder}/call.rmeta", f"{folder}/call.rs"]
    subprocess.run(call, check=False, stderr=subprocess.DEVNULL)
    answers = (folder / "tokens").read_text(encoding="utf-8").removesuffix("\n\n").split("\n\n")
    assert len(answers) == len(texts)
    return [None if answer.startswith("error") else answer.split("\n")[1:] for answer in answers]


def our_tokens(text: str) -> list[str]:
    """Return the tokens of our lexer in the form of rustc's."""
    written: list[str] = []
    position = code_start(text)
    for token in tokens(text):
        written += _doc_comments(text, position, token.start)
        position = token.end
        content = token.text.replace("\r\n", "\n")
        match token.kind:
            case "punctuation":
                written += [f"p{mark}" for mark in content]
            case "lifetime":
                written += ["p'", f"n{unicodedata.normalize('NFC', content[1:])}"]
            case "name":
                written.append(f"n{unicodedata.normalize('NFC', content)}")
            case _:
                written.append("l" + content.replace("\\", "\\\\").replace("\n", "\\n"))
    return [*written, *_doc_comments(text, position, len(text))]


def _doc_comments(text: str, position: int, end: int) -> list[str]:
    """Return the attributes that rustc makes of the doc comments between two tokens, without their texts."""
    written: list[str] = []
    while (position := text.find("/", position, end)) >= 0:
        kind = re.compile(r"//(?P<inner>!)|///(?!/)|/\*(?P<inner_block>!)|/\*\*(?![*/])").match(text, position)
        if kind:
            written += ["p#", *(["p!"] if kind["inner"] or kind["inner_block"] else []), "p[", "ndoc", "p=", "l", "p]"]
        if text.startswith("//", position):
            position = text.find("\n", position) % (len(text) + 1)
        else:
            position = end_of_block_comment(text, position) or end
    return written


def without_doc_texts(written: Sequence[str]) -> list[str]:
    """Leave out the texts of doc comments and of `#[doc = "…"]`."""
    found = list(written)
    for index in range(len(found) - 2):
        if found[index : index + 2] == ["ndoc", "p="] and found[index + 2].startswith("l"):
            found[index + 2] = "l"
    return found


def balanced(text: str) -> str:
    """Return the text with brackets added at its end, and without those that close nothing."""
    opened: list[str] = []
    kept: list[str] = []
    position = 0
    for token in tokens(text):
        if token.text in _ENDS:
            opened.append(_ENDS[token.text])
        elif token.text in _ENDS.values():
            if not opened or opened[-1] != token.text:
                kept.append(text[position : token.start])
                position = token.end
            else:
                opened.pop()
    return "".join([*kept, text[position:], "\n", *reversed(opened)])
