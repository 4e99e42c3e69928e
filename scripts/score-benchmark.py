#!/usr/bin/env python3
"""Scores a run: the same as `nerv benchmark score`, from a checkout, without installing anything into a PATH."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


_NAMED = "--called-as"
"""Given by score-benchmark.js before all other arguments, for the usage line."""


def main() -> int:
    """Hand the arguments over."""
    python = ROOT / ".venv" / "bin" / "python"
    try:
        import click  # noqa: F401  (what the program needs first)
        import msgspec  # noqa: F401
    except ImportError:
        if python.exists() and Path(sys.prefix).resolve() != python.parent.parent.resolve():
            os.execv(python, [str(python), __file__, *sys.argv[1:]])  # noqa: S606  (the checkout's own Python)
        print("score-benchmark: the packages that it needs are not installed: run scripts/setup first", file=sys.stderr)
        return 2
    sys.path.insert(0, str(ROOT / "src"))
    from nerv.cli.main import run_score

    arguments, program = sys.argv[1:], "python scripts/score-benchmark.py"
    if arguments[:1] == [_NAMED]:
        program, arguments = arguments[1], arguments[2:]
    return run_score(arguments, program=program)


if __name__ == "__main__":
    sys.exit(main())
