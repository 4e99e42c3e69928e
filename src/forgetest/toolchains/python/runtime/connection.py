"""What a proxy needs of the wire."""

from __future__ import annotations

from typing import Any, Protocol

from . import specials
from .observations import Observations


class Connection(Protocol):
    """The wire to the sample's process, as proxies see it."""

    observations: Observations

    compared: set[int]
    """Numbers of objects that are results of an operator with a value of the tests."""

    def request(self, kind: str, *values: Any) -> Any:
        """Ask the sample's process to do something, and return the result or raise the exception."""

    def give_up_separation(self, reason: str) -> Any:
        """End this process: the test has to be run inside the sample's. Does not return."""

    def note_concurrency(self) -> None:
        """Note that the tests await something of the sample while they have other tasks."""

    def may_compare(self, name: str) -> bool:
        """Return whether the tests compare objects of the class of this name with values of their own."""

    def read_content(self, value: Any) -> Any:
        """Return what an object of a class that derives from a mutable built-in type holds."""


def number_of(proxy: Any) -> int:
    """Return the number of the object that a proxy stands for."""
    return int(object.__getattribute__(proxy, "_number"))


def refuse_predicate(connection: Connection, name: str, what: str) -> None:
    """Raise an AttributeError if only a value that pretends to be a string, set or number would be asked for this."""
    if name in specials.PREDICATES:
        connection.observations.note("opaque_object", f".{name} of {what}")
        raise AttributeError(f"{what} of the sample, which the tests do not name, is not asked for {name}")
