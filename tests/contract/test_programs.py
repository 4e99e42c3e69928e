"""The shipped contract of toolchains that run programs, held against every one of ours."""

from __future__ import annotations

from forgetest.testing.programs import ProgramsContract, ProgramSpecimen

PYTHON_SUM = "import sys\n\ntotal = sum(map(int, sys.stdin.read().split()))\n"


class TestPythonPrograms(ProgramsContract):
    specimen = ProgramSpecimen(
        language="python",
        right=PYTHON_SUM + "print(total)\n",
        wrong=PYTHON_SUM + "print(total + (total > 100))\n",
        broken=PYTHON_SUM + "print(total\n",
        exits=PYTHON_SUM + "print(total)\nsys.exit(3)\n",
        endless=PYTHON_SUM + "print(total, flush=True)\nwhile total > 100:\n    pass\n",
        floods="while True:\n    print('1' * 1000)\n",
        littering=PYTHON_SUM
        + "import os\n\nif not os.listdir('.'):\n    open('left', 'w').close()\n    print(total)\n",
        silent_child=PYTHON_SUM
        + "import os\n\nprint(total, flush=True)\ntry:\n    if not os.fork():\n        while True:\n            pass\n"
        "except OSError:\n    pass\n",
    )
