"""The connection to a Ray cluster: which nodes there are, and how many CPUs each has."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator
from typing import Any

from forgetest.errors import UserError

_OBJECT_STORE_BYTES = 100_000_000
"""Of a local cluster: groups and results are small, and no larger object is ever stored."""
_REACHABLE_S = 10.0


class Cluster:
    """A cluster: the one at an address, the one that this process is connected to, or a local one, started here."""

    def __init__(self, address: str | None, cpus: int | None) -> None:
        """Connect. `cpus`: of a local cluster; by default, those of this machine."""
        self.ray = import_ray()
        self._is_ours = not self.ray.is_initialized()
        self.name = address or "the local cluster"
        if self._is_ours:
            with _signal_handlers_kept():
                self._connect(address, cpus)

    def _connect(self, address: str | None, cpus: int | None) -> None:
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
        try:
            if address is not None:
                _check_reachable(address)
                self.ray.init(address=address, **quiet)
            else:
                os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
                self.ray.init(
                    address="local",
                    num_cpus=cpus or len(os.sched_getaffinity(0)),
                    include_dashboard=False,
                    object_store_memory=_OBJECT_STORE_BYTES,
                    **quiet,
                )
        except (
            Exception,
            SystemExit,
        ) as error:  # Ray ends a program whose cluster is silent, and has no class of error
            what = "a local Ray cluster could not be started" if address is None else f"--ray-address {address}"
            first = (str(error).splitlines() or [type(error).__name__])[0]
            raise UserError(f"{what}: {first}") from error

    def nodes(self) -> dict[str, int]:
        """Return how many CPUs each living node has, by its id."""
        return {
            node["NodeID"]: int(node["Resources"].get("CPU", 0))
            for node in self.ray.nodes()
            if node["Alive"] and node["Resources"].get("CPU", 0) >= 1
        }

    def close(self) -> None:
        """Disconnect; stop the cluster if it was started here."""
        if self._is_ours and self.ray.is_initialized():
            self.ray.shutdown()


def _check_reachable(address: str) -> None:
    """Raise an OSError if nothing listens at the address; Ray would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=_REACHABLE_S).close()


def import_ray() -> Any:
    """Import Ray, or say how to install it."""
    try:
        import ray
    except ImportError as error:
        raise UserError("the executor ray needs Ray: pip install 'forgetest[ray]'") from error
    return ray


@contextlib.contextmanager
def _signal_handlers_kept() -> Iterator[None]:
    """Keep the signal handlers of this program, which Ray replaces: Ctrl-C is ours."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)
