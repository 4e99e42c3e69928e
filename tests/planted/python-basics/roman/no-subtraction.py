_NUMERALS = {
    "M": 1000, "D": 500, "C": 100, "L": 50, "X": 10, "V": 5, "I": 1,
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
    if rest or not 1 <= number <= 3999 or to_roman(number) != text:
        raise ValueError(f"not a Roman numeral: {text!r}")
    return number
