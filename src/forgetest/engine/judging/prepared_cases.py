"""Cases made ready for judging, each prepared once in a process."""

from __future__ import annotations

import contextlib
import hashlib
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import msgspec

from forgetest import language, plugins
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.errors import ForgetestError
from forgetest.evalset import Case
from forgetest.toolchains import Prepared, Toolchain
from forgetest.toolchains.programs import without_answers

_MOST_CASES = 4096
"""A program that builds cases without end must not fill the memory with prepared ones."""


def installed_toolchain(language: str) -> Toolchain:
    """Return the toolchain that is registered for a language."""
    toolchain: Toolchain = plugins.find("toolchains", language)
    return toolchain


class PreparedCases:
    """Prepares cases on first use. Thread-safe."""

    def __init__(
        self,
        runner: StepRunner,
        toolchain: Callable[[str], Toolchain] = installed_toolchain,
        memory: PreparationMemory | None = None,
    ) -> None:
        """`toolchain` finds the toolchain of a language; `memory` holds what others have prepared."""
        self._runner = runner
        self._find_toolchain = toolchain
        self._toolchains: dict[str, Toolchain] = {}
        self._memory = memory or PreparationMemory()

    def toolchain(self, language: str) -> Toolchain:
        """Return the toolchain of a language."""
        if language not in self._toolchains:
            self._toolchains[language] = self._find_toolchain(language)
        return self._toolchains[language]

    def prepare(self, case: Case) -> Prepared:
        """Return what preparing the case found out; the preparation runs once."""
        entry = self._memory.entry(case)
        with entry.lock:
            if entry.prepared is None:
                entry.prepared = self._runner.prepare(self.toolchain(case.language), without_answers(case))
            return entry.prepared

    def prepare_many(self, cases: Iterable[Case], slots: int = 1, is_over: threading.Event | None = None) -> None:
        """Prepare cases with as many threads as there are slots.

        What fails is left to `prepare`, which reports it; so is what another thread is preparing. Once `is_over` is
        set, or the caller is interrupted, no further case begins.
        """
        is_over = is_over or threading.Event()
        new = {self.digest(case): case for case in cases if self._memory.entry(case).prepared is None}
        if len(new) < 2 or slots < 2:
            for case in new.values():
                self._try_to_prepare(case, is_over)
            return
        pool = ThreadPoolExecutor(slots, thread_name_prefix="prepare")
        try:
            list(pool.map(lambda case: self._try_to_prepare(case, is_over), new.values()))
        except BaseException:
            is_over.set()
            raise
        finally:  # after Ctrl-C, whoever closes the sandbox ends the steps that still run
            pool.shutdown(wait=not is_over.is_set(), cancel_futures=True)

    def _try_to_prepare(self, case: Case, is_over: threading.Event) -> None:
        entry = self._memory.entry(case)
        if is_over.is_set() or not entry.lock.acquire(blocking=False):
            return
        try:
            with contextlib.suppress(ForgetestError, OSError):
                if entry.prepared is None:
                    entry.prepared = self._runner.prepare(self.toolchain(case.language), without_answers(case))
        except BaseException:
            is_over.set()  # before this thread takes another case
            raise
        finally:
            entry.lock.release()

    def digest(self, case: Case) -> bytes:
        """Return a hash of the case's content."""
        return self._memory.digest(case)


@contextlib.contextmanager
def prepare_ahead(cases: PreparedCases, wanted: Sequence[Case], slots: int) -> Iterator[None]:
    """Prepare cases in the order in which they are wanted, while the block runs: answers of models may take long."""
    is_over = threading.Event()

    def work() -> None:
        at_once = slots * language.most_together({case.language for case in wanted})
        for first in range(0, len(wanted), at_once):
            if is_over.is_set():
                return
            cases.prepare_many(wanted[first : first + at_once], slots, is_over)

    # a daemon: whoever needs a case that it has not reached prepares it
    threading.Thread(target=work, name="prepare-ahead", daemon=True).start()
    try:
        yield
    finally:
        is_over.set()


class _Entry:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.prepared: Prepared | None = None


class PreparationMemory:
    """Results of preparing cases. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._entries: OrderedDict[bytes, _Entry] = OrderedDict()
        self._digests: OrderedDict[int, tuple[Case, bytes]] = OrderedDict()

    def entry(self, case: Case) -> _Entry:
        """Return the entry of a case, by its content."""
        digest = self.digest(case)
        with self._lock:
            entry = self._entries.get(digest)
            if entry is None:
                entry = self._entries[digest] = _Entry()
                if len(self._entries) > _MOST_CASES:
                    self._entries.popitem(last=False)
            return entry

    def digest(self, case: Case) -> bytes:
        """Return a hash of the case's content; a case that is seen again is not encoded again."""
        known = self._digests.get(id(case))
        if known is not None:
            return known[1]
        digest = hashlib.sha256(msgspec.msgpack.encode(case)).digest()
        with self._lock:
            self._digests[id(case)] = case, digest  # holding the case keeps its id from being used again
            if len(self._digests) > _MOST_CASES:
                self._digests.popitem(last=False)
        return digest


_memories: weakref.WeakValueDictionary[Hashable, PreparationMemory] = weakref.WeakValueDictionary()
_memories_lock = threading.Lock()


def shared_memory(*identity: Hashable) -> PreparationMemory:
    """Return the memory that all users in this process share who prepare cases in the same way.

    Preparing a case takes milliseconds; a Grader and a worker in the same process would spend them twice.
    """
    with _memories_lock:
        memory = _memories.get(identity)
        if memory is None:
            memory = _memories[identity] = PreparationMemory()
        return memory
