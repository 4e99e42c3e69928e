"""Python, as the rest of forgetest knows it."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from forgetest.files.schema import Flag, Key, Text
from forgetest.language import CaseKey, Language
from forgetest.toolchains.python.package_names import EXTRA_NAME, PACKAGE_NAME, REQUIREMENT

_IDENTIFIER = r"[A-Za-z_][A-Za-z0-9_]*"
_BEGINS_CODE = re.compile(r"(from|import|def|class|async def|@\w)\b")


def _lint_url(code: str) -> str | None:
    return f"https://docs.astral.sh/ruff/rules/{code}/" if re.fullmatch(r"[A-Z]+\d+", code) else None


def _host_folders(_variables: Mapping[str, str]) -> Sequence[str]:
    # where ruff is, if it was installed together with forgetest
    return (str(Path(sys.executable).parent),)


def _begins_code(line: str) -> bool:
    return _BEGINS_CODE.match(line) is not None


LANGUAGE = Language(
    name="python",
    title="Python",
    fence_tags=frozenset({"py", "python3"}),
    extension="py",
    ready="run",
    case_keys=(
        CaseKey(
            key=Key(
                "module",
                Text(pattern=f"^{_IDENTIFIER}$", otherwise="is not the name of a module"),
                "The name under which tests import the sample",
            ),
            default="solution",
        ),
        CaseKey(
            key=Key(
                "entry_point",
                Text(pattern=f"^({_IDENTIFIER})?$", otherwise="is not the name of a function"),
                "The function that `check(candidate)` is called with; the first of expected_functions by default",
            ),
            default="",
        ),
        CaseKey(
            key=Key(
                "python",
                Text(pattern=r"^(3\.[0-9]+)?$", otherwise='is no release of Python: write "3.12"'),
                "The release of Python, as in 3.12; by default that of python3 on the PATH",
            ),
            default="",
        ),
        CaseKey(key=Key("lint", Flag(), "Lint samples with ruff"), default=True),
    ),
    io_forms=frozenset({"program", "call"}),
    dependency_name=PACKAGE_NAME,
    dependency_feature=EXTRA_NAME,
    dependency_text=REQUIREMENT,
    host_variables=r"(PIP|UV)_\w+|PYENV_ROOT|XDG_(CONFIG|DATA)_HOME|NETRC",
    most_together=512,  # starting an interpreter takes as long as judging sixty small samples
    samples_per_audit=4096,
    lint_url=_lint_url,
    begins_code=_begins_code,
    host_folders=_host_folders,
)
