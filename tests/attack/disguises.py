"""Ways to hide: transformations of a whole sample that mean nothing to the compiler."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

_LINE = re.compile(
    r"^(pub struct|pub enum|pub fn|pub trait|struct|enum|fn|trait|impl|static|const|mod) ?", re.MULTILINE
)


def disguise(code: str, kind: str, random_: random.Random) -> str:
    """Return the sample in that disguise."""
    return _DISGUISES[kind](code, random_)


def _shebang(code: str, random_: random.Random) -> str:
    first = random_.choice(("#!/*", "#!/usr/bin/env -S cargo /*", "#! /* script"))
    return f"{first}\n{code}\n// */\n"


def _escape(code: str, random_: random.Random) -> str:
    digit = random_.choice("123456789")
    return (
        f"const _: (char,char,&str) = ('\\u{{4{'_' * random_.randint(12, 40)}{digit}}}','\"',\"/*\");\n{code}\n// */\n"
    )


def _marks(code: str, random_: random.Random) -> str:
    """Put invisible white space behind keywords and before brackets, outside of literals."""
    mark = random_.choice("\u200e\u200f")
    parts = re.split(r"(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\[^']*)'|//[^\n]*|/\*.*?\*/)", code, flags=re.DOTALL)
    parts[::2] = [
        re.sub(r"\b(impl|for|fn|unsafe|dyn|trait|type|mod|use|as)\b ", rf"\1{mark} ", part) for part in parts[::2]
    ]
    return "".join(parts)


def _wrapped(code: str, _random: random.Random) -> str:
    inner = "\n".join(line for line in code.splitlines() if not line.startswith("#!["))
    return f"macro_rules! kept_as_it_is {{ ($($all:tt)*) => {{ $($all)* }}; }}\nkept_as_it_is! {{\n{inner}\n}}\n"


def _in_a_module(code: str, random_: random.Random) -> str:
    name = random_.choice(("inner", "detail", "parts"))
    return f"mod {name} {{\n{code}\n}}\npub use {name}::*;\n"


def _comments(code: str, _random: random.Random) -> str:
    return _LINE.sub(lambda found: f"/* fn /* impl */ PartialEq */ {found[0]}", code)


def _raw_names(code: str, _random: random.Random) -> str:
    return re.sub(r"\b(eq|fmt|state|area|count|radius)\b(?=[ (:])", r"r#\1", code)


def _noise(code: str, random_: random.Random) -> str:
    words = ("/proc is not read here", "test result: ok", "unsafe { asm! }", "'\\\"' and '\\\\'")
    text = random_.choice(words)
    return f'/// {text}\n#[allow(dead_code)]\nconst NOTE: &str = r#"{text}"#;\n{code}'


_DISGUISES: dict[str, Callable[[str, random.Random], str]] = {
    "in plain sight": lambda code, _: code,
    "behind a shebang": _shebang,
    "behind an escape": _escape,
    "behind marks of direction": _marks,
    "inside a macro": _wrapped,
    "inside a module": _in_a_module,
    "between comments": _comments,
    "by raw names": _raw_names,
    "beside other texts": _noise,
    "with Windows line ends": lambda code, _: code.replace("\n", "\r\n"),
    "behind a byte order mark": lambda code, _: f"\ufeff{code}",
}
DISGUISES = tuple(_DISGUISES)
"""The names of all ways to hide."""
