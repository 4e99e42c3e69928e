import re


def evaluate(text: str) -> int:
    tokens = re.findall(r"[0-9]+|[^ ]", text)[::-1]
    value = _sum(tokens)
    if tokens:
        raise ValueError(f"unexpected {tokens[-1]!r}")
    return value


def _sum(tokens):
    value = _product(tokens)
    while tokens and tokens[-1] in "+-":
        value = value + _product(tokens) if tokens.pop() == "+" else value - _sum(tokens)
    return value


def _product(tokens):
    value = _factor(tokens)
    while tokens and tokens[-1] in "*/":
        if tokens.pop() == "*":
            value *= _factor(tokens)
        else:
            divisor = _factor(tokens)
            quotient = abs(value) // abs(divisor)
            value = quotient if (value < 0) == (divisor < 0) else -quotient
    return value


def _factor(tokens):
    token = tokens.pop() if tokens else ""
    if token == "-":
        return -_factor(tokens)
    if token == "(":
        value = _sum(tokens)
        if not tokens or tokens.pop() != ")":
            raise ValueError("a parenthesis is not closed")
        return value
    if not re.fullmatch("[0-9]+", token):
        raise ValueError(f"unexpected {token!r}")
    return int(token)
