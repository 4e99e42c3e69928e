"""Calls that an item of the spec describes in words, made from a call that tests make and a value that the words give.

"`Wrap` returns an error for a width below 1", and a test that calls `Wrap("one two", 20)`: `Wrap("one two", 0)` must
fail. "`mean` returns 0 for an empty list": `mean([])` must be 0. Only the value of one parameter is exchanged, and only
where the words leave no doubt which one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from nerv.inspection.calls import Callee, LiteralCall
from nerv.matching.text_similarity import stem
from nerv.spec import Spec, SpecItem
from nerv.spec.examples import ABOUT_BEFORE, FAILS, Example, Value, is_raised
from nerv.spec.stated_values import stated_values

_REFUSES = re.compile(rf"{FAILS}(?P<error>[^,;.:]*?)\b(?:for|if|when|on|given)\b(?P<phrases>[^;.:(]*)", re.I)
_REJECTS = re.compile(r"\b(?:rejects|refuses|does not accept)\b(?P<phrases>[^;.:(]*)", re.I)
_SUBJECT = re.compile(r"(?:the )?`([A-Za-z_]\w*)(?:\([^`]*\))?`\s", re.I)
_CONSTRUCTOR = re.compile(r"the constructor\b|creating an?\b|`new (\w+)", re.I)
_SPLIT = re.compile(r",\s*(?:and |or )?|\s+(?:and|or)\s+(?=(?:an?|the|if|for|when|not|any)\s|`)")
_SMALLER = ("before", "below", "less than", "smaller than", "lower than")
_ORDER = re.compile(
    rf"`?(\w+)`? (?:lies |is |comes )?({'|'.join(_SMALLER)}|after|above|greater than|larger than|beyond)"
    r" (?:the |its )?`?(\w+)"
)
_RETURNS = re.compile(
    r"\b(?:returns|gives|is|yields)\s+"
    r"(?P<value>(?:an|the) empty (?:list|array|text|string)|zero|`?-?\d+`?|`?(?:true|false)`?)"
    r"\s+(?:for|if|when|given)\s+(?P<phrase>[^;.:,(]*)",
    re.I,
)
_EVERY = re.compile(
    r"\b(?:works?|holds?|right|correct|defined|accepts?)\b[^.;`]*\b(?:every|any|all|each)\s+`(?P<sign>[iu]|int|uint)(?P<bits>8|16|32|64)`",
    re.I,
)
_MOST = 24


def stated_calls(spec: Spec, known: Mapping[str, Callee]) -> tuple[Example, ...]:
    """Return calls that must fail, or that must return a value that the words give; each once."""
    found: dict[str, Example] = {}
    for item in spec.items:
        for callee in _subjects(item, known):
            for example in (*_refused(item, callee), *_returned(item, callee), *_at_the_limits(item, callee)):
                found.setdefault(str(example), example)
    return tuple(found.values())[:_MOST]


def _refused(item: SpecItem, callee: Callee) -> Iterator[Example]:
    for phrase, raises in _phrases(item.text):
        for call in (*_described(callee, phrase), *_in_wrong_order(callee, phrase)):
            yield replace(_example(item, callee, call), fails=True, raises=raises)


def _returned(item: SpecItem, callee: Callee) -> Iterator[Example]:
    for match in _RETURNS.finditer(item.text):
        calls = list(_described(callee, match["phrase"]))
        if len(calls) == 1 and not ABOUT_BEFORE.search(re.sub(r"\bif\b|\bwhen\b", "", match[0])):
            yield replace(_example(item, callee, calls[0]), expected=_value(match["value"]))


def _at_the_limits(item: SpecItem, callee: Callee) -> Iterator[Example]:
    """Yield calls with the smallest and the largest number, if a function of one parameter "works for every `i64`"."""
    match = _EVERY.search(item.text)
    if match is None or len(callee.parameters) != 1 or ABOUT_BEFORE.search(match[0]):
        return
    bits = int(match["bits"])
    limits = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if match["sign"].startswith("i") else (0, 2**bits - 1)
    for limit in limits:
        yield replace(_example(item, callee, LiteralCall(arguments=(limit,))), succeeds=True)


def _value(text: str) -> Value:
    words: dict[str, Value] = {"zero": 0, "true": True, "false": False, "an empty list": [], "an empty array": []}
    words |= {"an empty text": "", "an empty string": "", "the empty string": ""}
    plain = text.strip("`").lower()
    if plain in words:
        return words[plain]
    return int(plain) if re.fullmatch(r"-?\d+", plain) else None


def _example(item: SpecItem, callee: Callee, call: LiteralCall) -> Example:
    return Example(
        item=item.number,
        function=callee.name,
        owner=callee.owner,
        arguments=call.arguments,
        keywords=tuple(call.keywords.items()),
    )


def _subjects(item: SpecItem, known: Mapping[str, Callee]) -> Iterator[Callee]:
    match = _SUBJECT.match(item.text)
    if match is not None and match[1] in known:
        yield known[match[1]]
    elif _CONSTRUCTOR.match(item.text):
        names = re.findall(r"`(\w+)`", item.text)
        yield from (
            callee
            for callee in known.values()
            if callee.name[:1].isupper() and not callee.owner and _mentions_any(callee.parameters, names)
        )


def _mentions_any(parameters: tuple[str, ...], names: list[str]) -> bool:
    return any(name in re.split(r"\W+", parameter) for parameter in parameters for name in names)


def _phrases(text: str) -> Iterator[tuple[str, bool]]:
    """Yield what an item refuses, and whether it says that an error is raised."""
    for match in (*_REFUSES.finditer(text), *_REJECTS.finditer(text)):
        clause = re.split(r"[;.:]\s", text[: match.end()])[-1]
        if not ABOUT_BEFORE.search(re.sub(r"\b(?:if|when|with|not)\b", "", clause)):
            pieces = (piece.strip() for piece in _SPLIT.split(match["phrases"]))
            yield from ((piece, is_raised(match[0])) for piece in pieces if piece)


def _described(callee: Callee, phrase: str) -> Iterator[LiteralCall]:
    """Yield calls with a stated value in the place of the parameter that the phrase is about, if that is certain."""
    call = _template(callee)
    for value in stated_values(phrase) if call is not None else ():
        assert call is not None
        where = _place(callee, call, phrase, value)
        if where is not None:
            yield _with_value(call, *where, value)


def _with_value(call: LiteralCall, index: int | None, key: str, value: Value) -> LiteralCall:
    arguments, keywords = list(call.arguments), dict(call.keywords)
    if index is None:
        keywords[key] = value
    elif key:
        options = arguments[index] if index < len(arguments) else {}
        arguments[index : index + 1] = [{**options, key: value}] if isinstance(options, dict) else [options]
    else:
        arguments[index] = value
    return LiteralCall(arguments=tuple(arguments), keywords=keywords)


def _in_wrong_order(callee: Callee, phrase: str) -> Iterator[LiteralCall]:
    """Yield a call for "the end lies before the start", where both are parameters and take numbers."""
    match = _ORDER.search(phrase)
    stems = [stem(parameter.lower()) for parameter in callee.parameters]
    if match is None or stem(match[1].lower()) not in stems or stem(match[3].lower()) not in stems:
        return
    first, second = stems.index(stem(match[1].lower())), stems.index(stem(match[3].lower()))
    template = _template(callee)
    if template is None and len(stems) == 2:
        template = LiteralCall(arguments=(4, 4))
    if template is None or first == second or len(template.arguments) != len(stems):
        return
    arguments = list(template.arguments)
    limit = arguments[second]
    if isinstance(limit, int) and isinstance(arguments[first], int):
        arguments[first] = limit - 1 if match[2] in _SMALLER else limit + 1
        yield LiteralCall(arguments=tuple(arguments), keywords=template.keywords)


def _template(callee: Callee) -> LiteralCall | None:
    """Return the call to start from: the longest that tests make, or one without values for a single parameter."""
    fitting = [call for call in callee.calls if len(call.arguments) <= max(1, len(callee.parameters))]
    if fitting:
        return max(fitting, key=lambda call: len(call.arguments) + len(call.keywords))
    return LiteralCall(arguments=(None,)) if len(callee.parameters) == 1 else None


def _place(callee: Callee, call: LiteralCall, phrase: str, value: Value) -> tuple[int | None, str] | None:
    """Return the argument's index, with the key in it for an option; or no index, and the keyword's name."""
    words = {stem(word) for word in re.findall(r"[a-z]+", re.sub(r"[_`]", " ", phrase).lower())}
    for index, parameter in enumerate(callee.parameters):
        keys = parameter.strip("{}").split(",") if parameter.startswith("{") else [parameter]
        for key in keys:
            if key and {stem(part) for part in re.findall(r"[a-z]+", _spaced(key).lower())} <= words:
                if parameter.startswith("{"):
                    return index, key
                if index < len(call.arguments):
                    return index, ""
                return (None, key) if key in call.keywords else None
    if len(callee.parameters) == 1 and not callee.parameters[0].startswith("{"):
        only = call.arguments[0] if call.arguments else None
        return (0, "") if only is None or _kind(only) == _kind(value) or value is None or _is_other(value) else None
    wanted = "str" if re.search(r"\b(?:string|text)\b", phrase) and not isinstance(value, str) else _kind(value)
    alike = [index for index, each in enumerate(call.arguments) if _kind(each) == wanted]
    complete = len(call.arguments) == sum(not parameter.startswith("{") for parameter in callee.parameters)
    return (alike[0], "") if len(alike) == 1 and (complete or len(call.arguments) == len(callee.parameters)) else None


def _is_other(value: Value) -> bool:
    return value == 5 and not isinstance(value, bool)  # "anything but a text"


def _kind(value: Value) -> str:
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__


def _spaced(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", name)
