"""A page from its parts: one file, whose scripts and styles are inside and are the only ones that may run."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from typing import IO, Any

import msgspec

from forgetest.renderers import plots
from forgetest.report import FORMAT_VERSION


def write(
    stream: IO[str],
    *,
    skeleton: str,
    title: str,
    styles: Sequence[str],
    scripts: Sequence[str],
    data: Iterable[str],
    pictures: str = "",
) -> None:
    """Write the page: the skeleton's markers give way to the parts, and the data to what comes from its iterator."""
    style = "\n".join([plots.style(), *(_asset(name) for name in styles)])
    script = '"use strict";\n(() => {\n' + "\n".join(_asset(name) for name in scripts) + "\n})();\n"
    # what a model wrote is only ever text; should it become more, the browser still runs nothing but these
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    opening, closing = _asset(skeleton).split("@DATA@")
    for marker, part in {
        "@TITLE@": escape(title),
        "@POLICY@": escape(policy),
        "@VERSION@": str(FORMAT_VERSION),
        "@STYLE@": style,
        "@PICTURES@": pictures,
    }.items():
        opening = opening.replace(marker, part)
    stream.write(opening)
    stream.writelines(data)
    stream.write(closing.replace("@SCRIPT@", script))


def embedded(name: str, value: Any) -> str:
    """A value that scripts find by name. No text in it can end the element, or look like markup."""
    text = msgspec.json.encode(value).decode()
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return f'<script type="application/json" id="data-{name}">{text}</script>\n'


def _asset(name: str) -> str:
    return files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + b64encode(hashlib.sha256(text.encode()).digest()).decode()
