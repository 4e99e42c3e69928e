"""Mistakes with the meters of the eleventh held-out part, as replacements in the right solution."""

from __future__ import annotations

from calibration.flawed_code import Flaws

_READINGS = "meter/readings.py"
_USAGE = "meter/usage.py"
_TARIFF = "meter/tariff.py"
_LOWER = """            if capacity is None:
                raise ValueError(f"line {row.number}: {meter} went down")
            offset += capacity
"""

FLAWS: Flaws = {
    # breaks test_a_meter_does_not_go_down
    "takes_lower_for_new": (
        _READINGS,
        ((_LOWER, "            offset += dial if capacity is None else capacity\n"),),
    ),
    # breaks test_lines_in_any_order and test_a_meter_does_not_go_down
    "in_order_of_the_file": (
        _READINGS,
        (
            ("    rows = sorted(rows, key=lambda row: (row.day, row.number))\n", ""),
            ("    return readings\n", "    return sorted(readings, key=lambda reading: reading.day)\n"),
        ),
    ),
    # breaks test_on_a_straight_line and test_rounded_once
    "rounds_what_is_shown": (
        _USAGE,
        (
            (
                "            return Fraction(before.value) + share * Fraction(after.value - before.value)\n",
                (
                    "            shown = Fraction(before.value) + share * Fraction(after.value - before.value)\n"
                    "            return Fraction(tenths(shown))\n"
                ),
            ),
        ),
    ),
    # breaks test_outside_of_the_readings
    "carries_on": (
        _USAGE,
        (
            (
                (
                    "    if not readings or not readings[0].day <= day <= readings[-1].day:\n"
                    '        raise ValueError(f"no readings around {day}")\n'
                ),
                '    if not readings:\n        raise ValueError(f"no readings around {day}")\n',
            ),
            ("        if before.day <= day <= after.day:\n", "        if day <= after.day or after is readings[-1]:\n"),
        ),
    ),
    "compares_with_the_total": (_READINGS, (("row.value < dial:", "row.value < readings[-1].value:"),)),
    "drops_all_estimates": (
        _READINGS,
        (
            (
                (
                    "    real = [row.day for row in rows if not row.estimated]\n    if not real:\n        return rows\n"
                    "    return [row for row in rows if not row.estimated or not real[0] <= row.day <= real[-1]]\n"
                ),
                "    return [row for row in rows if not row.estimated]\n",
            ),
            ("without estimates between real ones", "without estimates"),
        ),
    ),
    "keeps_estimates": (
        _READINGS,
        (
            (
                "if not row.estimated or not real[0] <= row.day <= real[-1]]",
                "if not row.estimated or row.day > real[0]]",
            ),
        ),
    ),
    "rounds_each_month": (
        _USAGE,
        (
            (
                (
                    "    shown = [tenths(standing(readings, first)) for first in firsts]\n"
                    '    return [(f"{first:%Y-%m}", after - before) for first, before, after in '
                    "zip(firsts, shown, shown[1:])]\n"
                ),
                (
                    '    return [(f"{first:%Y-%m}", usage(readings, first, after)) '
                    "for first, after in zip(firsts, firsts[1:])]\n"
                ),
            ),
            ("in each whole month, so that months add up.", "in each whole month."),
        ),
    ),
    "stops_in_december": (
        _USAGE,
        (
            (
                "    return date(day.year + day.month // 12, day.month % 12 + 1, 1)\n",
                "    return day.replace(month=day.month + 1, day=1)\n",
            ),
        ),
    ),
    "limits_are_widths": (
        _TARIFF,
        (("min(used, Decimal(limit))", "min(used, below + limit)"),),
    ),
    "rounds_each_step": (
        _TARIFF,
        (
            (
                "        total += Fraction(max(upto - below, Decimal(0))) * Fraction(price)\n",
                (
                    "        part = Fraction(max(upto - below, Decimal(0))) * Fraction(price)\n"
                    "        total += math.floor(part + Fraction(1, 2))\n"
                ),
            ),
        ),
    ),
    "steps_by_the_year": (
        _TARIFF,
        (
            (
                "    return [(month, _price(used, tariff)) for month, used in monthly(readings)]\n",
                """    bills: list[tuple[str, int]] = []
    year, so_far = "", Decimal(0)
    for month, used in monthly(readings):
        if month[:4] != year:
            year, so_far = month[:4], Decimal(0)
        price = _price(so_far + used, tariff) - _price(so_far, tariff) + tariff.fee
        bills.append((month, price))
        so_far += used
    return bills
""",
            ),
        ),
    ),
}
