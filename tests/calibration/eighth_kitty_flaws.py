"""Mistakes in the project `kitty` of the eighth held-out part, as replacements in the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.task import Replacements

_DEBTOR = """    const least = open.at(-1).cents;
    const debtor = open.find(({ cents }) => cents === least);
"""
_ADDED = """    for (const [name, part] of parts) add(name, -part);
  });
  return result;
"""
_WITHOUT_ZERO = """    for (const [name, part] of parts) add(name, -part);
  });
  for (const name of Object.keys(result)) if (result[name] === 0) delete result[name];
  return result;
"""

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "kitty": {
        # breaks a test of the base
        "drops_who_is_even": ((_ADDED, _WITHOUT_ZERO),),
        "first_takes_the_rest": (("index < left ? part + 1 : part", "index === 0 ? part + left : part"),),
        "last_debtor_first": ((_DEBTOR, "    const debtor = open.at(-1);\n"),),
    },
}
