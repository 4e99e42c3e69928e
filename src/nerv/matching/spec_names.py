"""Endpoints, functions and commands that a spec names, and where the code defines them."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nerv.inspection.values import Definition, DefinitionKind
from nerv.location import Location
from nerv.spec import Spec

_ENDPOINT = re.compile(r"\b(GET|POST|PUT|PATCH|DELETE)\s+(/[\w\-./:{}<>\[\]]*)")
_INLINE = re.compile(r"`([^`\n]+)`")
_FUNCTION = re.compile(r"([A-Za-z_]\w*)\([^)]*\)(?:\s*->.*|:.*|\s+\*?[\w.\[\]]+|\s+\([^)]*\))?")
"""With what it returns, in the forms of Python and Rust, TypeScript, and Go; `Composer (German)` is a text."""
_OF_EVERY_TYPE = frozenset({"to_string", "toString"})
_COMMAND = re.compile(r"(npm (?:run )?[\w:-]+|make [\w-]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecName:
    """A name in a spec that the code should define."""

    kind: DefinitionKind
    name: str
    location: Location


def names_in_line(text: str, location: Location) -> Iterator[SpecName]:
    """Yield the names in one line of a spec."""
    for method, path in _ENDPOINT.findall(text):
        yield SpecName(kind="endpoint", name=f"{method} {path}", location=location)
    for quoted in _INLINE.findall(text):
        match = _FUNCTION.fullmatch(quoted.strip())
        if match and not is_built_in(match[1]):
            yield SpecName(kind="function", name=match[1], location=location)
        elif match := _COMMAND.fullmatch(quoted.strip()):
            name = match[1] if match[1].startswith(("npm run", "make")) else f"npm run {match[1][4:]}"
            if name not in ("npm run install", "npm run start"):
                yield SpecName(kind="command", name=name, location=location)


def is_built_in(name: str) -> bool:
    """Return whether a function of this name comes with Python, or with each type that can be shown.

    `len(queue)` asks for no definition of `len`, and with `impl Display` there is a `to_string`.
    """
    return (name.islower() and hasattr(builtins, name)) or name in _OF_EVERY_TYPE


def names_in_spec(spec: Spec) -> tuple[SpecName, ...]:
    """Return all names in a spec, once each; in code fences, only endpoints."""
    found: dict[tuple[str, str], SpecName] = {}
    fenced = False
    for number, line in enumerate(spec.text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            continue
        for one in names_in_line(line, Location(file=spec.file, line=number)):
            if one.kind == "endpoint" or not fenced:
                found.setdefault((one.kind, _normalised_endpoint(one.name)), one)
    return tuple(found.values())


class DefinitionIndex:
    """Index of the definitions in the code."""

    def __init__(self, definitions: Iterable[Definition]) -> None:
        self._names: dict[tuple[DefinitionKind, str], Definition] = {}
        self._endpoints: dict[tuple[str, str], Definition] = {}
        for found in definitions:
            if found.kind == "endpoint":
                method, _, path = _normalised_endpoint(found.name).partition(" ")
                self._endpoints.setdefault((method, "" if path == "/" else path), found)
            else:
                self._names.setdefault((found.kind, _normalised_name(found.name)), found)
        prefixes = {path.rstrip("/") for method, path in self._endpoints if method == "ANY"}
        self._mounted = {"", *prefixes}
        if len(prefixes) < 100:  # a router may be mounted on a router
            self._mounted |= {one + two for one in prefixes for two in prefixes}

    def find(self, wanted: SpecName) -> Definition | None:
        """Return the definition of a name, or None."""
        if wanted.kind != "endpoint":
            return self._names.get((wanted.kind, _normalised_name(wanted.name)))
        method, _, path = _normalised_endpoint(wanted.name).partition(" ")
        path = "" if path == "/" else path
        for prefix in sorted(self._mounted):
            if path.startswith(prefix):
                rest = path[len(prefix) :]
                found = self._endpoints.get((method, rest)) or self._endpoints.get(("ANY", rest))
                if found is not None and (rest or prefix or path == ""):
                    return found
        return None


def _normalised_name(name: str) -> str:
    return name.replace("_", "").lower()


def _normalised_endpoint(endpoint: str) -> str:
    """Return an endpoint without the names of its parameters: `GET /todos/:id` and `GET /todos/{todoId}` are one."""
    path = re.sub(r"/(?::\w+|\{[^}]*\}|<[^>]*>|\[[^\]]*\]|\$\{[^}]*\})", "/*", endpoint)
    return path.rstrip("/") or "/"
