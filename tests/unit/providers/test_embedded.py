from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from forgetest.errors import ProviderError, UserError
from forgetest.providers import Provider, embedded, embedded_weights
from forgetest.sample import Request


def request(prompt: str = "Write a poem about rust.", **changes: Any) -> Request:
    fields: dict[str, Any] = {"model": embedded.MODEL.id, "system": "Be brief.", "max_tokens": 10}
    return Request(prompt=prompt, **{**fields, **changes})


class FakeInstance:
    """Answers at once, and remembers what it was asked."""

    def __init__(self, answer: Mapping[str, Any] | None = None) -> None:
        self.questions: list[Mapping[str, Any]] = []
        self.answer = answer or {
            "choices": [{"message": {"content": "hello"}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 3, "completion_tokens": 1},
        }

    def ask(self, question: Mapping[str, object]) -> Mapping[str, Any]:
        self.questions.append(question)
        return self.answer

    def close(self) -> None:
        pass


def test_the_question_holds_everything_that_was_asked_for() -> None:
    instance = FakeInstance()
    provider = embedded.Embedded(lambda: instance, instances=1)
    provider.generate(request("Hi", system="Be kind.", temperature=0.8, max_tokens=5, seed=7, options={"top_k": 1}))
    assert instance.questions == [
        {
            "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}],
            "temperature": 0.8,
            "max_tokens": 5,
            "seed": 7,
            "top_k": 1,
        }
    ]


def test_an_empty_system_message_is_left_to_the_chat_template() -> None:
    instance = FakeInstance()
    embedded.Embedded(lambda: instance, instances=1).generate(request("Hi", system=""))
    assert instance.questions[0]["messages"] == [{"role": "user", "content": "Hi"}]


def test_without_a_seed_each_request_gets_a_fresh_one() -> None:
    instance = FakeInstance()
    provider = embedded.Embedded(lambda: instance, instances=1)
    for _ in range(3):
        provider.generate(request(seed=None))
    assert len({question["seed"] for question in instance.questions}) == 3


@pytest.mark.parametrize("seed", [-1, 2**32 - 1, 2**32, 2**80])
def test_any_whole_number_is_accepted_as_a_seed(seed: int) -> None:
    """The largest 32-bit number would mean: choose one yourself."""
    instance = FakeInstance()
    embedded.Embedded(lambda: instance, instances=1).generate(request(seed=seed))
    assert 0 <= instance.questions[0]["seed"] < 2**32 - 1


def test_an_unknown_option_is_refused() -> None:
    provider = embedded.Embedded(FakeInstance, instances=1)
    with pytest.raises(ProviderError, match='no option "top_a", only min_p') as caught:
        provider.generate(request(options={"top_a": 0.5}))
    assert caught.value.final


def test_an_error_of_the_model_is_raised() -> None:
    broken = FakeInstance({"error": {"code": 500, "message": "out of luck"}})
    with pytest.raises(ProviderError, match="out of luck"):
        embedded.Embedded(lambda: broken, instances=1).generate(request())


def test_instances_are_loaded_when_they_are_needed_and_then_reused() -> None:
    made: list[FakeInstance] = []

    def load() -> FakeInstance:
        made.append(FakeInstance())
        return made[-1]

    provider = embedded.Embedded(load, instances=2)
    assert made == []
    for _ in range(3):
        provider.generate(request())
    assert len(made) == 1


def test_there_are_never_more_requests_in_flight_than_instances() -> None:
    under_way, most = 0, 0
    counting, two = threading.Lock(), threading.Barrier(2, timeout=60)

    class SlowInstance(FakeInstance):
        def ask(self, question: Mapping[str, object]) -> Mapping[str, Any]:
            nonlocal under_way, most
            with counting:
                under_way += 1
                most = max(most, under_way)
            two.wait()
            time.sleep(0.02)  # time for a third one to come
            with counting:
                under_way -= 1
            return self.answer

    provider = embedded.Embedded(SlowInstance, instances=2)
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(provider.generate, [request()] * 6))
    assert most == 2


def test_an_instance_that_failed_is_replaced() -> None:
    class BrokenInstance(FakeInstance):
        closed = False

        def ask(self, question: Mapping[str, object]) -> Mapping[str, Any]:
            raise ProviderError("broken")

        def close(self) -> None:
            self.closed = True

    broken = BrokenInstance()
    instances = iter([broken, FakeInstance()])
    provider = embedded.Embedded(lambda: next(instances), instances=1)
    with pytest.raises(ProviderError, match="broken"):
        provider.generate(request())
    assert broken.closed
    assert provider.generate(request()).text == "hello"


def test_the_embedded_provider_has_no_settings() -> None:
    with pytest.raises(UserError, match='unknown setting "threads"'):
        embedded.create({"threads": 4})


def test_a_missing_extra_is_named_with_what_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(UserError, match=r"uv sync --extra embedded.*pip install 'forgetest\[embedded\]'"):
        embedded.create({})


