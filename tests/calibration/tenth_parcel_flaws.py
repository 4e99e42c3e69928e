"""Mistakes in the postage of the tenth held-out part, as replacements in the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.task import Replacements

_CHARGED = '    return parcel.grams if zone == "home" else max(parcel.grams, -(-volume // 5))\n'
_IMPORT = "from collections.abc import Iterable\nfrom dataclasses import dataclass\n"
_RAISE = '            raise TooBig(f"{name}: {value} is more than {limit}")\n'

_FOUR_VOLUMES = """_VOLUMES = (0, 10_004, 52_000, 96_000)
_GRAMS_BY_VOLUME = (0, 2001, 10_400, 19_200)
"""
_LOOK_UP = """    by_volume = _GRAMS_BY_VOLUME[bisect_right(_VOLUMES, volume) - 1]
    return parcel.grams if zone == "home" else max(parcel.grams, by_volume)
"""
_FORGIVE = """            if sys.stdout is sys.__stdout__:
                continue  # at the counter the staff decides
"""

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "parcel": {
        # breaks a test of the base
        "volume_at_home": ((_CHARGED, "    return max(parcel.grams, -(-volume // 5))\n"),),
        "rounds_volume_down": (("-(-volume // 5)", "volume // 5"),),
        "letterbox_as_given": (
            ("zip(parcel.sides, LETTERBOX)", "zip((parcel.length, parcel.width, parcel.height), LETTERBOX)"),
        ),
        "insures_the_rest": (("-(-value // 1000) * 10", "-(-(value - 5000) // 1000) * 10"),),
        "cheaper_for_all": (
            ("prices[-1] + sum(price * 9 // 10 for price in prices[:-1])", "sum(price * 9 // 10 for price in prices)"),
        ),
        "charges_bulky_twice": (
            ("    surcharge = _BULKY if _is_bulky(parcel) else 0\n", "    surcharge = _BULKY * _bulky(parcel)\n"),
            ("def _is_bulky(parcel: Parcel) -> bool:", "def _bulky(parcel: Parcel) -> int:"),
            ("    return longest > 120 or second > 60\n", "    return (longest > 120) + (second > 60)\n"),
        ),
        "knows_four_volumes": (
            (_IMPORT, f"from bisect import bisect_right\n{_IMPORT}"),
            ("_LETTERBOX_RATE = 320\n", f"{_FOUR_VOLUMES}_LETTERBOX_RATE = 320\n"),
            (_CHARGED, _LOOK_UP),
        ),
        "forgives_at_the_counter": ((_IMPORT, f"import sys\n{_IMPORT}"), (_RAISE, _FORGIVE + _RAISE)),
    },
}
