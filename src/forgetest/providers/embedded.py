"""The embedded model: SmolLM2-135M-Instruct, run by llama.cpp on this machine, without a key.

`xllamacpp` is llama.cpp as a prebuilt wheel, the extra `embedded`. The weights are downloaded once, before the first
request; from then on no network is needed.

Each instance of the model is a process of its own (this module, run as a program): llama.cpp blocks every Python
thread while it loads, crashes an interpreter that exits while it writes, and takes down its process where the wheel
needs instructions that the processor lacks.
"""

from __future__ import annotations

import importlib.util
import json
import os
import queue
import secrets
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from forgetest.errors import ProviderError, UserError
from forgetest.providers import Model, Provider, embedded_weights
from forgetest.sample import Completion, Request, Usage

MODEL = Model(
    id="smollm2-135m-instruct",
    description="SmolLM2 135M Instruct on this machine: a very small model, for demonstration only",
    context_tokens=8192,
)
OPTIONS = frozenset({"top_k", "top_p", "min_p", "repeat_penalty"})
"""What `Request.options` may hold: llama.cpp's own names, with its own defaults."""

# Tokens per second on two cores: one instance 18, two 37, one with two threads 34. No core is reserved for judging,
# which takes a small part of the time that a sample takes to write.
MOST_INSTANCES = 2

# to llama.cpp, the largest 32-bit number means: choose a seed yourself
SEEDS = 2**32 - 1


def create(settings: Mapping[str, object]) -> Provider:
    """Return the provider; it has no settings. The weights are loaded for the first request."""
    if settings:
        raise UserError(f'provider embedded: unknown setting "{next(iter(settings))}"; it has none')
    if importlib.util.find_spec("xllamacpp") is None:
        raise UserError(
            "the embedded model is not installed (no xllamacpp): "
            "run `uv sync --extra embedded` in a checkout, or `pip install 'forgetest[embedded]'`"
        )
    return Embedded(lambda: ModelProcess(embedded_weights.fetch()), instances=min(MOST_INSTANCES, _cores()))


class Instance(Protocol):
    """A loaded model. Answers one question at a time."""

    def ask(self, question: Mapping[str, object]) -> Mapping[str, Any]:
        """Return the answer to a chat completion request, or an error; all three as in OpenAI's API."""

    def close(self) -> None:
        """End it: it is not needed any more, or not in a known state."""


class Embedded:
    """A pool of instances of the model, each loaded when it is first needed."""

    def __init__(self, load: Callable[[], Instance], *, instances: int) -> None:
        self.concurrency = instances
        self._load = load
        self._idle: deque[Instance] = deque()
        self._slots = threading.Semaphore(instances)

    def prepare(self, announce: Callable[[str], None]) -> None:
        """Download the weights, if they are not here yet."""
        embedded_weights.fetch(announce=announce)

    def models(self) -> list[Model]:
        """Return the one model there is."""
        return [MODEL]

    def generate(self, request: Request) -> Completion:
        """Ask the model. The same request with the same seed gives the same text."""
        question = _question(request)
        with self._instance() as instance:
            start = time.perf_counter()
            answer = instance.ask(question)
            latency_ms = (time.perf_counter() - start) * 1000
        return _completion_of_model(answer, latency_ms)

    @contextmanager
    def _instance(self) -> Iterator[Instance]:
        with self._slots:
            try:
                instance = self._idle.pop()
            except IndexError:
                instance = self._load()
            try:
                yield instance
            except BaseException:  # also an interrupt: the pending answer would be read as that of the next request
                instance.close()
                raise
            self._idle.append(instance)


