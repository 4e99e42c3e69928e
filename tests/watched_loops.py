"""Runs samples whose loops are watched."""

from __future__ import annotations

import sys

from forgetest.toolchains.python.runtime.endless import Watch

FILE = "sample.py"
MOST_ROUNDS = 3_000


class StoppedError(BaseException):
    """The sample has been watched for long enough, or is known to be endless."""


def outcome(source: str) -> str:
    """Run a sample that calls `tick` in its loop; return how that ends."""
    rounds = 0

    def end(_line: int) -> None:
        sys.settrace(None)
        raise StoppedError("endless")

    watch = Watch(source, FILE, end)

    def tick() -> None:
        nonlocal rounds
        rounds += 1
        if rounds > MOST_ROUNDS:
            raise StoppedError("still running")
        if rounds == 5:
            watch._pause = 0
            watch.look(sys._getframe(1))

    before = sys.gettrace()
    namespace = {"__name__": "sample"}
    code = compile(source, FILE, "exec")
    # as a builtin, it is no part of the sample's state
    namespace["__builtins__"] = {**vars(__import__("builtins")), "tick": tick}  # type: ignore[assignment]
    try:
        exec(code, namespace)
    except StoppedError as error:
        return str(error)
    finally:
        sys.settrace(before)
    return "ended"
