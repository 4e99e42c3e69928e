"""Names that the tests take from a sample, read off what the compiler does not find."""

from __future__ import annotations

import re

from forgetest.toolchains.rust.compile.build import Recipe
from forgetest.toolchains.rust.compile.diagnostics import Remark
from forgetest.toolchains.rust.source.lexer import tokens

_UNRESOLVED = re.compile("E0(404|405|412|422|423|425|432|433|531|532|574)")


def not_found(remark: Remark) -> set[str]:
    """The names that the compiler does not find."""
    if not _UNRESOLVED.fullmatch(remark.diagnostic.code or ""):
        return set()
    paths = re.findall(r"`([^`]+)`", remark.diagnostic.message.split("` in `")[0])
    return {path.rpartition("::")[2].strip() for path in paths}


def mentioned(recipe: Recipe) -> set[str]:
    """The names in our text that could be the sample's."""
    texts = [recipe.test_file.body, *(item.pin or "" for item in recipe.pins)]
    names = {token.text for text in texts for token in tokens(text) if token.is_name}
    return names - {"super", "self", "crate", "Self"}
