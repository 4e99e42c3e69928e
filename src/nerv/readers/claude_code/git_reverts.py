"""Git commands that put files back: `checkout`, `restore`, `reset --hard`, `stash` and `clean`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from nerv.readers.claude_code.command_words import simple_commands, started_program

GitStep = Literal["commit", "restore", "restart", "stash", "unstash", "clean"]
_ALL = frozenset({".", "./", ":/", "*", "-A", ":"})
_HEAD = re.compile(r"HEAD|@")
_OPTIONS_WITH_VALUE = frozenset({"-C", "-c", "--git-dir", "--work-tree"})


@dataclass(frozen=True, slots=True, kw_only=True)
class GitEffect:
    """What a git command does to the files of a working tree."""

    step: GitStep
    """`restore` puts files back as they were committed, `restart` as they were before the session."""
    paths: tuple[str, ...] = ()
    """None: all files."""


def git_effects(command: str) -> Iterator[GitEffect]:
    """Yield what the git commands in a shell command do to files that were changed before."""
    for words, _ in simple_commands(command):
        program = started_program(words)
        if program[:1] == ["git"]:
            effect = _effect(_without_options(program[1:]))
            if effect is not None:
                yield effect


def _without_options(words: list[str]) -> list[str]:
    while words and words[0].startswith("-"):
        words = words[2 if words[0] in _OPTIONS_WITH_VALUE else 1 :]
    return words


def _effect(words: list[str]) -> GitEffect | None:
    name, rest = (words[0], words[1:]) if words else ("", [])
    flags = {word for word in rest if word.startswith("-")}
    given = [word for word in rest if not word.startswith("-")]
    if name == "commit" and "--dry-run" not in flags:
        return GitEffect(step="commit")
    if name == "checkout" and not flags & {"-b", "-B", "--orphan", "-p", "--patch"}:
        before, after = (rest[: rest.index("--")], rest[rest.index("--") + 1 :]) if "--" in rest else ([], given)
        if any(not _HEAD.fullmatch(word) for word in before if not word.startswith("-")):
            return None  # another commit's version is not known
        return _restored([word for word in after if not _HEAD.fullmatch(word)])
    if name == "restore" and not any(flag.startswith(("-s", "--source", "-p", "--patch")) for flag in flags):
        only_staged = bool(flags & {"--staged", "-S"}) and not flags & {"--worktree", "-W"}
        return None if only_staged else _restored(given)
    if name == "reset" and "--hard" in flags:
        return GitEffect(step="restore" if all(map(_HEAD.fullmatch, given)) else "restart")
    if name == "stash":
        how = given[0] if given else "push"
        steps: dict[str, GitStep] = {"push": "stash", "save": "stash", "pop": "unstash", "apply": "unstash"}
        return GitEffect(step=steps[how]) if how in steps and "--" not in rest else None
    if name == "clean" and any("f" in flag for flag in flags) and not any("n" in flag for flag in flags) and not given:
        return GitEffect(step="clean")
    return None


def _restored(paths: list[str]) -> GitEffect | None:
    if not paths:
        return None
    return GitEffect(step="restore", paths=() if _ALL & set(paths) else tuple(paths))
