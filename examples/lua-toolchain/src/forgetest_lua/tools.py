"""Lua and luacheck on this machine."""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass

from forgetest.errors import UserError
from forgetest.toolchains.controls import SECRET_STEP, JudgeSecret
from forgetest.toolchains.host_tools import preparation_error, read_answers
from forgetest.verdict import Execution, Limits, Mount, Step

_SCRIPT = r"""
for tool in lua5.4 luacheck; do
    command -v "$tool" >/dev/null 2>&1 || { echo "missing=$tool"; exit 0; }
done
echo "version=$(lua5.4 -v 2>&1 | cut -d' ' -f1,2)"
echo "version=$(luacheck --version | sed -n 's/^Luacheck: /luacheck /p')"
# all that would have to change for another answer
stat -Lc 'stamp=%n %s %Y' "$(command -v lua5.4)" "$(command -v luacheck)"
printf '%s\n' "$PATH" | tr ':' '\n' | while IFS= read -r folder; do
    [ ! -d "$folder" ] || stat -Lc 'stamp=%n %s %Y' "$folder"
done
exit 0
"""

LOCATE = Step(
    name="locate the Lua tools", argv=("/bin/sh", "-c", _SCRIPT), on_host=True, stamped=True, limits=Limits(wall_s=60)
)

SYSTEM = tuple(
    Mount(source=path, target=path, optional=True)
    for path in ("/usr", "/bin", "/lib", "/lib64", "/etc/alternatives", "/etc/ld.so.cache")
)
"""What the interpreter and the linter need of the host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """The prepared toolchain: the same for every case."""

    version: str
    judge_secret: JudgeSecret
    """What a sample must not be able to guess about its runs is drawn from it."""


def locate() -> Generator[Step, Execution, Tools]:
    """Find the tools; what to install where one is missing."""
    execution = yield LOCATE
    if not execution.succeeded:
        raise preparation_error("asking Lua about itself failed", execution)
    answers = read_answers(execution)
    if answers["missing"]:
        raise UserError(f"{answers['missing'][0]} was not found: apt-get install lua5.4 lua-check")
    return Tools(version="; ".join(answers["version"]), judge_secret=JudgeSecret.read((yield SECRET_STEP)))


def lint_url(code: str) -> str | None:
    """Return the page of luacheck's warnings."""
    return "https://luacheck.readthedocs.io/en/stable/warnings.html" if re.fullmatch(r"W\d{3}", code) else None
