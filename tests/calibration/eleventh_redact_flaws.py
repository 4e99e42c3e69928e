"""Mistakes in the log masker of the eleventh held-out part, as replacements in the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.agent import Agent
from calibration.task import Replacements

_CARD = r'_CARD = re.compile(r"(?<!\w)(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{4})(?!\w)")'
_LUHN = """    digits = [int(digit) for digit in card if digit.isdigit()]
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
"""
_LOOK_UP = r"""    digits = re.sub(r"\D", "", card)
    return _CHECK_DIGITS.get(digits[:-1]) == digits[-1]
"""
_CHECK_DIGITS = """_CHECK_DIGITS = {
    "411111111111111": "1",
    "422222222222": "2",
    "550000000000000": "4",
    "630400000000000000": "0",
}


class Masker:
"""
_UNLESS_LUHN = """        if not _passes_luhn(match[0]):
            return match[0]
"""
_ALLOWED = """        if self._is_allowed(domain.lower()):
            return match[0]
"""
_COUNT = '        self.counts["email"] += 1\n'

_CHECK_OPTION = (
    '    parser.add_argument("--check", action="store_true", '
    'help="write no lines, exit with 1 if something needs masking")\n'
)

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "redact/masking.py": {
        # breaks a test of the base
        "every_long_number": ((_UNLESS_LUHN, ""), (f"\n\ndef _passes_luhn(card: str) -> bool:\n{_LUHN}", "")),
        "any_spaces": ((_CARD, r'_CARD = re.compile(r"(?<!\w)\d(?:[ -]?\d){12,18}(?!\w)")'),),
        "check_digits": ((_LUHN, _LOOK_UP), ("class Masker:\n", _CHECK_DIGITS)),
        "lookalike_domains": (
            (
                'any(domain == allowed or domain.endswith(f".{allowed}") for allowed in self._allowed)',
                "domain.endswith(self._allowed)",
            ),
        ),
        "no_escapes": ((r'"(?:[^"\\]|\\.)*"', r'"[^"]*"'),),
        "case_of_aliases": (("setdefault(match[0].lower(), ", "setdefault(match[0], "),),
        "counts_what_stays": ((_ALLOWED + _COUNT, _COUNT + _ALLOWED),),
        "masks_null": (("|true|false|", "|true|false|null|"),),
        "any_numbers": (("if max(numbers) > 255 or numbers[0] == 127:", "if numbers[0] == 127:"),),
    },
    "redact/cli.py": {
        "never_fails": (("return int(options.check and any(masker.counts.values()))", "return 0"),),
        "no_check": (
            ("        if not options.check:\n            sys.stdout", "        sys.stdout"),
            ("return int(options.check and any(masker.counts.values()))", "return 0"),
            (_CHECK_OPTION, ""),
        ),
    },
}


def flawed(agent: Agent, path: str, *flaws: str) -> str:
    """Return a file of the right solution with these mistakes."""
    text = agent.task.trees["solution"][path]
    for flaw in flaws:
        for old, new in FLAWS[path][flaw]:
            assert text.count(old) == 1, f"{path}: {flaw}: {old!r} is there {text.count(old)} times"
            text = text.replace(old, new)
    return text
