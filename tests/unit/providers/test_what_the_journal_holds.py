"""After each thing that can go wrong on the wire: how often was asked, and what does the journal hold?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from forgetest.engine.asking.ask import Source
from forgetest.engine.asking.client import ModelClient
from forgetest.engine.asking.rate_limit import RateLimiter, RateLimits
from forgetest.engine.asking.requests import RequestBuilder
from forgetest.engine.journal import FILENAME
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.engine.plan import Generation, for_models
from forgetest.engine.run import run
from forgetest.engine.run_folder import RunFolder
from forgetest.evalset.generation import GenerationSettings
from forgetest.providers import retry
from forgetest.sample import Sample
from forgetest.testing.fakes import FakeSandbox, FakeToolchain
from forgetest.testing.loopback import Reply, in_order
from grading import judging_with
from model_apis import KEY, MODEL, Api, Serve, truncated
from specimens import a_case, an_eval_set
from workbench import json_lines

pytestmark = pytest.mark.usefixtures("bare_environment")

SET = an_eval_set(a_case("one"), a_case("two"), a_case("three"), a_case("four"))
CODE = "```rust\nfn f() {}\n```"


class Silent:
    def started(self, total: int, done: int) -> None:
        pass

    def finished(self, sample: Sample) -> None:
        pass


def journalled(api: Api, url: str, folder: Path, cases: int = 1, **settings: object) -> list[dict[str, Any]]:
    """The lines of the journal after a run that asks for each of the first cases once."""
    eval_set = replace(SET, cases=SET.cases[:cases])
    generation = Generation(temperature=0.0, settings=GenerationSettings(max_tokens=100), prompt_template_hash="h")
    plan = for_models([eval_set], [eval_set], [(api.name, MODEL)], (1,), 1, generation)
    provider = api.create(api.settings(url, **settings))
    limiter = RateLimiter(RateLimits(in_flight=1), wait=lambda _: None, clock=iter(range(0, 10**9, 1000)).__next__)
    client = ModelClient(provider, RequestBuilder(plan).build, limiter, sleep=lambda _: None)
    judging = judging_with(StepRunner(FakeSandbox(), folder / "cache", {}), FakeToolchain())
    place = RunFolder.open(folder, plan.name, fresh=False)
    with closing(place.journal()) as journal:
        source = Source(ask=client.ask, concurrency=1)
        run(plan, place, journal, judging, {f"{api.name}/{MODEL}": source}, Silent(), left=plan.attempts)
    assert KEY not in (place.path / FILENAME).read_text()
    return json_lines(place.path / FILENAME)


def kinds(lines: Sequence[dict[str, Any]]) -> list[str]:
    return [line["kind"] for line in lines]


TROUBLES: dict[str, Callable[[Api], Reply]] = {
    "429": lambda api: api.error(429, "slow down", {"Retry-After": "7"}),
    "500": lambda api: api.error(500, "oops"),
    "529": lambda api: api.error(529, "overloaded"),
    "time-out": lambda api: Reply(silent=True),
    "reset": lambda api: replace(api.answer(CODE), reset=True),
    "truncated": lambda api: truncated(api.answer(CODE)),
}


# that a time-out can be asked again is shown for each API, in a quarter of a second, by test_over_http.py
SLOW = {"time-out": pytest.mark.slow}


@pytest.mark.parametrize("trouble", [pytest.param(name, marks=SLOW.get(name, ())) for name in TROUBLES])
def test_a_temporary_failure_leaves_one_answer_and_one_judged_sample(
    api: Api, serve: Serve, tmp_path: Path, trouble: str
) -> None:
    server = serve(in_order([TROUBLES[trouble](api), api.answer(CODE, tokens=7)]))
    # the second answer has to come within the same time
    lines = journalled(api, server.url, tmp_path, timeout_secs=5 if trouble == "time-out" else 60)
    assert len(server.received) == 2
    assert kinds(lines) == ["session", "completion", "sample"]
    assert lines[1]["completion"]["text"] == CODE
    assert lines[2]["outcome"] == "judged"
    assert lines[2]["usage"]["completion_tokens"] == 7


def test_a_service_that_never_recovers_leaves_an_unjudged_sample_and_no_answer(
    api: Api, serve: Serve, tmp_path: Path
) -> None:
    server = serve(api.error(500, "oops"))
    lines = journalled(api, server.url, tmp_path)
    assert len(server.received) == retry.MAX_TRIES
    assert kinds(lines) == ["session", "sample"]
    assert (lines[1]["outcome"], lines[1]["verdict"], lines[1]["usage"]["cost_usd"]) == ("unjudged", None, None)
    assert "500: the service failed" in lines[1]["reason"]


@pytest.mark.parametrize("finish", ["length", "refusal", "empty"])
def test_a_cut_off_answer_a_refusal_and_an_empty_one_are_judged(
    api: Api, serve: Serve, tmp_path: Path, finish: str
) -> None:
    if api.name == "ollama" and finish == "refusal":
        pytest.skip("Ollama's API has no refusals")
    server = serve(api.answer("") if finish == "empty" else api.answer("" if finish == "refusal" else CODE, finish))
    lines = journalled(api, server.url, tmp_path)
    assert len(server.received) == 1
    assert kinds(lines) == ["session", "completion", "sample"]
    reasons = {"length": "cut off", "refusal": "refused", "empty": "empty"}
    assert lines[2]["outcome"] == "judged"
    assert reasons[finish] in lines[2]["reason"]


@pytest.mark.parametrize("status", [401, 404])
def test_a_wrong_key_or_model_is_asked_once_for_all_samples(
    api: Api, serve: Serve, tmp_path: Path, status: int
) -> None:
    server = serve(api.error(status, f"no: {KEY}"))
    lines = journalled(api, server.url, tmp_path, cases=4)
    assert len(server.received) == 1
    assert kinds(lines) == ["session", *["sample"] * 4]
    assert {line["outcome"] for line in lines[1:]} == {"unjudged"}
    assert len({line["reason"] for line in lines[1:]}) == 1


def test_a_request_that_is_refused_is_asked_for_a_few_cases_and_no_more(api: Api, serve: Serve, tmp_path: Path) -> None:
    server = serve(api.error(400, "messages: too long"))
    lines = journalled(api, server.url, tmp_path, cases=4)
    assert len(server.received) == 3
    assert kinds(lines) == ["session", *["sample"] * 4]
    assert all("messages: too long" in line["reason"] for line in lines[1:])
