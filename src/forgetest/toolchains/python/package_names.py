"""Names of packages as eval sets write them: checked when a set is read, because pip or uv runs on the host."""

from __future__ import annotations

from forgetest.files.schema import Text

_END = r"(?![\s\S])"  # `$` would also match before a line break at the end
_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
_CLAUSE = r"(?:===?|~=|!=|<=?|>=?)\s*[A-Za-z0-9.*+!-]+"

PACKAGE_NAME = Text(
    pattern=rf"^{_NAME}{_END}",
    otherwise="is no package's name: write it as on PyPI, in letters, digits, - _ and .",
)
EXTRA_NAME = Text(pattern=rf"^{_NAME}{_END}", otherwise="is no extra's name: use letters, digits, - _ and .")
VERSION = Text(
    pattern=rf"^(?:\*|[A-Za-z0-9.*+!-]+|{_CLAUSE}(?:\s*,\s*{_CLAUSE})*){_END}",
    otherwise="is no version: write 2.1.0, or >=2,<3, or *",
)
REQUIREMENT = Text(
    pattern=rf"^{_NAME}\s*(?:\[{_NAME}(?:\s*,\s*{_NAME})*\])?\s*(?:{_CLAUSE}(?:\s*,\s*{_CLAUSE})*)?{_END}",
    otherwise='is no requirement: write "numpy==2.1.0"',
)
