"""The test script of package.json: what it starts, and with which options; it is read, and never run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence

from nerv.verification.ecosystems import node_packages
from nerv.verification.trees import Tree

_DELEGATES = re.compile(
    r"\b(?:npm|pnpm|yarn)\b[^&|;]*(?:\s(?:-ws|--workspaces|--workspace|-w|-r|--recursive|workspaces)\b)"
    r"|\b(?:turbo|nx|lerna)\b|\bpnpm\b[^&|;]*--filter\b"
)
"""Scripts that start the tests of the packages below."""
_TAKING_A_VALUE: Mapping[str, frozenset[str]] = {
    "jest": frozenset({"--config", "-c", "--rootDir", "--testRegex", "--env", "--testEnvironment", "--preset"}),
    "vitest": frozenset({"--config", "-c", "--root", "-r", "--dir", "--environment"}),
    "mocha": frozenset({"--require", "-r", "--config", "--ui", "-u", "--extension", "--import", "--loader", "--file"}),
}
"""Options without which a runner does not find or load the tests."""
_FLAGS: Mapping[str, frozenset[str]] = {
    "jest": frozenset(),
    "vitest": frozenset({"--globals"}),
    "mocha": frozenset({"--recursive"}),
}
_NODE_OPTION = re.compile(r"--(?:experimental-[\w-]+|no-warnings|import(?:=\S+)?|loader(?:=\S+)?|conditions=\w+)")


def text(tree: Tree) -> str:
    """Return the test script; empty if there is none."""
    return _script(tree, "test")


def words(tree: Tree) -> list[str]:
    """Return the words of the command that runs the tests: the last one."""
    return _split(text(tree).split("&&")[-1])


def is_for_workspaces(tree: Tree) -> bool:
    """Return whether the script only starts the scripts of packages below."""
    return _DELEGATES.search(text(tree)) is not None


def runner_options(tree: Tree, runner: str) -> list[str]:
    """Return the options of the script's command that the runner cannot do without."""
    taking, flags = _TAKING_A_VALUE.get(runner, frozenset()), _FLAGS.get(runner, frozenset())
    found: list[str] = []
    after = _after_runner(words(tree), runner)
    for index, word in enumerate(after):
        if word in flags or (word.startswith("--") and word.partition("=")[0] in taking and "=" in word):
            found.append(word)
        elif word in taking and index + 1 < len(after):
            found += [word, after[index + 1]]
    return found


def node_options(tree: Tree, runner: str) -> list[str]:
    """Return options of node itself: from NODE_OPTIONS in the script, or between `node` and the runner's file."""
    script = words(tree)
    set_here = [word.partition("=")[2] for word in script if word.startswith("NODE_OPTIONS=")]
    before = script[: len(script) - len(_after_runner(script, runner))]
    return [
        word for word in (*_split(" ".join(set_here)), *before) if _NODE_OPTION.fullmatch(word) and "=" in f"{word}="
    ]


def compiles_first(tree: Tree) -> list[str] | None:
    """Return the arguments of `tsc`, if the tests are in what it writes; None if it is not run before."""
    scripts = [_script(tree, "pretest"), *text(tree).split("&&")[:-1]]
    for script in scripts:
        named = re.fullmatch(r"\s*(?:npm run|yarn|pnpm(?: run)?)\s+([\w:-]+)\s*", script)
        called = _split(_script(tree, named[1]) if named else script)
        if called[:1] == ["tsc"] and node_packages.requires(tree, "typescript"):
            return [word for word in called[1:] if re.fullmatch(r"-p|--project|-b|--build|[\w./-]+\.json", word)]
    return None


def _script(tree: Tree, name: str) -> str:
    scripts = node_packages.manifest(tree).get("scripts")
    script = scripts.get(name) if isinstance(scripts, dict) else None
    return script if isinstance(script, str) else ""


def _split(script: str) -> list[str]:
    try:
        return shlex.split(script)
    except ValueError:
        return []


def _after_runner(script: Sequence[str], runner: str) -> list[str]:
    """Return the words after the runner's name, or after the file of it that node is given."""
    place = next((index for index, word in enumerate(script) if re.search(rf"(^|[/_]){runner}(\.m?js)?$", word)), None)
    return [] if place is None else list(script[place + 1 :])
