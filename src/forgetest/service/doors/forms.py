"""Requests and answers of SandboxFusion, which ScaleBox shares.

Quoted from SandboxFusion's `sandbox/server/sandbox_api.py`, `sandbox/runners/types.py` and `sandbox/datasets/types.py`
(commit 53a6341). Unknown keys are ignored there, and so they are here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

CommandStatus = Literal["Finished", "Error", "TimeLimitExceeded"]
RunStatus = Literal["Success", "Failed", "SandboxError"]
Seconds = Annotated[float, Meta(gt=0, le=3600)]


class RunCodeRequest(Struct, frozen=True, kw_only=True):
    """`POST /run_code`."""

    code: str
    language: str
    stdin: str | None = None
    compile_timeout: Seconds = 10.0
    run_timeout: Seconds = 10.0
    memory_limit_mb: int = field(default=-1, name="memory_limit_MB")
    files: dict[str, str | None] = {}
    fetch_files: list[str] = []
    args: list[str] = []


class CommandResult(Struct, frozen=True, kw_only=True):
    """How a compiler or a program ended."""

    status: CommandStatus
    execution_time: float | None = None
    return_code: int | None = None
    stdout: str | None = None
    stderr: str | None = None


class RunCodeResponse(Struct, frozen=True, kw_only=True):
    """The answer of `/run_code`."""

    status: RunStatus
    message: str = ""
    compile_result: CommandResult | None = None
    run_result: CommandResult | None = None
    executor_pod_name: str | None = None
    files: dict[str, str] = {}


class TestConfig(Struct, frozen=True, kw_only=True):
    """How a submission is to be tested."""

    __test__ = False  # pytest: this is no test

    dataset_type: str | None = None
    language: str | None = None
    compile_timeout: Seconds | None = None
    run_timeout: Seconds | None = None
    custom_extract_logic: str | None = None
    provided_data: dict[str, Any] | list[Any] | None = None
    extra: dict[str, Any] = {}


class SubmitRequest(Struct, frozen=True, kw_only=True):
    """`POST /submit`, and ScaleBox's `/common_evaluate_batch`."""

    completion: str
    dataset: str = ""
    id: int | str = 0
    config: TestConfig = TestConfig()


class EvalTestCase(Struct, frozen=True, kw_only=True):
    """One test of a submission."""

    passed: bool
    exec_info: RunCodeResponse
    test_info: Mapping[str, Any] | None = None


class EvalResult(Struct, frozen=True, kw_only=True):
    """The answer of `/submit` and `/common_evaluate_batch`. Our grade is in `extra.forgetest`."""

    id: int | str
    accepted: bool
    extracted_code: str
    full_code: str | None = None
    test_code: str | None = None
    tests: list[EvalTestCase]
    extracted_type: str | None = None
    extra: Mapping[str, Any] | None = None
