"""A call that `command_server` forks for does what the console script does."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import command_server
import workbench
from workbench import FORGETEST, needs_judging

RUN = ("run", "--eval-set", "set.toml", "--samples-from", "-", "--output", "{output}", "--quiet")


@needs_judging
@pytest.mark.parametrize(
    ("words", "status"),
    [
        pytest.param((*RUN, "--fail-under", "1"), 1, id="a failed gate"),
        pytest.param(("list-models",), 0, id="a plugin"),
        pytest.param(("run", "--eval-set", "nowhere.toml"), 2, id="wrong input"),
    ],
)
def test_it_does_what_the_console_script_does(words: tuple[str, ...], status: int, tmp_path: Path) -> None:
    workbench.write_set(tmp_path / "set.toml")
    samples = workbench.write_samples(tmp_path / "samples", [{"case_id": "double-1", "code": workbench.WRONG}])
    stdin, env = samples.read_bytes(), workbench.environment(FORGETEST_ANSWERS=str(tmp_path / "answers"))

    script = subprocess.run(
        [FORGETEST, *(word.format(output="script") for word in words)],
        cwd=tmp_path,
        env=env,
        input=stdin,
        capture_output=True,
        check=False,
    )
    forked = command_server.run(
        [word.format(output="forked") for word in words], cwd=tmp_path, env=env, stdin=stdin, timeout=60
    )

    assert (script.returncode, forked.returncode) == (status, status)
    assert script.stdout + script.stderr
    assert comparable(forked) == comparable(script)
    if "{output}" in words:
        reports = [workbench.repeatable(workbench.report_in(tmp_path / name)) for name in ("script", "forked")]
        assert reports[0] == reports[1]


def comparable(call: subprocess.CompletedProcess[bytes]) -> tuple[bytes, bytes]:
    """The output without the name of the folder that it was told to write to."""
    return re.sub(b"script|forked", b"", call.stdout), re.sub(b"script|forked", b"", call.stderr)


def test_a_variable_that_is_read_at_the_start_needs_the_console_script() -> None:
    assert command_server.can_run(workbench.environment(FORGETEST_CACHE="/nowhere"))
    for name in ("PYTHONUTF8", "LC_ALL", "OPENAI_LOG"):
        assert not command_server.can_run(workbench.environment(**{name: "0"}))


def test_a_call_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    workbench.configure_acme(tmp_path)
    workbench.write_set(tmp_path / "set.toml")
    with pytest.raises(subprocess.TimeoutExpired):
        workbench.forgetest("run", "--eval-set", "set.toml", "--models", "acme/hanging", cwd=tmp_path, timeout=2)
