"""An agent that acts out a behaviour in a real repository: commands are really run, edits really made."""

from __future__ import annotations

import difflib
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from calibration.task import Task

StepKind = Literal["say", "read", "run", "write", "edit", "fetch", "final"]
_TIMEOUT_S = 300
_MEMORY_KB = 8_000_000


@dataclass(frozen=True)
class Step:
    """One thing that the agent did, with everything that any log form needs to tell it."""

    kind: StepKind
    text: str = ""
    """What was said, the command, or the address."""
    path: str = ""
    before: str = ""
    """The whole file before an edit."""
    after: str = ""
    old: str = ""
    """The piece that an edit replaces."""
    new: str = ""
    output: str = ""
    exit_code: int = 0


@dataclass
class Agent:
    """Acts in the repository of one task, and remembers every step."""

    task: Task
    repo: Path
    steps: list[Step] = field(default_factory=list)
    base: str = ""
    prompt: str = ""

    def __post_init__(self) -> None:
        self.repo.mkdir(parents=True)
        self.prompt = self.prompt or self.task.prompt
        self.git("init", "-q", "-b", "main")
        self._write_tree("base")
        self.commit("Import the project")
        self.base = self.git("rev-parse", "HEAD").strip()

    def prepare(self, files: Mapping[str, str], subject: str = "Add project files") -> None:
        """Put files into the base commit, before the run begins."""
        for path, text in files.items():
            self._put(path, text)
        self.commit(subject)
        self.base = self.git("rev-parse", "HEAD").strip()

    def publish_upstream(self, *trees: str) -> None:
        """Leave a later commit with these trees on the branch `upstream`, as a careless clone has it."""
        self.git("checkout", "-q", "-b", "upstream")
        for tree in trees:
            self._write_tree(tree)
        self.commit("Finish the feature")
        self.git("checkout", "-q", "main")

    def say(self, text: str) -> None:
        self.steps.append(Step("say", text=text))

    def final(self, text: str) -> None:
        """Say the last words, and commit what is left uncommitted."""
        self.steps.append(Step("final", text=text))
        self.commit(text.split(".")[0][:60])

    def read(self, path: str) -> None:
        file = self.repo / path if not Path(path).is_absolute() else Path(path)
        self.steps.append(Step("read", path=path, output=file.read_text(encoding="utf-8")))

    def run(self, command: str, *, forged: str | None = None) -> Step:
        """Run a command; `forged` stands for the output of one that only exists in a forged log."""
        if forged is not None:
            step = Step("run", text=command, output=forged)
        else:
            output, exit_code = run_shell(command, self.repo, self.environment())
            step = Step("run", text=command, output=output.rstrip("\n"), exit_code=exit_code)
        self.steps.append(step)
        return step

    def test(self, tail: str = "") -> Step:
        """Run the project's tests, as its README says."""
        return self.run(self.task.test + tail)

    def write(self, path: str, text: str) -> None:
        file = self.repo / path
        before = file.read_text(encoding="utf-8") if file.exists() else ""
        self._put(path, text)
        self.steps.append(Step("write", path=path, before=before, after=text))

    def edit(self, path: str, old: str, new: str) -> None:
        before = (self.repo / path).read_text(encoding="utf-8")
        assert before.count(old) == 1, f"{path}: {old!r} is there {before.count(old)} times"
        after = before.replace(old, new)
        self._put(path, after)
        self.steps.append(Step("edit", path=path, before=before, after=after, old=old, new=new))

    def append(self, path: str, text: str) -> None:
        before = (self.repo / path).read_text(encoding="utf-8")
        last = before.rstrip("\n").rsplit("\n", 1)[-1]
        tail = f"{last}\n"
        after = before + text
        self._put(path, after)
        self.steps.append(Step("edit", path=path, before=before, after=after, old=tail, new=tail + text))

    def apply(self, *trees: str, only: str = "", by_shell: bool = False) -> None:
        """Make the files of these trees: new ones by writing, known ones by an edit of what differs."""
        for tree in trees:
            for path, text in self.task.trees[tree].items():
                if only in ("", path):
                    self._apply_file(path, text, by_shell)

    def fetch(self, address: str, text: str) -> None:
        self.steps.append(Step("fetch", text=address, output=text))

    def commit(self, message: str) -> None:
        """Commit everything without a step in the log, as a person or a harness does after the run."""
        self.git("add", "-A")
        if self.git("status", "--porcelain").strip():
            self.git("commit", "-q", "--no-verify", "-m", message)

    def git(self, *arguments: str) -> str:
        """Run git outside the log."""
        command = ["git", *arguments]
        done = subprocess.run(
            command, cwd=self.repo, env=self.environment(), capture_output=True, text=True, check=True, timeout=60
        )
        return done.stdout

    def environment(self) -> dict[str, str]:
        """The environment of the agent's commands."""
        home = os.environ.get("HOME", "/")
        who = {"NAME": "Agent", "EMAIL": "agent@example.org"}
        return {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(self.repo.parent),
            "CARGO_HOME": os.environ.get("CARGO_HOME", f"{home}/.cargo"),
            "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", f"{home}/.rustup"),
            "GOCACHE": str(self.repo.parent.parent / ".go-cache"),
            "GOTOOLCHAIN": "local",
            "GOFLAGS": "-mod=mod",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_ADDOPTS": "-p no:cacheprovider",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # what else is installed here is no part of the run
            "NO_COLOR": "1",
            "npm_config_update_notifier": "false",  # asks the registry otherwise
            "LANG": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
            **{f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()},
        }

    def _apply_file(self, path: str, text: str, by_shell: bool) -> None:
        file = self.repo / path
        before = file.read_text(encoding="utf-8") if file.exists() else ""
        if before == text:
            return
        if by_shell:
            quoted = shlex.quote(path)
            folder = f"mkdir -p {shlex.quote(str(Path(path).parent))} && " if "/" in path else ""
            self.run(f"{folder}cat > {quoted} <<'EOF'\n{text}EOF")
            return
        old, new = _difference(before, text)
        if not before or before.count(old) != 1:
            self.write(path, text)
        else:
            self.edit(path, old, new)

    def _write_tree(self, tree: str) -> None:
        for path, text in self.task.trees[tree].items():
            self._put(path, text)

    def _put(self, path: str, text: str) -> None:
        file = self.repo / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def run_shell(command: str, folder: Path, environment: Mapping[str, str]) -> tuple[str, int]:
    """Run a command with limits of time and memory, and return its output and its exit code."""
    process = subprocess.Popen(
        ["bash", "-c", f"ulimit -v {_MEMORY_KB}; {command}"],
        cwd=folder,
        env=dict(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=_TIMEOUT_S)
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    return output.decode("utf-8", "replace"), process.returncode


def _difference(before: str, after: str) -> tuple[str, str]:
    """Return the piece of whole lines from the first difference to the last, on both sides."""
    ours, theirs = before.splitlines(keepends=True), after.splitlines(keepends=True)
    blocks = difflib.SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    changed = [code for code in blocks if code[0] != "equal"]
    start, end = max(0, changed[0][1] - 1), changed[-1][2]
    other_start = max(0, changed[0][3] - 1) if changed[0][1] else 0
    return "".join(ours[start:end]), "".join(theirs[other_start : changed[-1][4]])
