"""Files that a shell command writes, changes or removes, with the text where the command itself holds it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nerv.readers.claude_code.command_words import simple_commands, started_program
from nerv.readers.claude_code.shell import without_heredocs

_MOST_TARGETS = 20
_NAME = r"['\"]?(?P<{}>[\w./~@+-]*\w[\w./@+-]*)['\"]?"
_REDIRECTED = re.compile(rf"(?<![<>&\d=-])>>?\s*{_NAME.format('redirected')}|\btee\s+(?:-a\s+)?{_NAME.format('teed')}")
_HEREDOC = re.compile(
    r"^(?P<line>[^\n]*<<-?[ \t]*(?P<quote>['\"]?)(?P<mark>\w+)(?P=quote)[^\n]*)\n(?P<body>.*?)^[ \t]*(?P=mark)[ \t]*$",
    re.S | re.M,
)
_ELSEWHERE = ("/dev/", "/tmp/", "/proc/", "/var/folders/", "~")
_PATH = re.compile(r"[\w./~@+*-]*\w[\w./@+*-]*")

_SED_SCRIPT = re.compile(r"[\d,$!]*(?:s(?P<by>[^\w\s]).*(?P=by).*(?P=by)[gIipm\d]*|[dpq=]|[aic]\\.*)|/.*/.*")
_IN_PLACE = re.compile(r"-[a-zA-Z\d]*i\S*|--in-place\S*")
_SUBSTITUTION = re.compile(
    r"\bsed\s+(?:-[Er]\s+)?-i(?:\s+'')?\s+(?:-e\s+)?(?P<quote>['\"])s(?P<by>[/|#,@])(?P<old>(?:\\.|(?!(?P=by)).)+)(?P=by)"
    r"(?P<new>(?:\\.|(?!(?P=by)).)*)(?P=by)(?P<flags>g?)(?P=quote)\s+" + _NAME.format("path") + r"(?=\s*(?:$|[;&|\n]))"
)
_UNESCAPED = re.compile(r"\\([/|#,@.\"])")
_SPECIAL = re.compile(r"[.*^$\[\]+?(){}|&\\]")

_INTERPRETER = re.compile(r"\b(?:python[\d.]*|node|ruby|deno|bun|perl)\b[^\n]*?(?:<<| -c | -e | -\s|--eval )")
_OPENED = re.compile(r"\bopen\(\s*[rf]?(?P<path>['\"][^'\"\n]{1,300}['\"]|\w+)\s*,\s*(?:mode\s*=\s*)?['\"]\w*[wax]")
_WRITTEN = re.compile(
    r"\bPath\(\s*(?P<path>['\"][^'\"\n]{1,300}['\"]|\w+)\s*\)\.write_(?:text|bytes)\("
    r"|\b(?P<name>\w+)\.write_(?:text|bytes)\("
    r"|\b(?:writeFile|appendFile)(?:Sync)?\(\s*(?P<node>['\"][^'\"\n]{1,300}['\"]|\w+)"
)
_ASSIGNED = r"\b{}\s*=\s*(?:(?:pathlib\.)?Path\(\s*)?['\"]([^'\"\n]{{1,300}})['\"]"

_SOURCE = re.compile(r"\.(?:\w{1,5}|properties|gradle|dockerfile)$|(?:^|/)(?:Makefile|Dockerfile|LICENSE|README)$")
_NO_SOURCE = re.compile(
    r"(?:^|/)(?:node_modules|dist|build|target|coverage|htmlcov|__pycache__|\.\w+_cache|\.venv|venv)(?:/|$)"
    r"|\.(?:log|pyc|tmp|bak|orig|rej|swp|out|o|db|sqlite3?|zip|gz|tgz|tar)$"
)
_MOVING = frozenset({"mv", "cp", "rm", "touch", "unlink", "git"})
_APPLIES = re.compile(r"\b(?:git\s+apply|patch)\b")
_APPLY_PATCH = re.compile(r"\b(?:apply_patch|applypatch)\b")


def written_paths(command: str, folder: str = "") -> Iterator[str]:
    """Yield the files that a command writes; not those in temporary or system folders outside of the run's own."""
    found: dict[str, None] = {}
    plain = without_heredocs(command)
    for match in _REDIRECTED.finditer(plain):
        found[match["redirected"] or match["teed"]] = None
    for words, _ in simple_commands(command):
        program = started_program(words)
        if program:
            found |= dict.fromkeys(_changed_in_place(program))
            found |= dict.fromkeys(_moved(program))
    if _INTERPRETER.search(command):
        found |= dict.fromkeys(_written_by_script(command[:20_000]))
    for body in [*applied_diffs(command), *applied_patches(command)]:
        found |= dict.fromkeys(re.findall(r"^(?:\+\+\+ b/|\*\*\* (?:Add|Update|Delete) File: )(\S+)", body, re.M))
    kept = [path for path in found if not _is_elsewhere(path, folder)]
    yield from kept[:_MOST_TARGETS]


