"""Build the tests of a Rust project, run each binary, and write what cargo and libtest report.

`run_cargo.py REPORT BUILT [CARGO OPTION …]`; BUILT is a folder with crates that were built before, if there is one.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_OWN_HARNESSES = os.environ.pop("OWN_HARNESSES", "").split()


def _main(report: str, built: str, options: list[str]) -> None:
    if Path(built).is_dir() and not Path("target").exists():
        # with its times, by which cargo sees what is fresh; what is linked is never written to, but replaced
        shutil.copytree(built, "target", symlinks=True, copy_function=_link_libraries)
    build, messages = _build(options, os.environ)
    if build.returncode and _only_lints(messages):
        # `deny(warnings)` is about the compilers of its day; a newer one warns of more
        wrapper = Path(report).with_name("cap_lints")
        wrapper.write_text('#!/bin/sh\nexec "$@" --cap-lints warn\n')
        wrapper.chmod(0o755)
        build, messages = _build(options, {**os.environ, "RUSTC_WORKSPACE_WRAPPER": str(wrapper)})
    found: dict[str, Any] = {
        "built": build.returncode == 0,
        "errors": [_rendered(each) for each in messages if _level(each) == "error"][:3],
        "stderr": build.stderr.decode("utf-8", "replace")[-3000:],
        "binaries": [],
    }
    for message in messages if build.returncode == 0 else ():
        if message.get("executable") and message.get("profile", {}).get("test"):
            found["binaries"].append(_run(message))
    Path(report).write_text(json.dumps(found))


def _link_libraries(source: str, target: str) -> None:
    if source.endswith((".rlib", ".rmeta", ".so")):
        Path(target).symlink_to(source)
    else:
        shutil.copy2(source, target)


def _build(
    options: list[str], environment: Mapping[str, str]
) -> tuple[subprocess.CompletedProcess[bytes], list[dict[str, Any]]]:
    command = ["cargo", "test", "--offline", "--no-run", "--workspace", "--no-fail-fast", "--message-format=json"]
    build = subprocess.run(
        [*command, *options], env=dict(environment), stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    return build, [_decode(line) for line in build.stdout.splitlines()]


def _only_lints(messages: list[dict[str, Any]]) -> bool:
    """Return whether all that the compiler refuses are lints, which a crate has made errors."""
    codes = [(each["message"].get("code") or {}).get("code", "") for each in messages if _level(each) == "error"]
    named = [code for code in codes if code]  # the last error, "aborting due to …", has none
    return bool(named) and all(re.fullmatch(r"[a-z]\w*(::\w+)*", code) for code in named)


def _run(message: dict[str, Any]) -> dict[str, Any]:
    manifest = Path(message["manifest_path"])
    variables = {**os.environ, "RUSTC_BOOTSTRAP": "1", "CARGO_MANIFEST_DIR": str(manifest.parent)}
    executable = message["executable"]
    if variables.pop("NERV_HIDE_RUNNER", None):
        variables = {name: value for name, value in variables.items() if not name.startswith("CARGO")}
        # in the same folder: tests of programs find these beside it
        executable = shutil.copy(executable, Path(executable).with_name(f"program{len(Path(executable).name)}"))
    # a harness of the project's own knows nothing of libtest's options
    is_own = any(message["target"]["src_path"].endswith(f"/{path}") for path in _OWN_HARNESSES)
    options = () if is_own else ("-Z", "unstable-options", "--format", "json", "--test-threads", "2")
    done = subprocess.run(
        [executable, *options],
        cwd=manifest.parent,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return {
        "target": message["target"]["name"],
        "kind": message["target"]["kind"],
        "source": message["target"]["src_path"],
        "exit_code": done.returncode,
        "output": done.stdout[-8_000_000:].decode("utf-8", "replace"),
    }


def _decode(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _level(message: dict[str, Any]) -> str:
    inner = message.get("message")
    return str(inner.get("level", "")) if isinstance(inner, dict) else ""


def _rendered(message: dict[str, Any]) -> str:
    """Return an error of the compiler, with its place where it has one."""
    text = str(message["message"].get("message", ""))[:500]
    place = next((span for span in message["message"].get("spans") or () if span.get("is_primary")), None)
    return f"{place['file_name']}:{place['line_start']}: {text}" if place else text


if __name__ == "__main__":
    _main(sys.argv[1], sys.argv[2], sys.argv[3:])
