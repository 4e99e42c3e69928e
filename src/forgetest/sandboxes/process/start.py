"""Starting a step's process: the start gate, the descriptors it inherits, its cgroup and the watcher of its limits.

The same for every kind of sandbox. What a kind does itself while its process waits at the gate is `on_ready`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from forgetest.sandboxes.memory.cgroup import MemoryCgroup
from forgetest.sandboxes.memory.process_tree import TreeWatcher
from forgetest.sandboxes.process import exit_status, start_gate, supervise
from forgetest.sandboxes.process.parent import Parent
from forgetest.sandboxes.process.start_gate import StartGate
from forgetest.sandboxes.process.supervise import FinishedProcess, Supervision, Watcher
from forgetest.verdict import Step


class SandboxStart:
    """One start of a sandbox's process, as a context manager that closes its descriptors."""

    def __init__(
        self,
        step: Step,
        cgroup: MemoryCgroup | None,
        *,
        inherited: Sequence[int] = (),
        on_ready: Callable[[int], None] = start_gate.prefer_for_oom_kill,
        stop: Callable[[], None] = lambda: None,
    ) -> None:
        """`inherited`: further descriptors for the process, which are closed here.

        `on_ready` gets the id of the sandbox's first process while that waits at the gate, and may raise OSError.
        `stop` ends what killing the process group would leave.
        """
        self.began = False
        """True once the step was let through the gate."""
        self.first_process = 0
        """Id of the sandbox's first process on the host; 0 until it is known."""
        self._step = step
        self._cgroup = cgroup
        self._on_ready = on_ready
        self._stop = stop
        self._problem: OSError | None = None
        self._watcher: TreeWatcher | None = None
        self._gate = StartGate()
        status_reader, self.status_fd = os.pipe()
        self._status = os.fdopen(status_reader, "rb", buffering=0)
        self.gate_fd = self._gate.sandbox_end
        self._inherited = (self.gate_fd, self.status_fd, *inherited)
        self._handed_over = False

    def __enter__(self) -> SandboxStart:
        return self

    def __exit__(self, *_: object) -> None:
        if not self._handed_over:
            self._gate.our_end.close()
            self._status.close()
            for descriptor in self._inherited:
                os.close(descriptor)

    def run(
        self, argv: Sequence[str], *, env: Mapping[str, str], stdin: bytes, parent: Parent, in_cgroup: bool = True
    ) -> FinishedProcess:
        """Run the process to its end; `in_cgroup`: start it inside the cgroup, where the kernel supports that."""
        self._handed_over = True  # from here on, `supervise.run` closes the descriptors
        starts_inside = self._cgroup if in_cgroup else None
        return supervise.run(
            argv,
            env=env,
            stdin=stdin,
            wall_s=self._step.limits.wall_s,
            output_bytes=self._step.limits.output_bytes,
            supervision=Supervision(
                inherited=self._inherited,
                status=self._status,
                gate=self._gate.our_end,
                on_ready=self._begin,
                stop=self._stop,
            ),
            spawn=lambda popen: parent.spawn(popen, starts_inside.thread_inside if starts_inside else None),
        )

    @property
    def cpu_ms(self) -> float:
        """CPU time that all processes of the step have used, as far as the watcher saw it."""
        return self._watcher.cpu_s * 1000 if self._watcher else 0.0

    def memory_is_exhausted(self) -> bool:
        """True if the step has used up its memory; raises MachineryError if it was the machine that ran out."""
        return bool(self.began and self._cgroup and self._cgroup.is_exhausted(self._step.name))

    def failure(self, finished: FinishedProcess) -> str:
        """The reason why the sandbox failed, as far as it is known."""
        return exit_status.last_line(finished.stderr) or str(self._problem or finished.ended)

    def _begin(self, status: bytes) -> Watcher | None:
        self.first_process = start_gate.first_process(status)
        if not self.first_process:
            return None  # it ended before it reported anything, and id 0 would be this process
        try:
            self._on_ready(self.first_process)
            if self._cgroup:
                self._cgroup.add_process(self.first_process)
        except OSError as error:
            self._problem = error
            return None
        self.began = True
        cgroup = self._cgroup if self._cgroup and self._cgroup.is_occupied else None
        self._watcher = TreeWatcher(self.first_process, self._step.limits, cgroup)
        return self._watcher
