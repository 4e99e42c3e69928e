"""Names, messages and paths that try to take over a terminal: every command is called on a pseudo-terminal."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

import command_server
import results
import workbench
from forgetest.renderers import json as report_as_json
from specimens import a_report, a_sample, a_verdict
from workbench import BROKEN, RIGHT, needs_judging

OBEYED = {
    "a title": "\x1b]0;owned\x07",
    "hidden text": "\x1b[8m",
    "the line above": "\x1b[7A",
    "a C1 control": "\x9b8m",
    "a change of direction": "\u202e",
    "an invisible tag": "\U000e0041",
}
NAME = "".join(OBEYED.values())
MARKUP = "[link=http://evil.example]x[/link]"
"""A link in the language of the library that draws the live table."""
LINK = b"\x1b]8;"
OWN_CONTROLS = re.compile(rb"\x1b\[\??[0-9;]*[A-Za-z]")
"""What the live table is drawn with; the hostile sequences are looked for first."""

RUN = ("run", "--eval-set", "set.toml", "--samples-from", "samples.jsonl", "--output", "out")

EVIL_PLUGIN = f"""
from forgetest.errors import ProviderError
from forgetest.providers import Model

class Evil:
    concurrency = 1
    def __init__(self, settings):
        pass
    def models(self):
        return [Model(id={NAME!r} + {MARKUP!r}, description={NAME!r}, context_tokens=1)]
    def generate(self, request):
        raise ProviderError({NAME!r}, final=True)
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder whose own name is hostile, with an eval set, samples, a provider and reports full of such names."""
    folder = tmp_path / NAME
    folder.mkdir()
    (folder / "forgetest.toml").write_text("")
    text = workbench.write_set(folder / "set.toml", cases=2).read_text()
    escaped = json.dumps(NAME).strip('"').replace("\\udb40\\udc41", "\\U000e0041").replace("\x7f", "\\u007f")
    (folder / "set.toml").write_text(text.replace('"double-2"', f'"double-{escaped}"'))
    model = f"{NAME}/{NAME}{MARKUP}"
    samples = [
        {"case_id": "double-1", "model": model, "code": RIGHT},
        {"case_id": "double-1", "model": model, "code": f"compile_error!({json.dumps(NAME, ensure_ascii=False)});"},
        {"case_id": f"double-{NAME}", "model": model, "code": BROKEN},
    ]
    workbench.write_samples(folder / "samples.jsonl", samples)
    workbench.write_samples(folder / "wrong.jsonl", [{"case_id": NAME, "model": model, "code": RIGHT}])
    case = f"case-{NAME}"
    right, wrong = a_sample(case, model=model), a_sample(case, model=model, verdict=a_verdict(failed=3), reason=NAME)
    for name, sample in (("old", right), ("new", wrong)):
        with (folder / f"{name}.json").open("w") as file:
            report_as_json.write(a_report([sample], further={"toolchains": {"rust": f"rustc {name} {NAME}"}}), file)
    plugin = folder / "plugins"
    (plugin / "evil-1.0.dist-info").mkdir(parents=True)
    (plugin / "evil-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    (plugin / "evil-1.0.dist-info" / "entry_points.txt").write_text("[forgetest.providers]\nevil = evil:Evil\n")
    (plugin / "evil.py").write_text(EVIL_PLUGIN)
    return folder


def on_a_terminal(*words: object, cwd: Path, env: Mapping[str, str] | None = None, program: str = "forgetest") -> bytes:
    """Call the program with a pseudo-terminal as standard output and standard error; return what it was sent."""
    terminal, its_end = os.openpty()
    plugins = os.pathsep.join(["plugins", *filter(None, [os.environ.get("PYTHONPATH")])])
    further = {"TERM": "xterm-256color", "COLUMNS": "300", "FORGETEST_ANSWERS": str(cwd / "answers"), **(env or {})}
    with command_server.call(
        [*map(str, words)],
        cwd=cwd,
        env={**workbench.environment(**further), "PYTHONPATH": plugins},
        streams=(os.open(os.devnull, os.O_RDONLY), its_end, os.dup(its_end)),
        timeout=300,
        program=program,
    ) as wait:
        shown = b""
        with contextlib.suppress(OSError):  # the error of a terminal whose other end is closed
            while chunk := os.read(terminal, 4096):
                shown += chunk
        os.close(terminal)
        status = wait()
    assert status in (0, 1, 2), shown.decode(errors="replace")
    return shown


def check_harmless(shown: bytes) -> None:
    """Check that only escapes of the hostile text were shown, and that it was shown at all."""
    for what, sequence in OBEYED.items():
        assert sequence.encode() not in shown, what
    assert LINK not in shown
    rest = OWN_CONTROLS.sub(b"", shown).decode()
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", rest)
    assert r"\x1b]0;owned\x07" in rest or r"\u001b]0;owned\u0007" in rest


@needs_judging
def test_a_run_its_live_table_and_what_follows_it_are_harmless(place: Path) -> None:
    shown = on_a_terminal(*RUN, "--fail-under", "1", "--format", "all", cwd=place)
    check_harmless(shown)
    assert MARKUP in shown.decode()

    check_harmless(on_a_terminal(*RUN, "--json", cwd=place))
    check_harmless(on_a_terminal(*RUN, "--dry-run", cwd=place))
    check_harmless(on_a_terminal("regrade", "out/latest", cwd=place))
    check_harmless(on_a_terminal("merge", "out/latest", "--output", "merged", cwd=place))


@pytest.mark.parametrize("format_", ["text", "json", "markdown", "html"])
def test_a_comparison_is_harmless(place: Path, format_: str) -> None:
    check_harmless(
        on_a_terminal("compare", "--baseline", "old.json", "--current", "new.json", "--format", format_, cwd=place)
    )


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("validate", "--eval-set", "{place}/set.toml"), id="validate"),
        pytest.param(("list-models",), id="list-models"),
        pytest.param(("list-models", "--json"), id="list-models-json"),
        pytest.param(("cache", "info"), id="cache"),
        pytest.param(("init", "{place}/new"), id="init"),
        pytest.param((NAME,), id="no-such-command"),
        pytest.param((f"--{NAME}",), id="no-such-option"),
        pytest.param(("run", "--eval-set", NAME), id="no-such-set"),
        pytest.param(("run", "--eval-set", "set.toml", "--pass-k", NAME), id="no-number"),
        pytest.param(("run", "--eval-set", "set.toml", "--models", NAME), id="no-such-provider"),
        pytest.param(("run", "--eval-set", "set.toml", "--samples-from", NAME), id="no-such-samples"),
        pytest.param(("run", "--eval-set", "set.toml", "--samples-from", "wrong.jsonl"), id="wrong-samples"),
        pytest.param(("compare", "--baseline", NAME, "--current", NAME), id="no-such-report"),
        pytest.param(("merge", "old.json", "new.json", "--output", "{place}/merged"), id="contradicting-reports"),
    ],
)
def test_other_commands_and_errors_are_harmless(place: Path, words: tuple[str, ...]) -> None:
    given = [word.replace("{place}", str(place)) for word in words]
    check_harmless(on_a_terminal(*given, cwd=place, env={"FORGETEST_CACHE": str(place / "cache")}))


@pytest.mark.parametrize(
    "path", ["/nowhere", pytest.param(os.environ["PATH"], marks=[pytest.mark.slow, needs_judging], id="own")]
)
def test_the_doctor_is_harmless_without_and_with_what_it_looks_for(place: Path, path: str) -> None:
    check_harmless(on_a_terminal("doctor", cwd=place, env={"FORGETEST_CACHE": str(place / "cache"), "PATH": path}))


@needs_judging
def test_what_a_provider_says_is_harmless(place: Path) -> None:
    check_harmless(on_a_terminal("run", "--eval-set", "set.toml", "--models", f"evil/{NAME}", cwd=place))


def test_nerv_is_harmless_too(place: Path) -> None:
    folder = results.results(place / "r", results.one_task())
    env = {"NERV_HOME": str(place / "home")}
    commands = (
        ("score", str(folder), "--explain"),
        ("score", str(folder), "--json"),
        ("compare", str(folder), str(folder)),
        ("compare", str(folder), str(folder), "--json"),
        ("history",),
        ("history", "--json"),
        ("score", NAME),
    )
    for words in commands:
        shown = on_a_terminal("benchmark", *words, cwd=place, program="nerv", env=env)
        for what, sequence in OBEYED.items():
            assert sequence.encode() not in shown, (words, what)
