"""Text written to be slow: the CPU time that reading it takes outside the sandbox, and how that grows with its length.

Each text is one piece, again and again. For every reader the slowest texts are printed, and those whose time grows
fastest from a quarter of the length to the whole; linear time is 4. Exit code 1 above a limit.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from forgetest import extraction
from forgetest.files.printable import terminal_safe
from forgetest.toolchains.rust.integrity import own_operators, soundness, source_text
from forgetest.toolchains.rust.sharing.eligible import may_share
from forgetest.toolchains.rust.source.ambiguity import ambiguity
from forgetest.toolchains.rust.source.endings import dangling_end
from forgetest.toolchains.rust.source.lexer import tokens

GROWTH_LIMIT = 8.0
"""Quadratic time would be 16."""
LEAST_S = 0.2
"""What takes less is not worth a ratio."""
TESTS = '#[test] fn t() { assert_eq!(f().len(), 3); assert_eq!(f().join(""), ""); }'

# fmt: off
PIECES = (
    "#[allow(x)]\n", "#[cfg(test)] ", "#[cfg(test)] mod a {", "#[", "#![", "#", "##", '#"', "#!", "#!/*",
    "impl PartialEq for X { fn eq(&self)", "impl PartialEq ", "impl < ", "impl <T> X for ", "impl < for a ", "for a ",
    "trait x {", "trait x { fn f(); ", "fn main() ", "fn ", "fn f() { ", "mod a { ", "dyn A ", "dyn for < 'a ",
    "T : A + ",
    "& 'a & 'b ", "< 'a : 'b + ", "? Sized ", ": < T as ", "T : 'static ", "where ", "dyn A :: ", ": T :: X ,",
    "macro_rules! vec { ", "macro_rules! a { () => {} } ", "$x ! ", "x ! (", "use std::{", "use tokio::time::pause; ",
    'r#"', "r####", "br##", '"\\u{', "'\\u{", "'\\u{0", '"\\', '"', "'", "'a", "b'", "'a#", 'x"', "/*", "*/", "//",
    "///\n", "/**/ ", "0b0", "0b_", "0b1____2 ", "1e", "1_", "1..", "\u00e9", "\u0301", "\U0001f980", "\u200e", "\r",
    "\0",
    " ", "\t", "\n", "{", "}", "({[", "]})", "{\n", "a(\n", "; ", "} ", "\\\n", '"test x ... ok" ', '"/proc/self" ',
    "<think>", "</think> \n", "<think></think>", "```\n", "```rust\nfn a() {}\n```\n", "> ", "- ", "`", "x = ",
    "use a;\n", "fn a() {}\n", "fn a(x: u8)\n", "struct A {\n", "impl A {\n", "let x = (\n", "Some prose here\n",
)
# fmt: on


def _search(code: str) -> object:
    return source_text.findings(code, TESTS, ("Evil",), compiles=True, edition="2021", reference="fn f() {}")


READERS: dict[str, Callable[[str], object]] = {
    "tokens": tokens,
    "ambiguity": ambiguity,
    "end of the text": dangling_end,
    "findings": _search,
    "soundness": lambda code: list(soundness.findings(" ".join(token.text for token in tokens(code)))),
    "own operators": own_operators.has_own_operators,
    "own comparisons": own_operators.can_decide,
    "sharing": may_share,
    "results in output": source_text.prints_results,
    "safe for a terminal": terminal_safe,
    "extraction": extraction.extract,
    "extraction from a fence": lambda code: extraction.extract(f"```rust\n{code}\n```"),
    "extraction from an open fence": lambda code: extraction.extract(f"```\n{code}"),
}


class Measured(NamedTuple):
    """The time of the longer text, and its ratio to that of the shorter one."""

    seconds: float
    growth: float
    piece: str


def cpu_seconds(read: Callable[[str], object], piece: str, length: int) -> float:
    """Return the CPU time that a reader takes for a text of this length, the collection of garbage left aside."""
    text = (piece * (length // len(piece) + 1))[:length]
    gc.collect()
    began = time.process_time()
    read(text)
    return time.process_time() - began


def measure(read: Callable[[str], object], length: int) -> list[Measured]:
    """Measure a reader with every piece."""
    found = []
    for piece in PIECES:
        short_s, long_s = (cpu_seconds(read, piece, size) for size in (length // 4, length))
        found.append(Measured(long_s, long_s / max(short_s, LEAST_S / 8), piece))
    return found


def main() -> None:
    """Print the slowest texts for each reader."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--bytes", type=int, default=1_000_000, help="length of the texts")
    arguments.add_argument("--reader", choices=READERS, action="append", help="only this one; may be repeated")
    options = arguments.parse_args()
    length = options.bytes
    gc.disable()
    failed = False
    for name in options.reader or READERS:
        read = READERS[name]
        found = measure(read, length)
        slowest = sorted(found, reverse=True)[:3]
        steep = [each for each in found if each.seconds > LEAST_S and each.growth > GROWTH_LIMIT]
        failed = failed or steep != []
        shown = ", ".join(f"{each.seconds:.2f} s {each.piece!r} (x {each.growth:.1f})" for each in slowest)
        print(f"{name:30} {shown}", flush=True)
        for each in steep:
            print(f"    steep: {each.seconds:.2f} s {each.piece!r} (x {each.growth:.1f})")
    sys.exit(failed)


if __name__ == "__main__":
    main()