class ModelProcess:
    """An instance in a process of its own, which ends with this object or with this process."""

    def __init__(self, weights: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__, str(weights)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.close = weakref.finalize(self, _end_process, self._process)
        try:
            self._receive()
        except ProviderError as error:
            raise ProviderError(str(error), final=True) from None

    def ask(self, question: Mapping[str, object]) -> Mapping[str, Any]:
        """Send the question and wait for the answer."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # the process has ended; _receive reports how
            self._process.stdin.write(json.dumps(question).encode() + b"\n")
            self._process.stdin.flush()
        answer: Mapping[str, Any] = json.loads(self._receive())
        return answer

    def _receive(self) -> bytes:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.endswith(b"\n"):
            status = self._process.wait()
            reason = signal.Signals(-status).name if status < 0 else f"exit code {status}"
            raise ProviderError(f"embedded: the model's process ended with {reason}")
        return line


def _end_process(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(BrokenPipeError):  # a question that it ended without reading
                stream.close()


def _question(request: Request) -> dict[str, object]:
    if request.model != MODEL.id:
        raise ProviderError(f'embedded has no model "{request.model}", only "{MODEL.id}"', final=True)
    unknown = sorted(request.options.keys() - OPTIONS)
    if unknown:
        known = ", ".join(sorted(OPTIONS))
        raise ProviderError(f'embedded has no option "{unknown[0]}", only {known}', final=True)
    # without a system message, the chat template inserts the one that the model was trained with
    system = [{"role": "system", "content": request.system}] if request.system else []
    return {
        **request.options,
        **({} if request.top_p is None else {"top_p": request.top_p}),
        **({"stop": list(request.stop)} if request.stop else {}),
        "messages": [*system, {"role": "user", "content": request.prompt}],
        "temperature": request.temperature,
        "max_tokens": request.max_tokens,
        "seed": secrets.randbelow(SEEDS) if request.seed is None else request.seed % SEEDS,
    }


def _completion_of_model(answer: Mapping[str, Any], latency_ms: float) -> Completion:
    if "error" in answer:
        raise ProviderError(f"embedded: {answer['error']['message']}")
    choice, usage = answer["choices"][0], answer["usage"]
    return Completion(
        text=choice["message"]["content"] or "",
        finish="length" if choice["finish_reason"] == "length" else "stop",
        usage=Usage(
            prompt_tokens=usage["prompt_tokens"],
            completion_tokens=usage["completion_tokens"],
            cost_usd=0.0,
        ),
        latency_ms=latency_ms,
    )


def _cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _work(weights: str) -> None:
    """Run a worker: write a line when the model is loaded, then an answer to each question."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles interrupts
    # output of a library must not be read as an answer
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    ask = _load_model(weights)
    answers.write(b"ready\n")
    answers.flush()
    questions: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(questions,), daemon=True).start()
    while True:
        answer = ask(json.loads(questions.get()))
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()


def _listen(questions: queue.SimpleQueue[bytes]) -> None:
    for question in sys.stdin.buffer:
        questions.put(question)
    os._exit(0)  # the parent has ended, and with it whoever waited for the answer in progress


def _load_model(weights: str) -> Callable[[Mapping[str, object]], Mapping[str, Any]]:
    import xllamacpp  # imported in workers only

    params = xllamacpp.CommonParams()
    params.model.path = weights
    params.n_ctx = MODEL.context_tokens
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.fit_params = False  # it would load the model twice, to fit it into a GPU
    params.warmup = False
    params.verbosity = -1  # no log at all
    # A reused part of an earlier prompt was computed in batches of another shape, whose rounding differs: the same
    # seed would not give the same text.
    params.cache_prompt = False
    params.cache_ram_mib = 0
    # the text as the model wrote it, with nothing taken out as reasoning or a tool call
    params.reasoning_format = xllamacpp.common_reasoning_format.COMMON_REASONING_FORMAT_NONE
    params.force_pure_content_parser = True
    # llama.cpp's server always listens, on a free port of the loopback interface: nobody knows this key
    params.api_keys = [secrets.token_hex()]
    params.ui = False
    params.n_threads_http = 1
    server = xllamacpp.Server(params)
    return lambda question: server.handle_chat_completions(question)


if __name__ == "__main__":
    _work(sys.argv[1])
