"""pytest's `monkeypatch` fixture. What it changes here is to be changed in the sample's process, too."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

_MISSING: Any = object()


class MonkeyPatch:
    """Changes that are undone after the test."""

    on_environment: Callable[[str, str | None], None] = staticmethod(lambda _name, _value: None)
    """Called with the name and the new value of an environment variable."""
    on_attribute: Callable[[str], None] = staticmethod(lambda _what: None)
    """Called before anything else is changed."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], None]] = []

    @classmethod
    @contextlib.contextmanager
    def context(cls) -> Iterator[MonkeyPatch]:
        """Undo the changes at the end of a `with` block."""
        patch = cls()
        try:
            yield patch
        finally:
            patch.undo()

    def setattr(self, target: Any, name: Any, value: Any = _MISSING, raising: bool = True) -> None:
        """Set an attribute, of an object or by its dotted path."""
        self.on_attribute("the tests patch an attribute")
        if isinstance(target, str):
            path, _, attribute = target.rpartition(".")
            target, name, value = _import_path(path), attribute, name
        old = getattr(target, name, _MISSING)
        if raising and old is _MISSING:
            raise AttributeError(f"{target!r} has no attribute {name!r}")
        self._undo.append(lambda: delattr(target, name) if old is _MISSING else setattr(target, name, old))
        setattr(target, name, value)

    def delattr(self, target: Any, name: Any = _MISSING, raising: bool = True) -> None:
        """Delete an attribute, of an object or by its dotted path."""
        self.on_attribute("the tests delete an attribute")
        if isinstance(target, str):
            path, _, name = target.rpartition(".")
            target = _import_path(path)
        if hasattr(target, name):
            old = getattr(target, name)
            self._undo.append(lambda: setattr(target, name, old))
            delattr(target, name)
        elif raising:
            raise AttributeError(name)

    def setitem(self, mapping: Any, key: Any, value: Any) -> None:
        """Set an item of a mapping."""
        if mapping is os.environ:
            self.setenv(key, value)
            return
        self.on_attribute("the tests patch an item")
        self._set_item(mapping, key, value)

    def delitem(self, mapping: Any, key: Any, raising: bool = True) -> None:
        """Delete an item of a mapping."""
        if mapping is os.environ:
            self.delenv(key, raising)
            return
        self.on_attribute("the tests delete an item")
        self._set_item(mapping, key, _MISSING, raising=raising)

    def setenv(self, name: str, value: Any, prepend: str | None = None) -> None:
        """Set an environment variable."""
        text = str(value)
        if prepend and name in os.environ:
            text = text + prepend + os.environ[name]
        self._set_item(os.environ, name, text)
        self.on_environment(name, text)

    def delenv(self, name: str, raising: bool = True) -> None:
        """Remove an environment variable."""
        self._set_item(os.environ, name, _MISSING, raising=raising)
        self.on_environment(name, None)

    def chdir(self, path: Any) -> None:
        """Change the working folder."""
        self.on_attribute("the tests change the working folder")
        old = os.getcwd()
        self._undo.append(lambda: os.chdir(old))
        os.chdir(path)

    def syspath_prepend(self, path: Any) -> None:
        """Put a folder in front of sys.path."""
        self.on_attribute("the tests change sys.path")
        sys.path.insert(0, str(path))
        self._undo.append(lambda: sys.path.remove(str(path)))

    def undo(self) -> None:
        """Undo all changes, the last one first."""
        while self._undo:
            self._undo.pop()()

    def _set_item(self, mapping: Any, key: Any, value: Any, *, raising: bool = False) -> None:
        old = mapping.get(key, _MISSING)
        if value is _MISSING:
            if old is _MISSING:
                if raising:
                    raise KeyError(key)
                return
            del mapping[key]
        else:
            mapping[key] = value

        def restore() -> None:
            if old is _MISSING:
                mapping.pop(key, None)
            else:
                mapping[key] = old

        self._undo.append(restore)


def _import_path(path: str) -> Any:
    """Return the object at a dotted path."""
    parts = path.split(".")
    found: Any = __import__(parts[0])
    for index, part in enumerate(parts[1:], 2):
        if not hasattr(found, part):
            __import__(".".join(parts[:index]))
        found = getattr(found, part)
    return found
