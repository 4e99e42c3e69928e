"""What a spec names outright (endpoints, functions, commands), and whether the code defines it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nerv.inspection.values import Definition, DefinitionKind
from nerv.place import Place
from nerv.spec import Spec

_ENDPOINT = re.compile(r"\b(GET|POST|PUT|PATCH|DELETE)\s+(/[\w\-./:{}<>\[\]]*)")
_INLINE = re.compile(r"`([^`\n]+)`")
_FUNCTION = re.compile(r"([A-Za-z_]\w*)\s*\([^)]*\)(?:\s*->.*|:.*)?")
_COMMAND = re.compile(r"(npm (?:run )?[\w:-]+|make [\w-]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Something that a spec names and the code is to define."""

    kind: DefinitionKind
    name: str
    place: Place


def named_in(text: str, place: Place) -> Iterator[Named]:
    """What one line of a spec names."""
    for method, path in _ENDPOINT.findall(text):
        yield Named(kind="endpoint", name=f"{method} {path}", place=place)
    for quoted in _INLINE.findall(text):
        if match := _FUNCTION.fullmatch(quoted.strip()):
            yield Named(kind="function", name=match[1], place=place)
        elif match := _COMMAND.fullmatch(quoted.strip()):
            name = match[1] if match[1].startswith(("npm run", "make")) else f"npm run {match[1][4:]}"
            if name not in ("npm run install", "npm run start"):
                yield Named(kind="command", name=name, place=place)


def named(spec: Spec) -> tuple[Named, ...]:
    """All that a spec names, each once; in code fences, endpoints alone."""
    found: dict[tuple[str, str], Named] = {}
    fenced = False
    for number, line in enumerate(spec.text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            continue
        for one in named_in(line, Place(file=spec.file, line=number)):
            if one.kind == "endpoint" or not fenced:
                found.setdefault((one.kind, _plain(one.name)), one)
    return tuple(found.values())


def defined(wanted: Named, definitions: Iterable[Definition]) -> Definition | None:
    """Where the code defines it, if it does."""
    of_kind = [definition for definition in definitions if definition.kind == wanted.kind]
    if wanted.kind == "endpoint":
        return _endpoint(wanted.name, of_kind)
    plain = wanted.name.replace("_", "").lower()
    return next((found for found in of_kind if found.name.replace("_", "").lower() == plain), None)


def _plain(endpoint: str) -> str:
    """An endpoint with its parameters unnamed: `GET /todos/:id` and `GET /todos/{todoId}` are one."""
    path = re.sub(r"/(?::\w+|\{[^}]*\}|<[^>]*>|\[[^\]]*\]|\$\{[^}]*\})", "/*", endpoint)
    return path.rstrip("/") or "/"


def _endpoint(wanted: str, definitions: list[Definition]) -> Definition | None:
    """A route's own path, or one behind the prefixes that it is mounted on."""
    method, _, path = _plain(wanted).partition(" ")
    prefixes = {_plain(found.name).partition(" ")[2] for found in definitions if found.name.startswith("ANY ")}
    mounted = (
        {"", *prefixes, *(one + two for one in prefixes for two in prefixes)}
        if len(prefixes) < 100
        else {"", *prefixes}
    )
    for found in definitions:
        own_method, _, own_path = _plain(found.name).partition(" ")
        if own_method not in (method, "ANY"):
            continue
        own = "" if own_path == "/" else own_path
        if any(prefix.rstrip("/") + own == path for prefix in mounted):
            return found
    return None
