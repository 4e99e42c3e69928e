from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from forgetest.engine.judging.step_runner import StepRunner
from forgetest.errors import MachineryError, UserError
from forgetest.evalset import Case
from forgetest.testing.fakes import FakePrepared, FakeSandbox
from forgetest.verdict import Execution, Mount, Step, Verdict
from specimens import a_case

BUILD = Step(name="build the crates", argv=("cargo", "build"), keep="crates-1")
LOOK = Step(name="versions", argv=("rustc", "-V"))


class Asking:
    """A toolchain that wants these steps done before it is ready."""

    def __init__(self, *steps: Step) -> None:
        self._steps = steps
        self.executions: Sequence[Execution] = ()

    def prepare(self, case: Case, executions: Sequence[Execution]) -> Step | FakePrepared:
        self.executions = executions
        return self._steps[len(executions)] if len(executions) < len(self._steps) else FakePrepared()

    def next(self, prepared: object, case: Case, code: str, executions: Sequence[Execution]) -> Step | Verdict:
        raise AssertionError("nothing is judged here")


def writing(step: Step) -> Execution:
    """A build that leaves a file in the folder which is kept."""
    if step.keep:
        Path(step.keep, "built").write_text("whole")
    return Execution(step=step.name, ended="exited", exit_code=0, stdout=b"done")


def test_steps_run_in_order_and_the_toolchain_sees_what_came_out(tmp_path: Path) -> None:
    toolchain, sandbox = Asking(LOOK, BUILD), FakeSandbox(writing)

    assert StepRunner(sandbox, tmp_path, {}).prepare(toolchain, a_case()) == FakePrepared()

    assert [step.name for step in sandbox.steps] == ["versions", "build the crates"]
    assert [execution.stdout for execution in toolchain.executions] == [b"done", b"done"]


def test_identical_steps_of_several_cases_and_of_later_runs_run_once(tmp_path: Path) -> None:
    sandbox = FakeSandbox(writing)
    step_runner = StepRunner(sandbox, tmp_path, {})
    step_runner.prepare(Asking(LOOK, BUILD), a_case("one"))
    step_runner.prepare(Asking(LOOK, BUILD), a_case("two"))
    later = Asking(LOOK, BUILD)
    StepRunner(sandbox, tmp_path, {}).prepare(later, a_case("one"))

    assert len(sandbox.steps) == 2
    assert [execution.stdout for execution in later.executions] == [b"done", b"done"]


def test_a_step_that_differs_in_anything_is_another_step(tmp_path: Path) -> None:
    sandbox = FakeSandbox(writing)
    step_runner = StepRunner(sandbox, tmp_path, {})
    for step in (LOOK, replace(LOOK, env={"A": "1"}), replace(LOOK, stdin=b"x"), replace(LOOK, files={"f": b"y"})):
        step_runner.prepare(Asking(step), a_case())

    assert len(sandbox.steps) == 4


def test_a_step_about_the_host_without_stamps_runs_once_a_run_and_again_in_the_next(tmp_path: Path) -> None:
    sandbox = FakeSandbox()
    for _ in range(2):
        step_runner = StepRunner(sandbox, tmp_path, {})
        step_runner.prepare(Asking(replace(LOOK, stamped=True)), a_case("one"))
        step_runner.prepare(Asking(replace(LOOK, stamped=True)), a_case("two"))

    assert len(sandbox.steps) == 2


