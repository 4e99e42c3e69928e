"""A comparison in each of its text formats; `renderers.html.comparison` is its page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import IO

from forgetest.comparison import Comparison
from forgetest.renderers.comparison import json, markdown, text

WRITERS: Mapping[str, Callable[[Comparison, IO[str]], None]] = {
    "text": text.write,
    "json": json.write,
    "markdown": markdown.write,
}
"""By the name of the format."""