def heredoc_files(command: str, folder: str = "") -> Iterator[tuple[str, str, bool]]:
    """Yield the files that a command writes from heredocs: path, text, and whether the text is appended."""
    for match in _HEREDOC.finditer(command):
        target = _REDIRECTED.search(match["line"])
        path = (target["redirected"] or target["teed"]) if target else None
        if target and path and not _is_elsewhere(path, folder):
            appends = target[0].startswith(">>") or re.match(r"tee\s+-a", target[0]) is not None
            yield path, match["body"], appends


def applied_diffs(command: str) -> list[str]:
    """Return the diffs that a command applies from heredocs, by `git apply` or `patch`."""
    return [match["body"] for match in _HEREDOC.finditer(command) if _APPLIES.search(match["line"])]


def applied_patches(command: str) -> list[str]:
    """Return the texts that a command gives to `apply_patch`, as a heredoc or as its argument."""
    if not _APPLY_PATCH.search(command):
        return []
    own_line = re.sub(r"(?<=['\"])(?=\*\*\* Begin Patch)", "\n", command)
    return re.findall(r"^\*\*\* Begin Patch$.*?^\*\*\* End Patch", own_line, re.S | re.M)


def removed_paths(command: str) -> Iterator[str]:
    """Yield the files that a command removes."""
    for words, _ in simple_commands(command):
        program = started_program(words)
        if program[:2] == ["git", "rm"] or program[:1] == ["rm"]:
            yield from (word for word in program[1:] if not word.startswith("-") and word != "rm" and word)


def substitutions(command: str) -> Iterator[tuple[str, str, str, bool]]:
    """Yield what `sed -i` replaces, where it is plain text: path, old text, new text, and whether everywhere."""
    for match in _SUBSTITUTION.finditer(without_heredocs(command)):
        old, new = (_UNESCAPED.sub(r"\1", match[name]) for name in ("old", "new"))
        if not _SPECIAL.search(_UNESCAPED.sub("", match["old"])) and not re.search(r"[&\\]", new):
            yield match["path"], old, new, bool(match["flags"])


def _is_elsewhere(path: str, folder: str) -> bool:
    return path.startswith(_ELSEWHERE) and not (folder and path.startswith(f"{folder.rstrip('/')}/"))


def _changed_in_place(words: list[str]) -> Iterator[str]:
    """Yield the files of `sed -i` and `perl -pi`."""
    if words[0] not in ("sed", "gsed", "perl") or not any(map(_IN_PLACE.fullmatch, words[1:])):
        return
    before = ""
    for word in words[1:]:
        is_script = before in ("-e", "-f", "--expression", "--file") or (words[0] == "perl" and before.endswith("e"))
        before = word if word.startswith("-") else ""
        if not is_script and not word.startswith("-") and _PATH.fullmatch(word) and not _SED_SCRIPT.fullmatch(word):
            yield word


def _moved(words: list[str]) -> Iterator[str]:
    """Yield the source files that a command moves, copies, creates or removes."""
    name, rest = words[0], words[1:]
    if name not in _MOVING or (name == "git" and rest[:1] not in (["mv"], ["rm"])):
        return
    files = [word for word in rest[name == "git" :] if not word.startswith("-") and _PATH.fullmatch(word)]
    if name == "cp":
        files = files[-1:]
    for file in files:
        if name == "git" or (_SOURCE.search(file) and not _NO_SOURCE.search(file)):
            yield file


def _written_by_script(command: str) -> Iterator[str]:
    """Yield the files that a script of Python or JavaScript on the command line opens for writing."""
    for match in [*_OPENED.finditer(command), *_WRITTEN.finditer(command)]:
        fields = match.groupdict()
        named = fields.get("path") or fields.get("name") or fields.get("node") or ""
        if named[:1] in "'\"":
            yield named.strip("'\"")
        elif assigned := re.search(_ASSIGNED.format(re.escape(named)), command):
            yield assigned[1]
