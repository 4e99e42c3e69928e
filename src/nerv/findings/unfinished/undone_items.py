"""What an item of a check list names, and the run neither wrote nor ran: documents, commands, tests, parameters."""

from __future__ import annotations

import re

from nerv.findings.reviewed_run import ReviewedRun
from nerv.findings.unfinished.ignored_input import parameters_of
from nerv.inspection.languages import name_of
from nerv.readers.claude_code.test_commands import is_test_run

_DOCUMENT = re.compile(r"(?<![\w/])(?:README|CHANGELOG|CHANGES|HISTORY|CONTRIBUTING)(?:\.\w+)?\b|[\w/-]+\.(?:md|rst)\b")
_LEFT_ALONE = re.compile(r"\b(?:not|no|never|unchanged|untouched|without|already|if|as (?:it|they) (?:is|are))\b", re.I)
_SPAN = re.compile(r"`([^`\n]+)`")
_COMMAND = re.compile(
    r"(?:python3?|node|npm|npx|yarn|pnpm|cargo|go|make|just|pytest|ruff|mypy|pyright|eslint|tsc|bash|sh|mvn|gradle|tox"
    r"|nox|pre-commit|bundle|rake|dotnet|\./\S+)(?:\s+\S+)+|pytest|mypy|eslint|pre-commit"
)
_IS_RUN = re.compile(
    r"\b(?:r[au]n|runs|pass(?:es|ed)?|prints?|clean|green|ok|succeeds?|succeeded|exits?|no (?:warnings|errors))\b", re.I
)
_TESTS = re.compile(
    r"(?:\w+\s+)?tests?\b(?!\s+(?:data|file|folder|server|mode))|.*\btests? (?:for|of|cover|are|is) "
    r"|.*\b(?:and|with|has|have) (?:an? |its )?tests?\b",
    re.I,
)
_SIGNATURE = re.compile(r"(?:\w+(?:\.|::))*(?P<name>[A-Za-z_]\w*)\((?P<parameters>[^`]*)\)")
_KEYWORD = re.compile(r"(?:^|,)\s*([A-Za-z_]\w*)\s*=")


def is_undone(text: str, own_path: str, run: ReviewedRun) -> bool:
    """Return whether an item names a document, a command, tests or a parameter that the run shows no trace of."""
    return (
        _unwritten_document(text, own_path, run)
        or _unrun_command(text, run)
        or _unwritten_tests(text, run)
        or _absent_parameter(text, run)
    )


def _unwritten_document(text: str, own_path: str, run: ReviewedRun) -> bool:
    if _LEFT_ALONE.search(text):
        return False
    changed = {_stem(file.path) for file in run.files}
    return any(_stem(name) not in changed | {_stem(own_path)} for name in _DOCUMENT.findall(text))


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0].lower()


def _unrun_command(text: str, run: ReviewedRun) -> bool:
    """Return whether an item says what a command gives, and nothing of that kind was run."""
    commands = [_plain(command.text) for command in run.evidence.activity.actions.commands]
    if not commands or not _IS_RUN.search(_SPAN.sub(" ", text)):
        return False
    for span in _SPAN.findall(text):
        if _COMMAND.fullmatch(span.strip()) and not any(_plain(span) in each for each in commands):
            return not (is_test_run(span) and any(map(is_test_run, commands)))
    return False


def _plain(command: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"\bpython3\b", "python", command)).strip()


def _unwritten_tests(text: str, run: ReviewedRun) -> bool:
    """Return whether an item is about tests, and no test was written or changed."""
    if not _TESTS.match(_SPAN.sub("``", text)) or _LEFT_ALONE.search(text) or _IS_RUN.search(_SPAN.sub(" ", text)):
        return False
    return bool(run.code_files) and not any(
        file.is_test or any(test.touched for test in file.new_tests) for file in run.files
    )


def _absent_parameter(text: str, run: ReviewedRun) -> bool:
    """Return whether an item gives a signature, and the function has none of its optional parameters."""
    for span in _SPAN.findall(text):
        signature = _SIGNATURE.fullmatch(span.strip())
        parameters = re.sub(r"\"[^\"]*\"|'[^']*'", "''", signature["parameters"]) if signature is not None else ""
        asked = set(_KEYWORD.findall(parameters))
        known = [
            set(parameters_of(node))
            for file in run.code_files
            if file.new_tree is not None
            for node in file.new_tree.nodes
            if signature is not None
            and node.type in file.new_tree.language.functions
            and name_of(node) == signature["name"]
        ]
        if asked and known and not any(asked & names for names in known):
            return True
    return False
