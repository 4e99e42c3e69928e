"""Last list prices of models that are no longer offered, for logs of their time, and the plain name of a model.

Claude's are those of the vendor's price page in the spring of 2026 (deprecated and retired models included); the others
are the last ones that the vendor listed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from forgetest.pricing import Price

# fmt: off
OLDER_PRICES: Mapping[str, Price] = {
    # model                      input output cached  write longest
    "claude-opus-4-1":     Price(15.00, 75.00, 1.50, 18.75),
    "claude-opus-4":       Price(15.00, 75.00, 1.50, 18.75),
    "claude-sonnet-4":     Price( 3.00, 15.00, 0.30,  3.75, 200_000),
    "claude-3-7-sonnet":   Price( 3.00, 15.00, 0.30,  3.75),
    "claude-3-5-sonnet":   Price( 3.00, 15.00, 0.30,  3.75),
    "claude-3-5-haiku":    Price( 0.80,  4.00, 0.08,  1.00),
    "claude-3-opus":       Price(15.00, 75.00, 1.50, 18.75),
    "claude-3-sonnet":     Price( 3.00, 15.00, 0.30,  3.75),
    "claude-3-haiku":      Price( 0.25,  1.25, 0.03,  0.30),
    "gpt-3.5-turbo":       Price( 0.50,  1.50),
    "gpt-4":               Price(30.00, 60.00),
    "gpt-4-32k":           Price(60.00, 120.00),
    "gpt-4-turbo":         Price(10.00, 30.00),
    "gpt-4.5-preview":     Price(75.00, 150.00, 37.50),
    "gpt-4o":              Price( 2.50, 10.00, 1.25),
    "gpt-4o-2024-05-13":   Price( 5.00, 15.00),
    "gpt-4o-mini":         Price( 0.15,  0.60, 0.075),
    "gpt-4.1-mini":        Price( 0.40,  1.60, 0.10),
    "gpt-4.1-nano":        Price( 0.10,  0.40, 0.025),
    "gpt-5-codex":         Price( 1.25, 10.00, 0.125),
    "gpt-5.1":             Price( 1.25, 10.00, 0.125),
    "gpt-5.1-codex":       Price( 1.25, 10.00, 0.125),
    "gpt-5.1-codex-mini":  Price( 0.25,  2.00, 0.025),
    "gpt-5.2":             Price( 1.75, 14.00, 0.175),
    "gpt-5.2-codex":       Price( 1.75, 14.00, 0.175),
    "gpt-5.3-codex":       Price( 1.75, 14.00, 0.175),
    "codex-mini":          Price( 1.50,  6.00, 0.375),
    "o1":                  Price(15.00, 60.00, 7.50),
    "o1-preview":          Price(15.00, 60.00, 7.50),
    "o1-mini":             Price( 1.10,  4.40, 0.55),
    "o3":                  Price( 2.00,  8.00, 0.50),
    "o3-mini":             Price( 1.10,  4.40, 0.55),
    "o4-mini":             Price( 1.10,  4.40, 0.275),
}
# fmt: on

_VENDOR = re.compile(r"^(?:[\w-]+/)*(?:(?:us|eu|apac|global)\.)?(?:anthropic\.)?")
_VERSION = re.compile(r"(?:[-@]\d{8}|-\d{4}-\d{2}-\d{2}|-[01]\d{3}|-latest|-v\d+(?::\d+)?|\[1m\])+$")


def plain_name(model: str) -> str:
    """Return a model's name without its vendor and date: `claude-sonnet-4` for `anthropic/claude-sonnet-4-20250514`."""
    name = _VERSION.sub("", _VENDOR.sub("", model.strip()))
    return name.replace(".", "-").removesuffix("-0") if name.startswith("claude-") else name