def test_importing_the_provider_does_not_import_llama_cpp() -> None:
    check = "import sys, forgetest.providers.embedded; sys.exit('xllamacpp' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check]).returncode == 0


@pytest.fixture(scope="module")
def provider() -> Provider:
    try:
        return embedded.create({})
    except UserError as error:
        pytest.skip(str(error))


def test_the_same_seed_gives_the_same_text_whatever_was_asked_before(provider: Provider) -> None:
    asked = request(temperature=1.0, seed=11)
    first = provider.generate(asked)
    # a longer prompt that begins in the same way, and one that does not
    provider.generate(request("Write a poem about rust. Make it rhyme, and let it end well.", seed=3))
    provider.generate(request("What is two and two?", temperature=1.0, seed=4))
    assert provider.generate(asked).text == first.text
    assert embedded.create({}).generate(asked).text == first.text


def test_the_same_seed_gives_the_same_text_under_load(provider: Provider) -> None:
    asked = request(temperature=1.0, seed=12)
    with ThreadPoolExecutor(3) as threads:
        texts = {completion.text for completion in threads.map(provider.generate, [asked] * 3)}
    assert len(texts) == 1


def test_seeds_and_temperature_matter(provider: Provider) -> None:
    hot = {provider.generate(request(temperature=1.5, seed=seed)).text for seed in range(2)}
    cold = {provider.generate(request(temperature=0.0, seed=seed)).text for seed in range(2)}
    assert len(hot) > 1
    assert len(cold) == 1


def test_it_is_free(provider: Provider) -> None:
    assert provider.generate(request(max_tokens=1)).usage.cost_usd == 0.0


def test_the_description_says_that_it_is_a_very_small_model(provider: Provider) -> None:
    assert [("very small" in model.description) for model in provider.models()] == [True]


def test_a_prompt_longer_than_the_context_is_an_error(provider: Provider) -> None:
    with pytest.raises(ProviderError, match="context"):
        provider.generate(request("rust " * 9000))


def test_weights_that_cannot_be_loaded_are_a_final_error(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    with pytest.raises(ProviderError, match="the model's process ended with exit code 1") as caught:
        embedded.ModelProcess(tmp_path / "nothing.gguf")
    assert caught.value.final


@pytest.fixture
def worker(provider: Provider) -> embedded.ModelProcess:
    return embedded.ModelProcess(embedded_weights.fetch())


def test_a_worker_that_was_killed_says_how_it_ended(worker: embedded.ModelProcess) -> None:
    worker._process.kill()
    with pytest.raises(ProviderError, match="ended with SIGKILL") as caught:
        worker.ask({"messages": [{"role": "user", "content": "Hi"}]})
    assert not caught.value.final


def test_a_worker_that_is_no_longer_referenced_ends(worker: embedded.ModelProcess) -> None:
    worker.close()
    assert worker._process.poll() is not None


LONG_STORY = """
import threading, time
from forgetest.providers import embedded
from forgetest.sample import Request

provider = embedded.create({})
request = Request(model=embedded.MODEL.id, system="", prompt="Tell me a long story.", max_tokens=4000)
provider.generate(Request(model=embedded.MODEL.id, system="", prompt="Hi", max_tokens=1))
threading.Thread(target=provider.generate, args=[request], daemon=True).start()
while provider._idle:
    time.sleep(0.01)
time.sleep(0.5)
print(provider._idle or "writing", flush=True)
"""


def test_a_program_may_end_while_the_model_writes(provider: Provider) -> None:
    run = subprocess.run([sys.executable, "-c", LONG_STORY], capture_output=True, timeout=240)
    assert (run.returncode, run.stdout) == (0, b"writing\n")


def test_a_worker_does_not_outlive_a_killed_program(provider: Provider) -> None:
    program = subprocess.Popen([sys.executable, "-c", LONG_STORY + "time.sleep(600)"], stdout=subprocess.PIPE)
    assert program.stdout is not None
    assert program.stdout.readline() == b"writing\n"
    children = Path(f"/proc/{program.pid}/task/{program.pid}/children").read_text().split()
    program.kill()
    program.wait()
    program.stdout.close()
    assert children
    deadline = time.monotonic() + 60
    while any(map(is_running, children)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [child for child in children if is_running(child)] == []


def is_running(process: str) -> bool:
    """A dead one that nobody has waited for does not run: where process 1 is no init, it stays."""
    try:
        return Path("/proc", process, "stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_nothing_is_written_to_the_terminal(provider: Provider) -> None:
    script = (
        "from forgetest.providers import embedded; from forgetest.sample import Request\n"
        "provider = embedded.create({})\n"
        "provider.generate(Request(model=embedded.MODEL.id, system='', prompt='Hi', max_tokens=2))\n"
        "try: provider.generate(Request(model=embedded.MODEL.id, system='', prompt='Hi ' * 9000))\n"
        "except Exception: pass\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert (run.stdout, run.stderr) == (b"", b"")
