"""A third-party provider: a separate distribution, found by its entry point.

Its table in forgetest.toml names a file, `log`, to which it appends a line for every request.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path

from forgetest.errors import ProviderError
from forgetest.providers import Model
from forgetest.sample import Completion, Request, Usage

RIGHT = "Here it is:\n\n```rust\nfn double(x: i64) -> i64 {\n    x * 2\n}\n```\n"
WRONG = "```rust\nfn double(x: i64) -> i64 {\n    x + 2\n}\n```"


def create(settings: Mapping[str, object]) -> Acme:
    return Acme(Path(str(settings.get("log", os.devnull))))


class Acme:
    concurrency = 3

    def __init__(self, log: Path) -> None:
        self._log = log

    def models(self) -> list[Model]:
        return [Model(id="steady", description="right at every other attempt", context_tokens=1000)]

    def generate(self, request: Request) -> Completion:
        with self._log.open("a") as file:
            file.write(json.dumps({"prompt": request.prompt, "seed": request.seed}) + "\n")
        match request.model:
            case "steady":
                time.sleep(0.02)
            case "hanging":
                time.sleep(600)
            case "crashing":
                raise ZeroDivisionError("a bug in the plugin")
            case "busy":
                raise ProviderError("the service is busy", retry_after_s=0.0)
            case _:
                raise ProviderError(f"no such model: {request.model}", final=True)
        return Completion(
            text=WRONG if (request.seed or 0) % 2 else RIGHT,
            usage=Usage(prompt_tokens=10, completion_tokens=5, cost_usd=0.001),
            latency_ms=20.0,
        )
