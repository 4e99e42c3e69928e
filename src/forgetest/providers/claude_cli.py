"""Claude through the command line of Claude Code (`claude --print`), with the user's own account and no tools."""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping
from typing import Any

import msgspec

from forgetest import config
from forgetest.errors import ProviderError, UserError
from forgetest.providers import Model, Provider
from forgetest.sample import Completion, Finish, Request, Usage

PROGRAM = "claude"
MODELS = ("sonnet", "opus", "haiku")
"""Aliases that the program resolves to the latest model of each family."""
TIMEOUT_S = 600.0
_SETTINGS = ("type", "timeout_secs", "concurrency", "requests_per_minute", "tokens_per_minute")
_MAX_QUOTED = 300
_HELP_WAIT_S = 20
_SCHEMA = "json_schema"
"""The option of a request that has the JSON schema of its answer."""
_MISSING = (
    "the program `claude` is not on the PATH: install it with `npm install -g @anthropic-ai/claude-code` and log in"
)
_CUT_OFF = re.compile(r"exceeded the \d+ output token maximum")
_REFUSED = re.compile(r"unable to respond to this request, which appears to violate")
_TEMPORARY = re.compile(r"\b(429|5\d\d)\b|overloaded|rate.?limit|connection error|timed? ?out|network", re.I)
"""Messages of the program (2.1) for an answer that was cut off, one that was refused, and a temporary failure."""
_SESSION_VARIABLES = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT")
"""Variables by which a `claude` knows that another one has started it, which is not so here."""


def create(settings: Mapping[str, object]) -> Provider:
    """Return the provider; docs/providers.md lists the settings."""
    for name in settings:
        if name not in _SETTINGS:
            raise UserError(f"provider claude: {name}: unknown key; there are {', '.join(_SETTINGS)}")
    timeout, concurrency = settings.get("timeout_secs", TIMEOUT_S), settings.get("concurrency", 4)
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or timeout <= 0:
        raise UserError("provider claude: timeout_secs: must be a number above 0")
    if isinstance(concurrency, bool) or not isinstance(concurrency, int) or concurrency < 1:
        raise UserError("provider claude: concurrency: must be a whole number of at least 1")
    return Claude(timeout_s=float(timeout), concurrency=concurrency)


class Claude:
    """Runs the program once for each request."""

    def __init__(self, *, timeout_s: float, concurrency: int) -> None:
        self.concurrency = concurrency
        self._timeout_s = timeout_s

    def models(self) -> list[Model]:
        """Return the aliases that the program knows; none if it is not installed."""
        if shutil.which(PROGRAM) is None:
            return []
        return [Model(id=name, description="through the claude command line") for name in MODELS]

    def generate(self, request: Request) -> Completion:
        """Run the program. It has no temperature and no seed, so these are ignored."""
        if request.stop or request.top_p is not None or request.options.keys() - {_SCHEMA}:
            raise ProviderError("the claude command line knows neither stop nor top_p nor other options", final=True)
        start = time.perf_counter()
        answer = self._ask(request)
        return _completion_of_claude(answer, (time.perf_counter() - start) * 1000)

    def _ask(self, request: Request) -> dict[str, Any]:
        program = shutil.which(PROGRAM)
        if program is None:
            raise ProviderError(_MISSING, final=True)
        command = [program, "--print", "--output-format", "json", "--no-session-persistence", "--strict-mcp-config"]
        command += ["--setting-sources", "user", "--disable-slash-commands", "--tools", ""]
        command += ["--system-prompt", request.system] if request.system else []
        command += ["--model", request.model] if request.model else []
        command += ["--effort", request.reasoning_effort] if request.reasoning_effort else []
        if (schema := request.options.get(_SCHEMA)) and _knows_schemas(program):
            command += ["--json-schema", str(schema)]
        # an empty folder, so that no project's files or instructions are read
        with tempfile.TemporaryDirectory(prefix="claude-") as folder:
            out, err, code = _run_claude(command, request.prompt, folder, _environment(request), self._timeout_s)
        try:
            answer = msgspec.json.decode(out)
        except (msgspec.DecodeError, UnicodeDecodeError):
            answer = None
        if isinstance(answer, list):  # some versions print every message
            answer = next((part for part in answer if isinstance(part, dict) and part.get("type") == "result"), None)
        if isinstance(answer, dict) and isinstance(answer.get("structured_output"), dict):
            answer = {**answer, "result": msgspec.json.encode(answer["structured_output"]).decode()}
        if isinstance(answer, dict) and isinstance(answer.get("result"), str) and not answer.get("is_error"):
            return answer
        result = answer.get("result") if isinstance(answer, dict) else None
        message = " ".join(str(result or err.strip() or out).split())[:_MAX_QUOTED] or "it printed nothing"
        if _CUT_OFF.search(message) or _REFUSED.search(message):
            return {**(answer if isinstance(answer, dict) else {}), "result": "", "message": message}
        temporary = _TEMPORARY.search(message) is not None
        raise ProviderError(f"claude ended with exit code {code} and no answer: {message}", final=not temporary)


