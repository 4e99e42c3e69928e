"""Work that fills every core, to see what becomes of a reference solution on a busy machine."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator

# it ends with the process that started it, however that ends
_BUSY = "import os, sys\nwhile os.getppid() == int(sys.argv[1]):\n    sum(range(100_000))\n"


@contextlib.contextmanager
def busy_cores() -> Iterator[None]:
    """Keep as many processes busy as there are cores that this process may use."""
    processes = [
        subprocess.Popen([sys.executable, "-I", "-S", "-c", _BUSY, str(os.getpid())], stdin=subprocess.DEVNULL)
        for _ in os.sched_getaffinity(0)
    ]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()
