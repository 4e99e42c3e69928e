"""Files that shell commands write: redirections, `tee`, `sed -i`, and scripts that name a file of the diff."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nerv.changes import Diff
from nerv.evidence import FileEdits
from nerv.location import Moment
from nerv.readers.claude_code.shell import without_heredocs

ShellCommand = tuple[str, Moment]

_MOST_TARGETS = 20
_NAME = r"['\"]?(?P<{}>[\w./~@+-]*\w[\w./@+-]*)['\"]?"
_TARGET = re.compile(
    rf"(?<![<>&\d=-])>>?\s*{_NAME.format('redirected')}"
    rf"|\btee\s+(?:-a\s+)?{_NAME.format('teed')}"
    rf"|\b(?:sed|perl)\s+(?:-\w+\s+)*-\w*i\S*\s+(?:-e\s+)?(?:'[^']*'|\"[^\"]*\"|\S+)\s+{_NAME.format('edited')}"
)
_MAY_WRITE = re.compile(
    r">|\btee\b|\b(?:sed|perl)\s+-\S*i|\bpatch\b|\bgit\s+(?:apply|checkout|restore|mv|rm)\b|\b(?:mv|cp|rm|touch)\s"
    r"|\b(?:python[\d.]*|node|ruby|awk|ed)\s"
)
_MESSAGES = re.compile(r"\d?>>?\s*/dev/\w+|\d>&\d|&>\s*/dev/\w+")
_PATCHES = re.compile(r"\b(?:git\s+(?:apply|checkout|restore)|patch|mv|cp)\b|\.write(?:_text|lines)?\(|writeFile")
_HEREDOC = re.compile(
    r"^(?P<line>[^\n]*<<-?[ \t]*(?P<quote>['\"]?)(?P<mark>\w+)(?P=quote)[^\n]*)\n(?P<body>.*?)^[ \t]*(?P=mark)[ \t]*$",
    re.S | re.M,
)
_REMOVED = re.compile(r"(?:^|[;&|\n])\s*(?:git\s+)?rm\s+([^;&|\n<>]{1,500})")
_ELSEWHERE = ("/dev/", "/tmp/", "/proc/", "~")


def may_write(command: str) -> bool:
    """Return whether a command may change a file; one that only redirects its messages does not."""
    return _MAY_WRITE.search(_MESSAGES.sub("", command)) is not None


def written_paths(command: str) -> Iterator[str]:
    """Yield the files that a command writes by itself; not those in temporary or system folders."""
    for count, match in enumerate(_TARGET.finditer(without_heredocs(command))):
        path = match["redirected"] or match["teed"] or match["edited"]
        if count < _MOST_TARGETS and not path.startswith(_ELSEWHERE):
            yield path


def heredoc_files(command: str) -> Iterator[tuple[str, str, bool]]:
    """Yield the files that a command writes from heredocs: path, text, and whether the text is appended."""
    for match in _HEREDOC.finditer(command):
        target = _TARGET.search(match["line"])
        path = (target["redirected"] or target["teed"]) if target else None
        if target and path and not path.startswith(_ELSEWHERE):
            appends = target[0].startswith(">>") or re.match(r"tee\s+-a", target[0]) is not None
            yield path, match["body"], appends


def removed_paths(command: str) -> Iterator[str]:
    """Yield the files that a command removes."""
    for match in _REMOVED.finditer(without_heredocs(command)):
        yield from (path for path in match[1].split() if not path.startswith("-"))


def shell_edits(commands: Sequence[ShellCommand], diff: Diff | None, known: Sequence[str]) -> list[FileEdits]:
    """Return the edits that commands made: of the files of the diff, or without one, of the files that they write."""
    moments: dict[str, list[Moment]] = {}
    inexact: set[str] = set()
    if diff is None:
        for command, moment in commands:
            for path in written_paths(command):
                moments.setdefault(path, []).append(moment)
    else:
        unexplained = [change.path for change in diff.files if not any(_is_same(path, change.path) for path in known)]
        for path in unexplained:
            name = path.rsplit("/", 1)[-1]
            named = [(command, moment) for command, moment in commands if name in command]
            writing = [moment for command, moment in named if _writes(command, name)]
            if writing or named:
                moments[path] = writing or [moment for _, moment in named]
                inexact |= set() if writing else {path}
    return [
        FileEdits(path=path, count=len(found), first=found[0], moments=tuple(found[:200]), exact=path not in inexact)
        for path, found in moments.items()
    ]


def _writes(command: str, name: str) -> bool:
    """Return whether a command that names a file changes it: by a redirection, in place, or by a script that writes."""
    return any(path.endswith(name) for path in written_paths(command)) or _PATCHES.search(command) is not None


def _is_same(edited: str, path: str) -> bool:
    return edited == path or edited.endswith(f"/{path}")
