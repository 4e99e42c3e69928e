"""Time and peak memory of scoring an event log of 1 GB; the promise is less than 300 MB.

python benchmarks/event_log.py [--megabytes 1024] [--folder DIR]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MOST_MB = 300
SPEC = "# Load\n\n## Acceptance Criteria\n" + "".join(f"- [ ] GET /items/{number} answers\n" for number in range(40))


def write_log(file: Path, megabytes: int) -> int:
    """Write a long run (tasks in cycles, each with hundreds of tool calls) and return the number of lines."""
    lines = t = task = 0
    size, wanted = 0, megabytes * 1024 * 1024
    with file.open("w", encoding="utf-8") as stream:
        while size < wanted:
            task += 1
            block = [{"t": t, "event": "task_started", "taskId": f"t{task}", "title": f"Answer GET /items/{task % 40}"}]
            block.append({"t": t + 1, "event": "worktree_created", "taskId": f"t{task}", "path": f"/w/t{task}"})
            for number in range(2_000):
                kind = "tool_error" if number % 97 == 0 else "claude_thinking" if number % 5 == 0 else "tool_call"
                given = {
                    "command": f"sed -n {number},{number + 80}p src/module_{task}.py",
                    "note": "x" * (number % 300),
                }
                block.append(
                    {"t": t + 10 + number, "event": kind, "taskId": f"t{task}", "tool": "Bash", "input": given}
                )
            block.append({"t": t + 3_000, "event": "review_decision", "taskId": f"t{task}", "decision": "approve"})
            block.append({"t": t + 3_001, "event": "worktree_merged", "taskId": f"t{task}"})
            block.append({"t": t + 3_002, "event": "task_completed", "taskId": f"t{task}"})
            block.append({"t": t + 3_003, "event": "spec_completion", "checked": min(40, task), "total": 40})
            text = "".join(json.dumps(each) + "\n" for each in block)
            stream.write(text)
            size += len(text)
            lines += len(block)
            t += 4_000
    return lines


def main() -> int:
    """Write a log, score it, and print the time and memory."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=1024)
    parser.add_argument("--folder", type=Path, help="where to write the log; there must be room for it")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        folder = Path(name)
        lines = write_log(folder / "event-log.jsonl", arguments.megabytes)
        (folder / "spec.md").write_text(SPEC, encoding="utf-8")
        megabytes = (folder / "event-log.jsonl").stat().st_size / 1024**2
        start = time.perf_counter()
        command = [sys.executable, "-m", "nerv", "benchmark", "score", name, "--no-history", "--json"]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LANG": "C.UTF-8"})
        seconds = time.perf_counter() - start
    if done.returncode not in (0, 1):
        print(done.stderr, file=sys.stderr)
        return 1
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    overall = json.loads(done.stdout)["overall"]
    print(f"{megabytes:.0f} MB, {lines:,} events: {seconds:.0f} s, {megabytes / seconds:.0f} MB/s")
    print(f"peak memory {peak:.0f} MB (promised: under {MOST_MB} MB); overall score {overall}")
    return 0 if peak < MOST_MB else 1


if __name__ == "__main__":
    sys.exit(main())
