"""The tests' end of the wire. It believes nothing but data; anything unexpected ends the test as failed."""

from __future__ import annotations

import _thread
import os
import select
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from . import wire
from .connection import number_of
from .plain_values import Node, UnreadableError
from .tests_codec import TestsCodec

READY = b"ready"
"""What the sample's process writes before it does anything else."""
MOST_BYTES = 64 << 20
"""The longest message that is accepted from a sample."""

_READY_S = 60.0

Finish = Callable[[str, str], NoReturn]
"""Reports how the test ended, and ends this process: nothing that the test catches can undo it.

Before the sample is loaded, when no code of the tests runs, it may raise NotLoadedError instead.
"""


class NotLoadedError(BaseException):
    """The test is over, with this ending and message, before the sample was loaded."""


class Link(TestsCodec):
    """The connection to a sample's process."""

    def __init__(self, reader: int, writer: int, finish: Finish, comparable: frozenset[str]) -> None:
        """`comparable`: names of classes that tests compare with values of their own."""
        super().__init__()
        self._reader, self._writer = reader, writer
        self.finish = finish
        self._comparable = comparable
        self._owner = (os.getpid(), _thread.get_ident())
        self.wait: Callable[[], object] = lambda: None
        """Called before the sample's answer is read."""
        self.is_plain = False
        """The sample reaches nothing but its own values, so whether a loop ends can be seen from these."""
        self.on_concurrency: Callable[[], object] = lambda: None
        """Called once if the tests await something of the sample while they have other tasks."""
        self.on_loaded: Callable[[], object] = lambda: None
        """Called when the sample has been loaded."""
        self.load_trace: list[Any] = []
        """Where in the sample loading failed: line and function, or the place of a syntax error."""
        self.missing: list[str] = []
        """Names that were asked of the sample, and that it does not define."""
        self._contents: dict[int, Any] = {}
        """What objects hold, by number, as of the last request."""

    # for proxies

    def give_up_separation(self, reason: str) -> NoReturn:
        """End this process: the test has to be run inside the sample's."""
        self.finish("inseparable", reason)

    def note_concurrency(self) -> None:
        """Note that the tests await something of the sample while they have other tasks."""
        self.on_concurrency()
        self.on_concurrency = lambda: None

    def may_compare(self, name: str) -> bool:
        """Return whether objects of the class of this name are compared with values of the tests."""
        return name in self._comparable

    def read_content(self, value: Any) -> Any:
        """Return what an object holds: the same, as long as the sample has nothing else to do."""
        number = number_of(value)
        if number not in self._contents:
            before = self._contents
            content = self.request("plain", value)
            self._contents = before | {number: content}
        return self._contents[number]

    def request(self, kind: str, *values: Any) -> Any:
        """Ask the sample's process to do something, and return the result or raise the exception."""
        self._contents = {}
        nonce = os.urandom(8).hex()
        self._send(kind, nonce, lambda: self.encode_all(values))
        while True:
            reply = self._receive(nonce)
            asked = self._absorb(reply)
            if reply["o"] == "ret":
                return asked[0]
            if reply["o"] == wire.ENDLESS:
                line = asked[0] if asked and type(asked[0]) is int else 0
                self.finish("endless", f"the loop in line {line:.9g} comes back to where it was")
            if reply["o"] == wire.TOO_DEEP:
                self.finish("too_deep", "a result that is nested too deeply")
            if reply["o"] == "exc":
                self.observations.note_raised(asked[0], kind, values)
                raise asked[0]
            self._answer(reply["o"], asked, nonce)

    # messages

    def _send(self, kind: str, nonce: str, make_values: Callable[[], list[Node]]) -> None:
        if (os.getpid(), _thread.get_ident()) != self._owner:
            self.give_up_separation("the tests use the sample in threads or processes of their own")
        try:
            with wire.deep_recursion():
                message = {"o": kind, "n": nonce, "u": self.collect_changes()}
                message["v"] = make_values()
                message["g"] = self.collect_unreferenced()
                data = memoryview(wire.pack(message))
        except RecursionError:
            self.finish("too_deep", "an argument that is nested too deeply")
        try:
            while data:
                data = data[os.write(self._writer, data) :]
        except BrokenPipeError:
            self.finish("died", "the sample's process ended")

    def _read(self, size: int) -> bytes:
        parts = []
        while size:
            part = os.read(self._reader, min(size, 1 << 20))
            if not part:
                self.finish("died", "the sample's process ended before it answered")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def wait_until_ready(self) -> None:
        """Wait for the sample's process. What goes wrong before that is not the sample's fault."""
        poll = select.poll()
        poll.register(self._reader, select.POLLIN)
        received = b""
        while received != READY:
            part = os.read(self._reader, len(READY) - len(received)) if poll.poll(_READY_S * 1000) else b""
            if not part:
                self.finish("broken", "the sample's process could not be started")
            received += part

    def _receive(self, nonce: str) -> dict[str, Any]:
        self.wait()
        size = int.from_bytes(self._read(4), "big")
        if size > MOST_BYTES:
            self.finish("too_large", f"a result of {size} bytes; at most {MOST_BYTES} are accepted")
        data = self._read(size)
        try:
            with wire.deep_recursion():
                reply = wire.unpack(data)
            if set(reply) != {"o", "n", "u", "v", "g", "w"} or reply["n"] != nonce:
                raise UnreadableError("an answer to something else")
        except RecursionError:
            self.finish("too_deep", "a result that is nested too deeply")
        except Exception as error:
            self._forged(repr(error))
        return dict(reply)

    def _absorb(self, reply: dict[str, Any]) -> list[Any]:
        try:
            for text, stream in zip(reply["w"], (sys.stdout, sys.stderr), strict=True):
                if text:
                    stream.write(str(text))
            with wire.deep_recursion():
                self.apply_changes(reply["u"])
                is_error = reply["o"] == "exc"
                values = [self._decode_exception(reply["v"])] if is_error else self.decode_all(reply["v"])
            self.drop(reply["g"])
            if type(reply["o"]) is not str or (reply["o"] == "ret" and len(values) != 1):
                raise UnreadableError("no answer")
        except RecursionError:
            self.finish("too_deep", "a result that is nested too deeply")
        except Exception as error:
            self._forged(repr(error))
        return values

    def _forged(self, detail: str) -> NoReturn:
        self.observations.note("forged_reply", detail)
        self.finish("forged", f"the sample wrote into the protocol: {detail}"[:300])

    # what the sample may ask for while it is asked

    def _answer(self, kind: str, asked: list[Any], nonce: str) -> None:
        try:
            if kind == "inside" and len(asked) == 1 and self._exports.get(asked[0], ("tc",)):
                self.give_up_separation("the sample changes a class of the tests, or looks into it")
            result = [self._exports.answer(kind, asked)]
        except UnreadableError as error:
            self._forged(str(error))
        except BaseException as error:
            failure = error
            self._send("exc", nonce, lambda: [self.encode(failure)])
        else:
            del asked
            self._send("ret", nonce, lambda: [self.encode(result.pop())])
