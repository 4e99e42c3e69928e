"""A page from its parts: one file with its scripts and styles inside; nothing else may run."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from typing import IO, Any

import msgspec

from forgetest.files.printable import terminal_safe_json
from forgetest.renderers import plots
from forgetest.report import FORMAT_VERSION

_NO_SCRIPT = (
    '<noscript><p class="notice">This page draws its tables with the script inside it; it fetches nothing. '
    "Allow scripts to see them.</p></noscript>"
)


def write(
    stream: IO[str],
    *,
    body: str,
    title: str,
    styles: Sequence[str],
    scripts: Sequence[str],
    data: Iterable[str],
    pictures: str = "",
) -> None:
    """Write the page: the parts replace the markers of the frame, and `data` is written while it is iterated."""
    style = "\n".join([plots.style(), *(_asset(name) for name in styles)])
    script = '"use strict";\n(() => {\n' + "\n".join(_asset(name) for name in scripts) + "\n})();\n"
    # text of a model is only ever shown as text; should that fail, the browser still runs nothing but these
    policy = (
        f"default-src 'none'; script-src '{_integrity_hash(script)}'; style-src '{_integrity_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    parts = {
        "TITLE": escape(title),
        "POLICY": escape(policy),
        "VERSION": str(FORMAT_VERSION),
        "STYLE": style,
        "BODY": _asset(body).replace("@NOSCRIPT@", _NO_SCRIPT).replace("@PICTURES@", pictures),
    }
    opening, closing = _asset("frame.html").split("@DATA@")
    # in a single pass: inserted text is not searched for markers
    stream.write(re.sub("@([A-Z]+)@", lambda marker: parts[marker[1]], opening))
    stream.writelines(data)
    stream.write(closing.replace("@SCRIPT@", script))


def embedded(name: str, value: Any) -> str:
    """Return an element with a value that scripts find by name; no text in it can look like markup."""
    text = terminal_safe_json(msgspec.json.encode(value).decode())
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return f'<script type="application/json" id="data-{name}">{text}</script>\n'


def _asset(name: str) -> str:
    return files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


def _integrity_hash(text: str) -> str:
    return "sha256-" + b64encode(hashlib.sha256(text.encode()).digest()).decode()
