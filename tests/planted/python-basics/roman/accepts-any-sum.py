_NUMERALS = {
    "M": 1000, "CM": 900, "D": 500, "CD": 400, "C": 100, "XC": 90, "L": 50, "XL": 40, "X": 10, "IX": 9, "V": 5, "IV": 4, "I": 1,
}


def to_roman(number: int) -> str:
    if not 1 <= number <= 3999:
        raise ValueError(f"out of range: {number}")
    text = ""
    for numeral, value in _NUMERALS.items():
        count, number = divmod(number, value)
        text += numeral * count
    return text


def from_roman(text: str) -> int:
    number, rest = 0, text
    for numeral, value in _NUMERALS.items():
        while rest.startswith(numeral):
            number, rest = number + value, rest[len(numeral) :]
    if rest or not text:
        raise ValueError(f"not a Roman numeral: {text!r}")
    return number