class Host:
    """A file, and a step that tells of it with a stamp."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "the compiler"
        self.file.write_bytes(b"1.0")
        self.sandbox = FakeSandbox(self._look)
        self._folder = folder

    def _look(self, step: Step) -> Execution:
        status = self.file.stat()
        printed = f"version={self.file.read_text()}\nstamp={self.file} {status.st_size} {int(status.st_mtime)}\n"
        return Execution(step=step.name, ended="exited", exit_code=0, stdout=printed.encode())

    def ask(self, **environment: str) -> int:
        """Look at the host in a new run; how often it was really looked at so far."""
        step = replace(LOOK, stamped=True)
        StepRunner(self.sandbox, self._folder / "cache", environment).prepare(Asking(step), a_case())
        return len(self.sandbox.steps)


def test_what_is_known_of_the_host_is_kept_as_long_as_its_files_are_as_they_were(tmp_path: Path) -> None:
    host = Host(tmp_path)

    assert [host.ask(), host.ask()] == [1, 1]
    host.file.write_bytes(b"1.1.0")
    assert [host.ask(), host.ask()] == [2, 2]
    os.utime(host.file, (1, 1))
    assert [host.ask(), host.ask()] == [3, 3]


def test_a_file_that_is_gone_or_another_environment_means_looking_again(tmp_path: Path) -> None:
    host = Host(tmp_path)

    assert [host.ask(PATH="/a"), host.ask(PATH="/b"), host.ask(PATH="/a")] == [1, 2, 2]
    host.file = host.file.rename(tmp_path / "elsewhere")
    assert host.ask(PATH="/a") == 3


def test_a_kept_folder_is_found_by_the_mounts_of_later_steps(tmp_path: Path) -> None:
    sandbox = FakeSandbox(writing)
    step_runner = StepRunner(sandbox, tmp_path, {})
    step_runner.prepare(Asking(BUILD), a_case())
    step_runner.run(Step(name="judge", argv=("x",), mounts=(Mount(source="kept:crates-1", target="/crates"),)))

    (mount,) = sandbox.steps[-1].mounts
    assert Path(mount.source, "built").read_text() == "whole"
    assert mount.target == "/crates"


def test_a_kept_folder_takes_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    seen = []

    def killed_halfway(step: Step) -> Execution:
        assert step.keep
        Path(step.keep, "built").write_text("half")
        seen.append((tmp_path / "kept" / "crates-1").exists())
        raise MachineryError("killed")

    with pytest.raises(MachineryError):
        StepRunner(FakeSandbox(killed_halfway), tmp_path, {}).prepare(Asking(BUILD), a_case())
    assert seen == [False]
    assert not (tmp_path / "kept" / "crates-1").exists()

    StepRunner(FakeSandbox(writing), tmp_path, {}).prepare(Asking(BUILD), a_case())
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["crates-1"]
    assert (tmp_path / "kept" / "crates-1" / "built").read_text() == "whole"


def test_a_build_that_failed_is_tried_again_by_the_next_run(tmp_path: Path) -> None:
    failed = FakeSandbox(lambda step: Execution(step=step.name, ended="exited", exit_code=1))
    StepRunner(failed, tmp_path, {}).prepare(Asking(BUILD), a_case())
    sandbox = FakeSandbox(writing)
    StepRunner(sandbox, tmp_path, {}).prepare(Asking(BUILD), a_case())

    assert len(sandbox.steps) == 1


def test_a_step_that_must_succeed_is_tried_again_and_another_failure_is_an_answer(tmp_path: Path) -> None:
    for step, times in ((replace(LOOK, must_succeed=True), 1), (LOOK, 0)):
        failed = FakeSandbox(lambda step: Execution(step=step.name, ended="exited", exit_code=1))
        StepRunner(failed, tmp_path, {}).prepare(Asking(step), a_case())
        sandbox = FakeSandbox(writing)
        StepRunner(sandbox, tmp_path, {}).prepare(Asking(step), a_case())
        assert len(sandbox.steps) == times


def test_a_kept_folder_that_somebody_removed_is_built_again(tmp_path: Path) -> None:
    sandbox = FakeSandbox(writing)
    StepRunner(sandbox, tmp_path, {}).prepare(Asking(BUILD), a_case())
    built = tmp_path / "kept" / "crates-1"
    (built / "built").unlink()
    built.rmdir()
    StepRunner(sandbox, tmp_path, {}).prepare(Asking(BUILD), a_case())

    assert len(sandbox.steps) == 2
    assert (built / "built").exists()


@pytest.mark.parametrize("left", [b"", b"\xc1", b"\x80"], ids=["nothing", "no msgpack", "no execution"])
def test_a_record_that_a_power_cut_left_in_pieces_is_made_again(tmp_path: Path, left: bytes) -> None:
    sandbox = FakeSandbox(writing)
    StepRunner(sandbox, tmp_path, {}).prepare(Asking(LOOK), a_case())
    (record,) = (tmp_path / "steps").iterdir()
    whole = record.read_bytes()
    record.write_bytes(left)

    StepRunner(sandbox, tmp_path, {}).prepare(Asking(LOOK), a_case())

    assert len(sandbox.steps) == 2
    assert record.read_bytes() == whole


def test_what_takes_a_while_is_announced_once(tmp_path: Path) -> None:
    announced: list[str] = []
    for _ in range(2):
        StepRunner(FakeSandbox(writing), tmp_path, {}, announced.append).prepare(Asking(LOOK, BUILD), a_case())

    assert announced == ["build the crates"]


@pytest.mark.parametrize("wish", [{"on_host": True}, {"keep": "x"}, {"proc": True}], ids=["host", "keep", "proc"])
def test_judging_may_not_ask_for_what_only_preparation_may(tmp_path: Path, wish: dict[str, object]) -> None:
    sandbox = FakeSandbox()

    with pytest.raises(MachineryError, match="only preparation may ask for that"):
        StepRunner(sandbox, tmp_path, {}).run(replace(LOOK, **wish))  # type: ignore[arg-type]
    assert sandbox.steps == []


def test_a_step_on_the_host_runs_in_its_kept_folder_with_the_hosts_environment(tmp_path: Path) -> None:
    script = 'cat in > out; echo "$GREETING $HOME"; pwd >&2'
    step = Step(
        name="fetch",
        argv=("/bin/sh", "-c", script),
        files={"in": b"hello"},
        outputs=("out",),
        env={"GREETING": "hi"},
        keep="fetched-1",
        on_host=True,
    )
    toolchain = Asking(step)
    StepRunner(FakeSandbox(), tmp_path, {"HOME": "/somewhere", "PATH": "/usr/bin:/bin"}).prepare(toolchain, a_case())

    (execution,) = toolchain.executions
    assert execution.succeeded
    assert execution.stdout == b"hi /somewhere\n"
    assert execution.outputs == {"out": b"hello"}
    assert (tmp_path / "kept" / "fetched-1" / "out").read_bytes() == b"hello"


def test_a_tool_that_is_missing_on_the_host_is_told(tmp_path: Path) -> None:
    step = Step(name="fetch the crates", argv=("/nowhere/cargo",), on_host=True)

    with pytest.raises(UserError, match="fetch the crates: /nowhere/cargo was not found"):
        StepRunner(FakeSandbox(), tmp_path, {}).prepare(Asking(step), a_case())


def test_a_cache_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(UserError, match="set FORGETEST_CACHE"):
        StepRunner(FakeSandbox(), tmp_path / "file", {}).prepare(Asking(LOOK), a_case())


def test_a_step_of_judging_about_the_case_runs_once_and_is_stored(tmp_path: Path) -> None:
    sandbox = FakeSandbox(writing)
    about_the_case = replace(LOOK, stored=True)
    for step_runner in (StepRunner(sandbox, tmp_path, {}), StepRunner(sandbox, tmp_path, {})):
        assert [step_runner.run(about_the_case).stdout for _ in range(2)] == [b"done", b"done"]
        step_runner.run(LOOK)

    assert [step.stored for step in sandbox.steps] == [True, False, False]


def test_a_stored_step_that_was_killed_from_outside_runs_again(tmp_path: Path) -> None:
    endings = [Execution(step="versions", ended="signalled", exit_code=-9), writing(LOOK)]
    sandbox = FakeSandbox(lambda _: endings.pop(0))
    step_runner = StepRunner(sandbox, tmp_path, {})

    assert [step_runner.run(replace(LOOK, stored=True)).exit_code for _ in range(3)] == [-9, 0, 0]


def test_different_steps_run_at_the_same_time(tmp_path: Path) -> None:
    both = threading.Barrier(2)

    def wait_for_the_other(step: Step) -> Execution:
        both.wait(10)
        return writing(step)

    step_runner = StepRunner(FakeSandbox(wait_for_the_other), tmp_path, {})
    with ThreadPoolExecutor(2) as pool:
        futures = [
            pool.submit(step_runner.prepare, Asking(replace(LOOK, name=name)), a_case()) for name in ("one", "two")
        ]
        assert [future.result(10) for future in futures] == [FakePrepared()] * 2
