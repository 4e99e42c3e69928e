"""Models behind an API, asked by the real command line: requests, costs and messages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from forgetest.testing.loopback import Received, Reply, Server
from model_apis import APIS, KEY, MODEL, Api, Serve, configure_service, service_environment
from workbench import forgetest, needs_judging, report_in, write_set

NO_CODE = "I would rather not."
"""An answer that is judged without a compiler."""
ASK = ["run", "--eval-set", "set.toml", "--models", f"service/{MODEL}"]


@pytest.fixture
def api() -> Api:
    """One of the APIs; tests/unit/providers covers their differences."""
    pytest.importorskip("openai")
    return APIS["openai"]


@pytest.fixture
def serve() -> Iterator[Serve]:
    with ExitStack() as stack:

        def start(answer: Reply | Callable[[Received], Reply]) -> Server:
            return stack.enter_context(Server(answer if callable(answer) else lambda received: answer))

        yield start


def call(*words: object, cwd: Path, **variables: str) -> Any:
    return forgetest(*words, cwd=cwd, env=service_environment(**variables))


@needs_judging
def test_a_wrong_key_costs_one_request_and_is_one_message(api: Api, serve: Serve, tmp_path: Path) -> None:
    server = serve(api.error(401, "invalid key"))
    configure_service(tmp_path, api, server.url, concurrency=1)
    write_set(tmp_path / "set.toml", cases=5)
    finished = call(*ASK, "--samples", "20", "--temperature", "1", "--fail-on-unjudged", cwd=tmp_path)
    assert finished.returncode == 1
    assert len(server.received) == 1
    assert finished.stderr.count("the key was not accepted") == 1
    assert f"service/{MODEL}: 100 of 100 samples could not be judged: {api.name}: 401: the key was" in finished.stderr
    assert KEY not in finished.stdout + finished.stderr


def test_a_dry_run_estimates_tokens_and_cost_and_asks_nothing(api: Api, serve: Serve, tmp_path: Path) -> None:
    server = serve(api.answer(NO_CODE))
    configure_service(tmp_path, api, server.url)
    write_set(tmp_path / "set.toml", cases=3)
    finished = call(*ASK, "--max-tokens", "1000", "--dry-run", cwd=tmp_path)
    assert finished.returncode == 0, finished.stderr
    assert re.search(r"^asked       3$", finished.stdout, re.MULTILINE)
    assert re.search(r"^tokens      about \d+ in; about \d+ .*at most 3,000 out$", finished.stdout, re.MULTILINE)
    cost = re.search(r"^cost        about \$([\d.]+) .*, at most \$([\d.]+)$", finished.stdout, re.MULTILINE)
    assert cost is not None
    assert 0 < float(cost[1]) < 3.0 < float(cost[2]) < 3.5
    assert server.received == []
    assert not (tmp_path / "forgetest-results").exists()


def test_the_cost_of_a_model_without_a_price_is_not_guessed(api: Api, serve: Serve, tmp_path: Path) -> None:
    server = serve(api.answer(NO_CODE))
    configure_service(tmp_path, api, server.url)
    write_set(tmp_path / "set.toml")
    other = ["run", "--eval-set", "set.toml", "--models", "service/other"]
    assert "cost        n/a: the price is not known" in call(*other, "--dry-run", cwd=tmp_path).stdout
    finished = call(*other, "--max-cost", "1", cwd=tmp_path)
    assert finished.returncode == 2
    assert "--max-cost: the price of service/other is not known; set input and output in " in finished.stderr
    assert server.received == []


@needs_judging
def test_max_cost_stops_asking_keeps_the_results_and_says_so(api: Api, serve: Serve, tmp_path: Path) -> None:
    server = serve(api.answer(NO_CODE, tokens=20))  # 12 and 20 tokens: 2.12 cents
    configure_service(tmp_path, api, server.url)
    write_set(tmp_path / "set.toml", cases=2)
    words = [*ASK, "--samples", "10", "--temperature", "1", "--max-tokens", "20"]
    limited = call(*words, "--max-cost", "0.2", cwd=tmp_path)
    assert limited.returncode == 0, limited.stderr
    first = len(server.received)
    assert 3 <= first <= 9
    assert f"{20 - first} of 20 samples could not be judged: not asked: $" in limited.stderr
    report = report_in(tmp_path / "forgetest-results")
    summary = report["aggregate"]["per_model"][f"service/{MODEL}"]
    assert summary["samples"]["judged"] == first
    assert summary["total_cost_usd"] == pytest.approx(first * 0.0212)
    assert summary["total_cost_usd"] <= 0.2

    again = call(*words, "--max-cost", "0.2", cwd=tmp_path)
    assert again.returncode == 0
    assert len(server.received) == first

    more = call(*words, "--max-cost", "1", cwd=tmp_path)
    assert more.returncode == 0, more.stderr
    assert len(server.received) == 20
    summary = report_in(tmp_path / "forgetest-results")["aggregate"]["per_model"][f"service/{MODEL}"]
    assert summary["samples"] == {"asked": 20, "judged": 20, "unjudged": 0}


@needs_judging
def test_every_generation_setting_is_sent_and_recorded(api: Api, serve: Serve, tmp_path: Path) -> None:
    server = serve(api.answer(NO_CODE))
    configure_service(tmp_path, api, server.url)
    with (tmp_path / "forgetest.toml").open("a") as file:
        file.write('[generation]\ntop_p = 0.5\nmax_tokens = 77\nstop = ["NEVER"]\n')
    text = write_set(tmp_path / "set.toml").read_text()
    own = '[eval_set.generation]\nsystem_prompt = "Only {language}."\nstop = ["END"]\n'
    own += 'prompt_template = "Task: {prompt}"\n'
    (tmp_path / "set.toml").write_text(text.replace("[[cases]]", f"{own}[[cases]]", 1))

    finished = call(*ASK, "--temperature", "1", "--reasoning-effort", "low", "--seed", "3", cwd=tmp_path)

    assert finished.returncode == 0, finished.stderr
    (received,) = server.received
    body = json.dumps(received.body)
    assert "Only Rust." in body
    assert "Task: Write `fn double" in body
    assert (received.body["top_p"], api.limit(received.body)) == (0.5, 77)
    assert (received.body["stop"], received.body["reasoning_effort"]) == (["END"], "low")
    settings = report_in(tmp_path / "forgetest-results")["settings"]
    assert (settings["top_p"], settings["max_tokens"], settings["reasoning_effort"]) == (0.5, 77, "low")
    described = json.loads((tmp_path / "forgetest-results" / "latest" / "run.json").read_text())
    assert described["generation"]["top_p"] == 0.5


@needs_judging
@pytest.mark.parametrize("name", [pytest.param("anthropic", marks=pytest.mark.slow), "openai"])
def test_the_key_appears_in_no_file_and_no_output(name: str, serve: Serve, tmp_path: Path) -> None:
    pytest.importorskip(name)
    api = APIS[name]
    replies = iter([api.error(500, f"your key {KEY} is fine", {"Retry-After": "0"}), api.answer(NO_CODE)])
    server = serve(lambda received: next(replies, api.error(400, f"no, {KEY}")))
    write_set(tmp_path / "set.toml", cases=2)
    configure_service(tmp_path, api, server.url, concurrency=1)
    verbose = {"ANTHROPIC_LOG": "debug", "OPENAI_LOG": "debug", "RUST_LOG": "debug"}
    output = ""
    for words, variables in ((["--format", "all"], verbose), (["--json"], {}), (["--quiet"], {})):
        finished = call(*ASK, *words, cwd=tmp_path, **variables)
        output += finished.stdout + finished.stderr
    output += (finished := call("list-models", cwd=tmp_path, **verbose)).stdout + finished.stderr
    assert any(KEY in str(received.headers) for received in server.received)
    assert output
    assert KEY not in output
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"journal.jsonl", "run.json", "report.json", "report.md"} <= {path.name for path in files}
    assert [path for path in files if KEY.encode() in path.read_bytes()] == []


@needs_judging
def test_at_temperature_0_a_model_is_asked_once_across_all_runs(api: Api, serve: Serve, tmp_path: Path) -> None:
    server = serve(api.answer(NO_CODE, tokens=20))
    configure_service(tmp_path, api, server.url)
    write_set(tmp_path / "set.toml", cases=3)

    def asked_by(*words: str) -> int:
        before = len(server.received)
        finished = call(*ASK, *words, cwd=tmp_path)
        assert finished.returncode == 0, finished.stderr
        assert ("3 answers of earlier runs used again" in finished.stderr) == (len(server.received) == before)
        return len(server.received) - before

    assert asked_by("--output", "one") == 3
    assert asked_by("--output", "two", "--max-cost", "0.0001") == 0
    assert (
        report_in(tmp_path / "one")["results"][0]["token_usage"]
        == (report_in(tmp_path / "two")["results"][0]["token_usage"])
    )
    assert asked_by("--output", "two", "--fresh") == 3
    assert asked_by("--output", "five", "--temperature", "1", "--reuse-answers") == 3
    assert asked_by("--output", "six", "--temperature", "1", "--reuse-answers") == 0


@needs_judging
def test_several_samples_come_from_one_request_if_so_configured(api: Api, serve: Serve, tmp_path: Path) -> None:
    def answer(received: Received) -> Reply:
        choice = {"message": {"role": "assistant", "content": NO_CODE}, "finish_reason": "stop"}
        return api.answer("", tokens=20, choices=[choice] * received.body.get("n", 1))

    server = serve(answer)
    configure_service(tmp_path, api, server.url, samples_per_request=4)
    write_set(tmp_path / "set.toml", cases=2)
    finished = call(*ASK, "--samples", "10", "--temperature", "1", cwd=tmp_path)
    assert finished.returncode == 0, finished.stderr
    assert sorted(received.body.get("n", 1) for received in server.received) == [2, 2, 4, 4, 4, 4]
    summary = report_in(tmp_path / "forgetest-results")["aggregate"]["per_model"][f"service/{MODEL}"]
    assert summary["samples"]["judged"] == 20
    assert summary["total_cost_usd"] == pytest.approx(6 * 0.0212)
    assert (summary["prompt_tokens"], summary["completion_tokens"]) == (6 * 12, 6 * 20)


def test_models_are_listed_live_with_their_context_length_and_price_if_known(
    api: Api, serve: Serve, tmp_path: Path
) -> None:
    server = serve(api.models)
    configure_service(tmp_path, api, server.url)
    output = call("list-models", cwd=tmp_path).stdout
    assert re.search(rf"^service/{MODEL} .* 32,768  +100\.00  +1000\.00$", output, re.MULTILINE)
    rows = {row["model"]: row for row in json.loads(call("list-models", "--json", cwd=tmp_path).stdout)}
    assert rows[f"service/{MODEL}"]["price"]["output"] == 1000.0
    assert rows["acme/steady"]["price"] is None
    assert len(server.received) == 2
