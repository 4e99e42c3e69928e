"""Mistakes in the knitting patterns of the ninth held-out part, as replacements in the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.task import Replacements

_TIDY = 'strings.ToLower(strings.ReplaceAll(row, ",", " "))'

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "knit": {
        # breaks a test of the base
        "forgets_commas": ((_TIDY, "strings.ToLower(row)"),),
        # breaks a test of the base
        "forgets_capitals": ((_TIDY, 'strings.ReplaceAll(row, ",", " ")'),),
        "looks_the_same_from_behind": (("known[behind(name)].sign", "known[name].sign"),),
        "first_row_on_top": (('chart = line + "\\n" + chart', 'chart += line + "\\n"'),),
        "at_least_once": (("len(parts) == 3 && each == 0", "len(parts) == 3 && times == 0"),),
    },
}
