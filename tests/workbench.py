"""The real command line, with cheap input to test it: an eval set, samples, a provider."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

import command_server

FORGETEST = str(Path(sys.executable).with_name("forgetest"))
PLUGINS = Path(__file__).parent / "e2e" / "plugins"

needs_judging = pytest.mark.skipif(
    shutil.which("bwrap") is None
    or shutil.which("rustc", path=f"{os.environ['PATH']}:{Path.home()}/.cargo/bin") is None,
    reason="judging needs bubblewrap and rustc: run scripts/setup",
)

RIGHT = "fn double(x: i64) -> i64 {\n    x * 2\n}\n"
LINTED = "fn double(x: i64) -> i64 {\n    return x * 2;\n}\n"
WRONG = "fn double(x: i64) -> i64 {\n    x + 2\n}\n"
BROKEN = "fn double(x: i64) -> i64 {\n    x * two\n}\n"

_CASE = """
[[cases]]
id = "double-{number}"
name = "Double {number}"
prompt = "{prompt}"
tags = ["{tag}"]
reference_solution = "fn double(x: i64) -> i64 {{ x * 2 }}"

[cases.expectations]
test_file = '''
#[test]
fn two_stays_below_five() {{ assert!(double(2) < 5); }}
#[test]
fn three_is_doubled() {{ assert_eq!(double(3), 6); }}
'''
"""


def environment(**further: str) -> dict[str, str]:
    """The environment of this process, with the provider `acme` installed."""
    path = os.pathsep.join(filter(None, [str(PLUGINS), os.environ.get("PYTHONPATH")]))
    # a user's Python caches bytecode; without it, every call takes another second
    kept = {"PYTHONDONTWRITEBYTECODE": "", "FORGETEST_CACHE_MB": "0"}  # no verdict from before this test
    return {**os.environ, "PYTHONPATH": path, **kept, **further}


def without(tool: str, folder: Path) -> dict[str, str]:
    """An environment with every program on the PATH except one."""
    bin_ = folder / "bin"
    bin_.mkdir()
    for directory in ("/bin", "/usr/bin"):
        for program in Path(directory).iterdir():
            if program.name != tool and not (bin_ / program.name).exists():
                (bin_ / program.name).symlink_to(program)
    return environment(PATH=str(bin_), HOME=str(folder), CARGO_HOME=str(folder), RUSTUP_HOME=str(folder))


def forgetest(
    *words: object,
    cwd: Path,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    timeout: float = 300,
    through: str | None = None,
) -> subprocess.CompletedProcess[str]:
    """Call the command and wait for its end; `through` is a line of shell that calls it as `"$@"`."""
    full_env = _with_own_answers(env, cwd)
    if through is None and command_server.can_run(full_env):
        finished = command_server.run([*map(str, words)], cwd=cwd, env=full_env, stdin=stdin, timeout=timeout)
    else:
        finished = subprocess.run(
            [*([] if through is None else ["sh", "-c", through, "sh"]), FORGETEST, *map(str, words)],
            cwd=cwd,
            input=stdin,
            env=full_env,
            capture_output=True,
            check=False,
            timeout=timeout,
        )
    return subprocess.CompletedProcess(
        finished.args, finished.returncode, finished.stdout.decode(), finished.stderr.decode()
    )


def forgetest_here(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Call the command in this process, which is faster than starting another Python."""
    from forgetest.cli.main import main

    arguments = ["forgetest", *map(str, words)]
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.syspath_prepend(str(PLUGINS))
        patch.chdir(cwd)
        patch.setattr(sys, "argv", arguments)
        for name, value in _with_own_answers({"FORGETEST_CACHE_MB": "0"}, cwd).items():
            patch.setenv(name, value)
        with pytest.raises(SystemExit) as ended:
            main()
    assert isinstance(ended.value.code, int)
    return subprocess.CompletedProcess(arguments, ended.value.code, out.getvalue(), err.getvalue())


def start(*words: object, cwd: Path, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """Call the command without waiting for it."""
    return subprocess.Popen(
        [FORGETEST, *map(str, words)],
        cwd=cwd,
        env=_with_own_answers(env, cwd),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _with_own_answers(env: Mapping[str, str] | None, folder: Path) -> dict[str, str]:
    """An environment with an answer cache for this test alone."""
    return {"FORGETEST_ANSWERS": str(folder / ".answers"), **(env or environment())}


def wait_until(happened: Callable[[], object], process: subprocess.Popen[str]) -> None:
    """Wait until a condition holds; fail if the process ends before."""
    while not happened():
        if process.poll() is not None:
            pytest.fail(f"exit code {process.returncode}: {process.communicate()[1]}")
        time.sleep(0.001)


def write_set(path: Path, cases: int = 1, set_id: str = "doubles") -> Path:
    """Write an eval set whose cases are judged in a tenth of a second."""
    header = f'[eval_set]\nid = "{set_id}"\nname = "Doubles"\n'
    for number in range(1, cases + 1):
        header += _CASE.format(number=number, prompt=prompt(f"double-{number}"), tag="odd" if number % 2 else "even")
    path.write_text(header)
    return path


def prompt(case_id: str) -> str:
    """The prompt of a case of that set."""
    return f"Write `fn double(x: i64) -> i64` for {case_id}."


def write_samples(path: Path, samples: Iterable[Mapping[str, object]]) -> Path:
    """Write JSON lines for `--samples-from`."""
    path.write_text("".join(json.dumps(sample) + "\n" for sample in samples))
    return path


def configure_acme(folder: Path) -> Path:
    """Write a forgetest.toml for the provider `acme`; return the path of its request log."""
    log = folder / "asked.jsonl"
    (folder / "forgetest.toml").write_text(f'[providers.acme]\nlog = "{log}"\n')
    return log


def json_lines(path: Path) -> list[dict[str, Any]]:
    """The complete lines of a file; none if it does not exist."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")]


def report_in(output: Path) -> dict[str, Any]:
    """The report of the latest run."""
    report: dict[str, Any] = json.loads((output / "latest" / "report.json").read_text())
    return report


def repeatable(report: dict[str, Any]) -> Any:
    """A report without the values that differ between runs of the same samples: ids, dates, durations, binaries."""
    return _without_durations({**report, "id": None, "created_at": None})


def _without_durations(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_durations(each) for each in value]
    if isinstance(value, dict):
        differing = ("run_id", "binary")
        kept = {key: each for key, each in value.items() if key not in differing and not key.endswith("_ms")}
        return {key: _without_durations(each) for key, each in kept.items()}
    return value


Process = tuple[int, int]
"""The id and start time of a process, because ids are reused."""


def descendants(pid: int) -> set[Process]:
    """All descendants of a process."""
    every = list(_processes())
    found: set[Process] = set()
    parents = {pid}
    while parents:
        children = {(child, started) for child, parent, started in every if parent in parents} - found
        found |= children
        parents = {child for child, _ in children}
    return found


def alive(processes: Iterable[Process]) -> set[Process]:
    """The processes that still exist."""
    return set(processes) & {(pid, started) for pid, _, started in _processes()}


def _processes() -> Iterator[tuple[int, int, int]]:
    """The id, parent id and start time of each process."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
            except OSError:
                continue  # it has ended in the meantime
            if fields[0] not in "ZX":
                yield int(entry.name), int(fields[1]), int(fields[19])
