"""The words of the simple commands in a shell command, without what only starts another program."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from nerv.readers.claude_code.shell import command_text

_OPERATORS = re.compile(r"(&&|\|\||[;&|\n()`])")
_KEYWORDS = frozenset({"if", "then", "else", "elif", "do", "while", "until", "!", "{", "time", "exec", "command"})
_ASSIGNMENT = re.compile(r"\w+\+?=")
_WINDOWS_SUFFIX = re.compile(r"\.(?:exe|cmd|bat)$", re.I)
_DURATION = re.compile(r"[\d.]+[smhd]?")

_WITH_VALUE: Mapping[str, frozenset[str]] = {
    "sudo": frozenset({"-u", "-g", "-h", "-p", "-C"}),
    "env": frozenset({"-u", "-C", "-S"}),
    "nice": frozenset({"-n"}),
    "ionice": frozenset({"-c", "-n"}),
    "timeout": frozenset({"-k", "-s"}),
    "stdbuf": frozenset({"-i", "-o", "-e"}),
    "xargs": frozenset({"-n", "-P", "-I", "-L", "-d"}),
    "xvfb-run": frozenset({"-s", "-n", "-e"}),
    "nohup": frozenset(),
    "setsid": frozenset(),
    "cross-env": frozenset(),
    "npx": frozenset({"-p", "--package"}),
    "bunx": frozenset({"-p", "--package"}),
    "uvx": frozenset({"--from", "--with", "-p", "--python"}),
}
"""Programs that start the one after them, with their options that take a value."""
_WITH_SUBCOMMAND: Mapping[str, frozenset[str]] = {
    "uv": frozenset({"run"}),
    "poetry": frozenset({"run"}),
    "pdm": frozenset({"run"}),
    "hatch": frozenset({"run"}),
    "rye": frozenset({"run"}),
    "pipenv": frozenset({"run"}),
    "pipx": frozenset({"run"}),
    "pixi": frozenset({"run"}),
    "conda": frozenset({"run"}),
    "mamba": frozenset({"run"}),
    "pnpm": frozenset({"exec", "dlx"}),
    "yarn": frozenset({"exec", "dlx"}),
    "npm": frozenset({"exec", "x"}),
    "bundle": frozenset({"exec"}),
    "coverage": frozenset({"run"}),
    "docker": frozenset({"exec", "run"}),
    "podman": frozenset({"exec", "run"}),
    "docker-compose": frozenset({"exec", "run"}),
    "kubectl": frozenset({"exec"}),
}
"""Programs that start another one by a subcommand."""
_CONTAINERS = frozenset({"docker", "podman", "docker-compose", "kubectl"})
"""The first word after their options names the container."""
_WITH_SCRIPTS = frozenset({"hatch", "pdm", "pixi", "rye"})
"""The word after `run` may name a script of the project instead of a program."""
_TEST_SCRIPT = re.compile(r"(?:.*[:_-])?tests?(?:[:_-].*)?")
_VALUES = frozenset(
    {
        "-n",
        "--name",
        "-p",
        "--python",
        "--with",
        "--with-requirements",
        "--extra",
        "--group",
        "--project",
        "--directory",
    }
    | {"-e", "--env", "--env-file", "-u", "--user", "-v", "--volume", "-w", "--workdir", "--network", "--entrypoint"}
    | {"--mount", "--platform", "-c", "--container", "-f", "--file", "--source", "--rcfile", "--omit", "--include"}
)
"""Options of these that take a value."""


def simple_commands(command: str) -> Iterator[tuple[list[str], str]]:
    """Yield the words of each simple command, and the operators and commands after it, as the shell would run them."""
    parts = _OPERATORS.split(command_text(command))
    for index in range(0, len(parts), 2):
        words = [word.strip("'\"") for word in parts[index].split()]
        if words:
            yield words, "".join(parts[index + 1 :])


def started_program(words: list[str]) -> list[str]:
    """Return the words from the program that a simple command starts in the end; none if it only assigns."""
    while words:
        name = program_name(words[0])
        if words[0] in _KEYWORDS or _ASSIGNMENT.match(words[0]):
            words = words[1:]
        elif name in _WITH_VALUE:
            words = _after_options(words[1:], _WITH_VALUE[name])
            if name == "timeout" and words and _DURATION.fullmatch(words[0]):
                words = words[1:]
        elif name.startswith("python") and words[1:3] == ["-m", "coverage"]:
            words = words[2:]
        elif (rest := _after_subcommand(name, words[1:])) is not None:
            words = rest
        else:
            return [name, *words[1:]]
    return []


def program_name(word: str) -> str:
    """Return a program's name without its folder and the suffix that Windows gives it.

    A variable such as `$PYTHON` stands for the program of its name.
    """
    name = _WINDOWS_SUFFIX.sub("", word.rpartition("/")[2])
    return name.strip("${}").lower() if name.startswith("$") else name


def _after_subcommand(name: str, words: list[str]) -> list[str] | None:
    """Return the words after `uv run`, `docker exec web` and the like; None if this is no such command."""
    if name == "docker" and words[:1] == ["compose"]:
        words = _after_options(words[1:], _VALUES)
    if name not in _WITH_SUBCOMMAND or not words or words[0] not in _WITH_SUBCOMMAND[name]:
        return None
    if name == "coverage" and "-m" in words:
        return ["python", *words[words.index("-m") :]]
    words = _after_options(words[1:], _VALUES)
    if name in _CONTAINERS:
        words = words[1:]
        return words[1:] if words[:1] == ["--"] else words
    if name in _WITH_SCRIPTS and words and _TEST_SCRIPT.fullmatch(words[0]):
        return None
    return ["python", *words] if name == "coverage" else words


def _after_options(words: list[str], with_value: frozenset[str]) -> list[str]:
    """Return the words after options, their values and assignments."""
    while words and (words[0].startswith("-") or _ASSIGNMENT.match(words[0])):
        if words[0] == "--":
            return words[1:]
        words = words[2 if words[0] in with_value else 1 :]
    return words
