"""The launcher for programs, process 1 of the sandbox: runs samples once for each input, and reports what they printed.

The plan comes on standard input as JSON; the report goes to standard output: `ready`, for each sample a line of JSON
for each of its runs and an empty line, `end`. Nobody else can write there. What a test expects is not known here.
"""

from __future__ import annotations

import base64
import gc
import json
import os
import select
import signal
import sys
import time
from collections.abc import Sequence
from typing import Any, TextIO

from . import confine
from .cleaning import clean
from .clocks import cpu_s
from .program_zygote import ProgramZygote, ZygoteTemplate

_LOOK_S = 0.25
"""How often the clock of a run is looked at."""
_PROGRESS_S = 0.001
"""A process that uses less CPU time than this between two looks is waiting."""


def main(arguments: Sequence[str], modules: Sequence[str]) -> None:
    """Run the plan on standard input. `modules` are imported beforehand.

    `arguments`: the folder of mounted inputs, and those that a sample can write to.
    """
    inputs, *folders = arguments
    confine.hide_memory()
    sys.path.pop(0)  # our own folder
    # before anything is read: a sample must not find the inputs of other tests, or another sample, in its memory
    template = ZygoteTemplate(modules)
    plan = json.loads(sys.stdin.buffer.read())
    gc.collect()
    gc.freeze()
    report = os.fdopen(os.dup(1), "w", encoding="ascii")
    null = os.open("/dev/null", os.O_RDWR)
    for number in (0, 1):
        os.dup2(null, number)
    report.write("ready\n")
    left_s = plan["time_s"]
    for program in plan["programs"]:
        if left_s < 0:
            break
        zygote = template.start_zygote(program["code"])
        took_s, is_clean = _run_program(zygote, program["runs"], plan, report, inputs, folders)
        zygote.close()
        left_s -= took_s
        report.write("\n")
        if not is_clean:
            break
    report.write("end\n")
    report.flush()
    template.close()


def _run_program(
    zygote: ProgramZygote,
    runs: Sequence[dict[str, Any]],
    plan: dict[str, Any],
    report: TextIO,
    inputs: str,
    folders: Sequence[str],
) -> tuple[float, bool]:
    """Make the runs of a program, and report each; return the time that it took, and whether it left nothing behind.

    The time is its CPU time, and on the clock where it waited: other work on the machine does not count.
    """
    time_outs, left, took_s = 0, plan["output_bytes"], 0.0
    for run in runs:
        if time_outs >= plan["most_time_outs"]:
            break
        result = _run(zygote, run, min(left, run["output_bytes"]), inputs, folders)
        left -= len(result["stdout"])
        result["stdout"] = base64.b64encode(result["stdout"]).decode()
        report.write(json.dumps(result) + "\n")
        report.flush()
        time_outs += result["ending"] in ("cpu_limit", "wall_limit")
        took_s += result["wall_ms" if result["ending"] == "wall_limit" else "cpu_ms"] / 1000
        if not clean(folders):
            report.write(json.dumps({"ending": "littered", "stdout": ""}) + "\n")
            return took_s, False
    return took_s, True