@functools.cache
def _knows_schemas(program: str) -> bool:
    """Return whether this version of the program can be held to a JSON schema."""
    try:
        shown = subprocess.run([program, "--help"], stdin=subprocess.DEVNULL, capture_output=True, timeout=_HELP_WAIT_S)
    except (OSError, subprocess.SubprocessError):
        return False
    return b"--json-schema" in shown.stdout


def _completion_of_claude(answer: Mapping[str, Any], latency_ms: float) -> Completion:
    usage = answer.get("usage")
    counts: Mapping[str, Any] = usage if isinstance(usage, dict) else {}
    fresh, read, written = (
        _token_count(counts, name)
        for name in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    )
    cost = answer.get("total_cost_usd")
    return Completion(
        text=answer["result"],
        finish=_finish_reason(answer),
        usage=Usage(
            prompt_tokens=None if fresh is None else fresh + (read or 0) + (written or 0),
            completion_tokens=_token_count(counts, "output_tokens"),
            cached_tokens=read,
            cache_write_tokens=written,
            cost_usd=float(cost) if isinstance(cost, int | float) and not isinstance(cost, bool) else None,
        ),
        latency_ms=latency_ms,
        model=_main_model(answer.get("modelUsage")) or msgspec.UNSET,
    )


def _main_model(usage: object) -> str:
    """Return the model that wrote most of the answer; the program may use a smaller one beside it."""
    if not isinstance(usage, dict):
        return ""
    written = {
        str(name): _token_count(counts, "outputTokens") or 0
        for name, counts in usage.items()
        if isinstance(counts, dict)
    }
    return max(written, key=lambda name: written[name], default="")


def _finish_reason(answer: Mapping[str, Any]) -> Finish:
    message = str(answer.get("message", ""))
    if answer.get("stop_reason") == "max_tokens" or _CUT_OFF.search(message):
        return "length"
    return "refusal" if answer.get("stop_reason") == "refusal" or _REFUSED.search(message) else "stop"


def _token_count(counts: Mapping[str, Any], name: str) -> int | None:
    value = counts.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _environment(request: Request) -> dict[str, str]:
    """Return the user's own environment, because the program needs the user's account."""
    return {
        **config.user_environment(without=_SESSION_VARIABLES),
        "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(request.max_tokens),
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }


def _run_claude(
    command: list[str], prompt: str, folder: str, env: Mapping[str, str], timeout_s: float
) -> tuple[str, str, int]:
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=dict(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise ProviderError(f"{command[0]} cannot be started: {error.strerror}", final=True) from None
    _running.add(process)
    try:
        out, err = process.communicate(prompt.encode("utf-8", "replace"), timeout=timeout_s)
    except subprocess.TimeoutExpired:
        raise ProviderError(f"claude did not answer within {timeout_s:g} s", final=True) from None
    finally:
        _end_claude(process)
    return out.decode("utf-8", "replace"), err.decode("utf-8", "replace"), process.returncode


class _Running:
    """The running processes, which are killed if this one exits."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._processes: set[subprocess.Popen[bytes]] = set()

    def add(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            if not self._processes:
                atexit.register(self.end_all)
            self._processes.add(process)

    def discard(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            self._processes.discard(process)
            if not self._processes:
                atexit.unregister(self.end_all)

    def end_all(self) -> None:
        for process in list(self._processes):
            _kill_claude(process)


_running = _Running()


def _end_claude(process: subprocess.Popen[bytes]) -> None:
    _kill_claude(process)
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            with contextlib.suppress(OSError):
                stream.close()
    _running.discard(process)


def _kill_claude(process: subprocess.Popen[bytes]) -> None:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
