"""cargo-mutants on crates of crates.io: download them, list its mutants, and let it judge them.

The crates' own unit tests are the tests; documentation tests, which take far longer, are left out on both sides.
"""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from measuring import Cost, Meter
from tree_sitter import Node

from forgetest import config, mutation
from forgetest.evalset import Case, Expectations
from forgetest.toolchains.rust.audit.operators import GRAMMAR

VERSION = "27.1.0"
EDITION = "2021"
TIME_LIMIT_S = 20
CAUGHT, MISSED, TIMEOUT, UNVIABLE = "CaughtMutant", "MissedMutant", "Timeout", "Unviable"
HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")


@dataclass(frozen=True, slots=True, kw_only=True)
class Crate:
    """A crate of one source file, on disk, and the same as a case."""

    name: str
    folder: Path
    source: str
    case: Case


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A mutant of cargo-mutants."""

    name: str
    """As the tool prints it, with place and function."""
    code: str
    """The whole file."""
    function: tuple[int, int]
    """First and last line of the function that it changes."""


def install(folder: Path) -> Path:
    """Install cargo-mutants into a folder, unless it is there; return its program."""
    program = folder / "bin" / "cargo-mutants"
    if not program.exists():
        words = ["cargo", "install", "cargo-mutants", "--locked", "--version", VERSION, "--quiet"]
        words += ["--root", str(folder)]
        subprocess.run(words, check=True, env=_environment())
    return program


def download(versions: dict[str, str], folder: Path) -> list[Crate]:
    """Download crates from crates.io, and write a project for each."""
    dependencies = "".join(f'{name} = "={version}"\n' for name, version in versions.items())
    manifest = f'[package]\nname = "crates"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n{dependencies}'
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "lib.rs").touch()
    (folder / "Cargo.toml").write_text(manifest)
    words = ["cargo", "vendor", "--quiet", "vendored"]
    subprocess.run(words, check=True, cwd=folder, env=_environment(), stdout=subprocess.DEVNULL)
    return [_crate(folder / "vendored" / name, folder / "crates" / name) for name in versions]


def _crate(origin: Path, folder: Path) -> Crate:
    """Write a project with a crate's source and nothing that its benchmarks and other tests need."""
    package = tomllib.loads((origin / "Cargo.toml").read_text())["package"]
    # a crate's documentation may be another file, which is no part of what it does
    source = re.sub(r"#!\[doc = include_str!.*\n", "", (origin / "src" / "lib.rs").read_text())
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "lib.rs").write_text(source)
    (folder / "Cargo.toml").write_text(
        f'[package]\nname = "{package["name"]}"\nversion = "{package["version"]}"\nedition = "{EDITION}"\n'
    )
    code, tests = split_tests(source)
    expectations = Expectations(test_file=tests)
    case = Case(
        id=package["name"],
        name=package["name"],
        prompt="",
        language="rust",
        options={"edition": EDITION},
        timeout_secs=TIME_LIMIT_S,
        reference_solution=code,
        expectations=expectations,
    )
    return Crate(name=package["name"], folder=folder, source=source, case=case)


def split_tests(source: str) -> tuple[str, str]:
    """Split a file into its program, whose lines keep their numbers, and its tests."""
    content = source.encode()
    tests: list[str] = []
    for start, end in reversed(list(_test_items(mutation.parse(GRAMMAR, source)))):
        tests.insert(0, content[start:end].decode())
        content = content[:start] + b"\n" * content[start:end].count(b"\n") + content[end:]
    return content.decode(), "\n\n".join(tests) + "\n"


def _test_items(root: Node) -> Iterator[tuple[int, int]]:
    attributes: list[Node] = []
    for node in root.named_children:
        if node.type == "attribute_item":
            attributes.append(node)
            continue
        if any(mutation.text_of(each) in ("#[test]", "#[cfg(test)]") for each in attributes):
            yield attributes[0].start_byte, node.end_byte
        attributes = []


def mutants(program: Path, crate: Crate) -> list[Mutant]:
    """Return every mutant that cargo-mutants makes of a crate."""
    words = [str(program), "mutants", "--list", "--json", "--diff", "--dir", str(crate.folder)]
    listed = subprocess.run(words, check=True, stdout=subprocess.PIPE, env=_environment()).stdout
    return [
        Mutant(
            name=each["name"],
            code=_patched(crate.source, each["diff"]),
            function=(each["function"]["span"]["start"]["line"], each["function"]["span"]["end"]["line"]),
        )
        for each in json.loads(listed)
        if each.get("function")
    ]


def _patched(source: str, diff: str) -> str:
    """Apply a unified diff."""
    lines, result, position = source.splitlines(keepends=True), "", 0
    for line in diff.splitlines(keepends=True):
        hunk = HUNK.match(line)
        if hunk:
            start = int(hunk[1]) - (hunk[2] != "0")
            result += "".join(lines[position:start])
            position = start
        elif line.startswith(("---", "+++")) and not position and not result:
            continue
        elif line.startswith("+"):
            result += line[1:]
        elif line.startswith(("-", " ")):
            result += lines[position] if line[0] == " " else ""
            position += 1
    return result + "".join(lines[position:])


def judge(program: Path, crate: Crate, workers: int, shard: str, counter: Meter, costs: list[Cost]) -> dict[str, str]:
    """Let cargo-mutants judge its mutants of a crate as one round; return its verdicts by the mutants' names."""
    words = [str(program), "mutants", "--dir", str(crate.folder), "--output", str(crate.folder), "--jobs", str(workers)]
    words += ["--baseline", "skip", "--timeout", str(TIME_LIMIT_S), "--no-times"]
    words += ["--shard", shard, "--sharding", "round-robin"]
    with counter.round(costs):
        # its exit code tells whether a mutant was missed
        ran = subprocess.run(
            counter.argv([*words, "--", "--lib"]), env=_environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
    if ran.returncode not in (0, 2, 3):
        raise SystemExit(f"cargo-mutants failed: {ran.stdout.decode()}")
    outcomes = json.loads((crate.folder / "mutants.out" / "outcomes.json").read_text())["outcomes"]
    return {
        each["scenario"]["Mutant"]["name"]: each["summary"] for each in outcomes if isinstance(each["scenario"], dict)
    }


def check_baseline(crates: Sequence[Crate]) -> None:
    """Build each crate and run its tests once, so that its verdicts mean something."""
    for crate in crates:
        subprocess.run(["cargo", "test", "--lib", "--quiet"], check=True, cwd=crate.folder, env=_environment())


def _environment() -> dict[str, str]:
    return {name: value for name, value in config.host_environment().items() if name != "CARGO_TARGET_DIR"}