def _run(zygote: ProgramZygote, run: dict[str, Any], most: int, inputs: str, folders: Sequence[str]) -> dict[str, Any]:
    began = time.monotonic()
    arguments = []
    for number, content in enumerate(run["files"]):
        path = f"{folders[0]}/argument{number}"
        if "file" in content:
            path = f"{inputs}/{content['file']}"
        else:
            _write(path, content)
        arguments.append(path)
    stdin = _open_input(run["stdin"], inputs, folders[0])
    output, output_end = os.pipe()
    errors, errors_end = os.pipe()
    descriptors = (stdin, output_end, errors_end)
    limits = {"cpu_s": run["cpu_s"], "memory_bytes": run["memory_bytes"]}
    pid = zygote.start({**limits, "call": run["call"], "arguments": arguments, "folder": folders[0]}, descriptors)
    for each in descriptors:
        os.close(each)
    printed, ending = _watch(zygote, pid, (output, errors), run, most, began)
    if ending:
        os.kill(pid, signal.SIGKILL)
    status, used_s = zygote.wait()
    _drain(printed, (output, errors), most)
    if not ending:
        ending = "signalled" if status & 0x7F else "exited"
        if len(printed[output]) > most:
            ending = "output_limit"
        elif used_s >= run["cpu_s"] + 1:  # the kernel ended it, as this process did not get to run
            ending = "cpu_limit"
    for each in (output, errors):
        os.close(each)
    return {
        "ending": ending,
        "code": status & 0x7F or status >> 8,
        "stdout": bytes(printed[output][:most]),
        "stderr": printed[errors][-run["stderr_bytes"] :].decode("utf-8", "replace"),
        "wall_ms": (time.monotonic() - began) * 1000,
        "cpu_ms": used_s * 1000,
    }


def _open_input(content: dict[str, str], inputs: str, folder: str) -> int:
    """Open the standard input of a run: a mounted file, or one of our own that has no name any more."""
    if "file" in content:
        return os.open(f"{inputs}/{content['file']}", os.O_RDONLY)
    path = f"{folder}/input"
    _write(path, content)
    descriptor = os.open(path, os.O_RDONLY)
    os.unlink(path)
    return descriptor


def _write(path: str, content: dict[str, str]) -> None:
    with open(path, "wb") as file:
        file.write(base64.b64decode(content["bytes"]))


def _watch(
    zygote: ProgramZygote, pid: int, pipes: tuple[int, int], run: dict[str, Any], most: int, began: float
) -> tuple[dict[int, bytearray], str]:
    """Return what was printed until the program ended or reached a limit, and that limit."""
    poll = select.poll()
    for each in (*pipes, zygote.descriptor):
        poll.register(each, select.POLLIN)
    printed = {each: bytearray() for each in pipes}
    limit_s: float = run["cpu_s"]
    used_s, waited_s, seen = 0.0, 0.0, began
    while True:
        for descriptor, _ in poll.poll(max(0.005, min(limit_s - used_s, _LOOK_S)) * 1000):
            if descriptor == zygote.descriptor:
                return printed, ""
            part = os.read(descriptor, 1 << 16)
            if not part:
                poll.unregister(descriptor)
            _keep(printed, descriptor, part, pipes, run, most)
        if len(printed[pipes[0]]) > most:
            return printed, "output_limit"
        now = time.monotonic()
        if now - seen < min(_LOOK_S, max(0.005, limit_s - used_s)):
            continue
        before, used_s = used_s, cpu_s(pid)
        # on a busy machine, a process that only waits for its turn still gets some of the CPU
        waited_s = waited_s + now - seen if used_s < before + _PROGRESS_S else 0.0
        seen = now
        if used_s >= limit_s:
            return printed, "cpu_limit"
        if waited_s >= limit_s + run["waiting_s"] or now - began >= run["wall_s"]:
            return printed, "wall_limit"


def _keep(
    printed: dict[int, bytearray], pipe: int, part: bytes, pipes: tuple[int, int], run: dict[str, Any], most: int
) -> None:
    """Keep what was printed: all of the output up to a byte more than the limit, of the errors only the end."""
    kept = printed[pipe]
    kept += part
    if pipe == pipes[1] and len(kept) > 2 * run["stderr_bytes"]:
        del kept[: -run["stderr_bytes"]]
    elif pipe == pipes[0]:
        del kept[most + 1 :]


def _drain(printed: dict[int, bytearray], pipes: tuple[int, int], most: int) -> None:
    """Read what a program that has ended left in its pipes."""
    for pipe in pipes:
        while len(printed[pipe]) <= most and (part := os.read(pipe, 1 << 16)):
            printed[pipe] += part
