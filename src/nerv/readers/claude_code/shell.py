"""Shell commands without the text that they only carry: heredocs and quoted strings."""

from __future__ import annotations

import re

_HEREDOC = re.compile(
    r"<<-?\s*(?P<quote>['\"]?)(?P<mark>\w+)(?P=quote)(?P<rest>[^\n]*)\n.*?(?:^\s*(?P=mark)\s*$|\Z)", re.S | re.M
)
_SHELL = re.compile(r"\b(?:ba|da|z|k)?sh\s+(?:-\w+\s+)*-\w*c\s+(?P<quote>['\"])(?P<script>.*?)(?<!\\)(?P=quote)", re.S)
_QUOTED = re.compile(r"'[^']*'|\"(?:\\.|[^\"\\])*\"", re.S)
_LONGEST = 10_000


def without_heredocs(command: str) -> str:
    """Return the command without the bodies of heredocs."""
    return _HEREDOC.sub(lambda match: match["rest"] + "\n", command[:_LONGEST])


def command_text(command: str) -> str:
    """Return what the shell itself runs: no heredocs, no quoted text but the script of `sh -c`."""
    script = _SHELL.sub(lambda match: f"\n{match['script']}\n", without_heredocs(command))
    return _QUOTED.sub(lambda match: "''" if re.search(r"\s|[;&|<>()`]", match[0]) else match[0], script)
