"""The `claude` command line as a provider, with a stand-in that prints what the real one was seen to print."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from forgetest.errors import ProviderError, UserError
from forgetest.providers import claude_cli
from forgetest.sample import Request

STAND_IN = """#!{python}
import json, os, pathlib, sys, time
asked = dict(argv=sys.argv[1:], prompt=sys.stdin.read(), cwd=os.getcwd(), files=os.listdir("."), env=dict(os.environ))
pathlib.Path({asked!r}).write_text(json.dumps(asked))
said = json.loads(pathlib.Path({said!r}).read_text())
if said.get("sleep"):
    time.sleep(600)
print(said["out"])
print(said.get("err", ""), file=sys.stderr)
sys.exit(said.get("code", 0))
"""


class Program:
    def __init__(self, folder: Path) -> None:
        self.asked_file, self.said_file = folder / "asked.json", folder / "said.json"
        program = folder / "claude"
        program.write_text(STAND_IN.format(python=sys.executable, asked=str(self.asked_file), said=str(self.said_file)))
        program.chmod(0o755)

    def says(self, result: object, *, code: int = 0, **more: object) -> None:
        out = result if isinstance(result, str) else json.dumps(result)
        self.said_file.write_text(json.dumps({"out": out, "code": code, **more}))

    @property
    def asked(self):
        return json.loads(self.asked_file.read_text())


@pytest.fixture
def program(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return Program(tmp_path)


def ask(model="sonnet", **changes):
    fields = {"model": model, "system": "Be brief.", "prompt": "Hi ä", "max_tokens": 77, **changes}
    return claude_cli.create({"timeout_secs": 60}).generate(Request(**fields))


OK = {
    "type": "result",
    "is_error": False,
    "result": "Hello",
    "total_cost_usd": 0.25,
    "usage": {"input_tokens": 3, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 100, "output_tokens": 5},
}


def error(message):
    return {"type": "result", "is_error": True, "result": message}


def test_the_program_runs_without_tools_in_an_empty_folder(program, monkeypatch):
    monkeypatch.setenv("CLAUDECODE", "1")
    program.says(OK)
    completion = ask()
    assert (completion.text, completion.finish) == ("Hello", "stop")
    usage = completion.usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens, usage.cost_usd) == (123, 5, 20, 0.25)
    asked = program.asked
    words = asked["argv"]
    assert asked["prompt"] == "Hi ä"
    assert (words[words.index("--tools") + 1], words[words.index("--model") + 1]) == ("", "sonnet")
    assert words[words.index("--system-prompt") + 1] == "Be brief."
    assert asked["files"] == []
    assert asked["env"]["CLAUDE_CODE_MAX_OUTPUT_TOKENS"] == "77"
    assert "CLAUDECODE" not in asked["env"]


def test_an_answer_that_was_cut_off_or_refused_is_not_an_error(program):
    program.says(error("API Error: Claude's response exceeded the 4 output token maximum. To configure …"), code=1)
    assert (ask().finish, ask().text) == ("length", "")
    refusal = "API Error: Claude Code is unable to respond to this request, which appears to violate our Usage Policy"
    program.says(error(refusal), code=1)
    assert ask().finish == "refusal"


@pytest.mark.parametrize(
    ("said", "final"),
    [
        (error("There's an issue with the selected model (no-such-model)."), True),
        (error("Invalid API key · Please run /login"), True),
        (error("API Error: 529 overloaded_error"), False),
        (error("API Error: Connection error."), False),
        ("not json at all", True),
        ("[]", True),
        ("", True),
    ],
)
def test_an_error_quotes_the_message_of_the_program(program, said, final):
    program.says(said, code=1)
    with pytest.raises(ProviderError) as caught:
        ask()
    assert caught.value.final is final
    words = said["result"] if isinstance(said, dict) else said or "it printed nothing"
    assert words in str(caught.value)


def test_a_program_that_does_not_answer_in_time_is_killed(program):
    program.says("", sleep=True)
    with pytest.raises(ProviderError, match="did not answer within 1 s"):
        claude_cli.create({"timeout_secs": 1}).generate(Request(model="", system="", prompt="x"))
    assert not claude_cli._running._processes  # each leaves only once it was waited for


def test_without_the_program_there_are_no_models(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    provider = claude_cli.create({})
    assert provider.models() == []
    with pytest.raises(ProviderError, match="npm install"):
        provider.generate(Request(model="sonnet", system="", prompt="x"))


def test_the_models_are_the_aliases_of_the_program(program):
    assert [model.id for model in claude_cli.create({}).models()] == ["sonnet", "opus", "haiku"]


def test_options_that_the_program_does_not_have_are_refused(program):
    for changes in ({"stop": ("x",)}, {"top_p": 0.5}, {"options": {"a": 1}}):
        with pytest.raises(ProviderError, match="knows neither"):
            ask(**changes)


@pytest.mark.parametrize("settings", [{"api_key": "x"}, {"timeout_secs": 0}, {"timeout_secs": "5"}, {"concurrency": 0}])
def test_unknown_and_invalid_settings_are_refused(settings):
    with pytest.raises(UserError, match="provider claude"):
        claude_cli.create(settings)
