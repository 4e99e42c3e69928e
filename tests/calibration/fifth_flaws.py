"""Mistakes in the projects of the fifth held-out part, as replacements in the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.task import Replacements

_REMOVE_EMPTY = """            *pieces -= count;
            if *pieces == 0 {
                self.shelves.remove(sku);
            }
"""
_GIVE_BACK = """                Err(error) => {
                    for id in ids {
                        self.reservations.remove(&id);
                    }
                    return Err(error);
                }
"""
_REMOVE_ONCE = "      if (entry.once) this.off(entry.pattern, entry.listener);\n"
_THROW_SEVERAL = """\
    if (errors.length > 1) throw new AggregateError(errors, `${errors.length} listeners of ${name} failed`);
"""

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "paging": {
        # breaks a test of the base
        "loses_filters": (("PAGE_SIZE, **filters})", "PAGE_SIZE, **(filters if page == 1 else {})})"),),
        "takes_no_id_for_one": (("if key is not None and key in known:", "if key in known:"),),
        "waits_in_total": (
            ("    asked = set()\n", "    asked = set()\n    retries = []\n"),
            ("token, sleep)\n        for item", "token, sleep, retries)\n        for item"),
            ("def _get_patiently(url, token, sleep):", "def _get_patiently(url, token, sleep, retries):"),
            ("    retries = 0\n    while True:", "    while True:"),
            ("retries == MAX_RETRIES", "len(retries) == MAX_RETRIES"),
            ("retries += 1", "retries.append(url)"),
        ),
        "zero_is_nothing": (("1 if error.retry_after is None else error.retry_after", "error.retry_after or 1"),),
        "asks_once_too_often": (("len(items) < limit):", "len(items) <= limit):"),),
    },
    "sizes": {
        # breaks a test of the base
        "case_matters": ((".fullmatch(text.upper())", ".fullmatch(text)"), ("(?:I?B)?", "(?:i?B)?")),
        "rounds": (("int(number * FACTORS", "round(number * FACTORS"),),
        "stays_in_its_unit": (("abs(float(number)) < 1024", "abs(count) < 1024 * FACTORS[unit]"),),
        "separators_anywhere": ((r"\d+(?:[_,]\d+)*", r"\d[\d_,]*"),),
        "negative_is_small": (("if abs(count) < 1024:\n        return", "if count < 1024:\n        return"),),
    },
    "urlnorm": {
        # breaks a test of the base
        "lowers_everything": (
            ("url.Parse(strings.TrimSpace(address))", "url.Parse(strings.ToLower(strings.TrimSpace(address)))"),
        ),
        "sorts_values": (("parameterName(kept[i]) < parameterName(kept[j])", "kept[i] < kept[j]"),),
        "resolves_dots_first": (("resolveDots(unescape(u.EscapedPath()))", "unescape(resolveDots(u.EscapedPath()))"),),
        "loses_the_last_slash": (("\t\t\tif last {\n", "\t\t\tif last && len(kept) == 0 {\n"),),
        "returns_normalized": (("unique = append(unique, address)", "unique = append(unique, k)"),),
    },
    "stock": {
        # breaks a test of the base
        "forgets_empty_shelves": (
            (
                "            *pieces -= count;\n",
                _REMOVE_EMPTY,
            ),
        ),
        "ends_too_late": (("each.until > now", "each.until >= now"),),
        "keeps_what_it_got": (
            (
                _GIVE_BACK,
                "                Err(error) => return Err(error),\n",
            ),
        ),
        "counts_reservations": (
            ("        self.last_id += 1;\n", ""),
            ("ReservationId(self.last_id)", "ReservationId(self.reservations.len() as u64)"),
            ("    last_id: u64,\n", ""),
        ),
        "shortens": (("reservation.until.max(until)", "until"),),
    },
    "eventbus": {
        # breaks a test of the base
        "knows_nobody": (
            (
                "some((entry) => entry.pattern === pattern && entry.listener === listener)",
                "includes(added)",
            ),
        ),
        "star_takes_the_rest": (("parts.length === wanted.length", "parts.length >= wanted.length"),),
        "removed_afterwards": (
            (_REMOVE_ONCE, ""),
            (
                "        errors.push(error);\n      }\n",
                f"        errors.push(error);\n      }}\n{_REMOVE_ONCE}",
            ),
        ),
        "leaves_the_timer": (("        clearTimeout(timer);\n", ""),),
        "calls_the_removed": (("      if (!this.#entries.includes(entry)) continue;\n", ""),),
        "only_the_first_error": (
            ("errors.length === 1", "errors.length > 0"),
            (
                _THROW_SEVERAL,
                "",
            ),
        ),
    },
}
