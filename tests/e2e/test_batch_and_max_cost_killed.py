"""`--batch` and `--max-cost`, killed in the middle and called again."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import pytest

import workbench
from batch_services import PROMPT_TOKENS, TOKENS, a_service
from forgetest.testing.loopback import Received, Reply, Server
from model_apis import APIS, MODEL, SERVICE_PRICES, configure_service, service_environment
from workbench import forgetest, json_lines, needs_judging, report_in, write_set

pytestmark = needs_judging

NO_CODE = "I would rather not."
FULL = (PROMPT_TOKENS * SERVICE_PRICES["input"] + TOKENS * SERVICE_PRICES["output"]) / 1e6
WORDS = ["run", "--eval-set", "set.toml", "--models", f"service/{MODEL}", "--temperature", "1", "--output", "out"]


def lines(folder: Path, kind: str) -> list[dict[str, object]]:
    return [line for line in json_lines(folder / "out" / "latest" / "journal.jsonl") if line["kind"] == kind]


def summary(folder: Path) -> dict[str, object]:
    found: dict[str, object] = report_in(folder / "out")["aggregate"]["per_model"][f"service/{MODEL}"]
    return found


@pytest.mark.parametrize("name", [pytest.param("anthropic", marks=pytest.mark.slow), "openai"])
def test_a_batch_is_submitted_once_and_collected_when_the_command_is_called_again(name: str, tmp_path: Path) -> None:
    pytest.importorskip(name)
    service = a_service(name, NO_CODE)
    with Server(service) as server:
        configure_service(tmp_path, service.api, server.url, batch_poll_secs=0.05)
        write_set(tmp_path / "set.toml", cases=3)
        words = [*WORDS, "--samples", "4", "--batch"]
        process = workbench.start(*words, cwd=tmp_path, env=service_environment())
        workbench.wait_until(lambda: any(line["batch_id"] for line in lines(tmp_path, "batch")), process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert len(lines(tmp_path, "completion")) == 1
        service.done.set()

        finished = forgetest(*words, cwd=tmp_path, env=service_environment())

        assert finished.returncode == 0, finished.stderr
        assert service.singly == 1
        assert [len(batch.requests) for batch in service.batches] == [11]
        assert summary(tmp_path)["samples"] == {"asked": 12, "judged": 12, "unjudged": 0}
        assert summary(tmp_path)["total_cost_usd"] == pytest.approx(FULL + 11 * FULL / 2)
        assert len(lines(tmp_path, "completion")) == 12

        again = forgetest(*words, cwd=tmp_path, env=service_environment())
        assert again.returncode == 0
        assert (service.singly, len(service.batches)) == (1, 1)


def test_a_killed_run_with_max_cost_continues_within_the_same_limit(tmp_path: Path) -> None:
    pytest.importorskip("openai")
    answer, gate = APIS["openai"].answer(NO_CODE, tokens=TOKENS), threading.Semaphore(4)

    def answers(received: Received) -> Reply:
        gate.acquire(timeout=60)  # the fifth is never answered in time
        return answer

    limit = (
        10.5 * FULL
    )  # the reserved cost is higher than the actual one, because a prompt may have more tokens than estimated
    with Server(answers) as server:
        configure_service(tmp_path, APIS["openai"], server.url, concurrency=2)
        write_set(tmp_path / "set.toml", cases=2)
        words = [*WORDS, "--samples", "20", "--max-tokens", str(TOKENS), "--max-cost", str(limit)]
        process = workbench.start(*words, cwd=tmp_path, env=service_environment())
        workbench.wait_until(lambda: len(lines(tmp_path, "completion")) >= 4, process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        for _ in range(100):
            gate.release()

        finished = forgetest(*words, cwd=tmp_path, env=service_environment())

        assert finished.returncode == 0, finished.stderr
        paid = len(lines(tmp_path, "completion"))
        assert 4 < paid <= 10
        assert summary(tmp_path)["samples"] == {"asked": 40, "judged": paid, "unjudged": 40 - paid}
        assert summary(tmp_path)["total_cost_usd"] == pytest.approx(paid * FULL)
        assert f"{40 - paid} of 40 samples could not be judged: not asked: ${paid * FULL:.4f} of" in finished.stderr
        # only requests in flight when it was killed were sent twice
        assert len(server.received) <= paid + 2
