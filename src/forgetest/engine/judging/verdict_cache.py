"""Verdict cache: the same code for the same case under the same tools is judged once.

One SQLite file in WAL mode: a kill leaves a verdict complete or absent, and several processes share the file. It is
only a cache: where it cannot be read or written, samples are judged as if there were none.
See docs/decisions/0007-verdict-cache.md.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from forgetest.errors import UserError
from forgetest.files import locks
from forgetest.verdict import Verdict

FORMAT_VERSION = 1
FILENAME = f"verdicts-{FORMAT_VERSION}.sqlite"

_BUSY_S = 60.0
"""How long to wait for another process that is writing; a write takes less than a millisecond, on a machine
that is not busy."""
_PRUNED_TO = 0.9
"""Pruning goes below the limit by this factor, so that it is not needed again at once."""
_LOOK_EVERY = 500
"""Number of new verdicts after which the size is checked."""
_AT_ONCE = 200
"""Number of verdicts deleted in one transaction, so that other processes get their turn."""
_SMALL = 4096
"""Smallest size, in bytes, worth compressing: below it, unpacking takes longer than the rest of a lookup."""
_COMPRESSED = b"\x78"
"""First byte of zlib data, with which a packed map never begins."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS verdicts (
    key BLOB PRIMARY KEY,
    used INTEGER NOT NULL,  -- the day, so that reading seldom writes
    verdict BLOB NOT NULL
)
"""

# made where the module is imported: msgspec is not safe where two threads meet a type for the first time
_decoder = msgspec.msgpack.Decoder(Verdict)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictCacheContents:
    """Size of a cache."""

    path: Path
    verdicts: int
    bytes: int


class VerdictCache:
    """A cache open for reading and writing; safe to use from many threads, and beside other processes."""

    def __init__(self, folder: Path, max_bytes: int, announce: Callable[[str], None] = lambda _: None) -> None:
        """`announce` is called once with the reason where the cache cannot be used."""
        self.path = folder / FILENAME
        self.hits = 0
        self._max_bytes = max_bytes
        self._announce = announce
        self._lock = threading.Lock()
        self._new = 0
        self._database: sqlite3.Connection | None = None
        with self._without_failing():
            self._database = _open_database(self.path)

    def get(self, key: bytes) -> Verdict | None:
        """Return the cached verdict, or None."""
        return self.get_all((key,)).get(key)

    def get_all(self, keys: Collection[bytes]) -> dict[bytes, Verdict]:
        """Return the cached verdicts among these keys."""
        found: dict[bytes, Verdict] = {}
        with self._lock, self._without_failing():
            if self._database is not None:
                found = _look_up(self._database, keys)
                self.hits += sum(key in found for key in keys)
        return found

    def put(self, key: bytes, verdict: Verdict) -> Verdict:
        """Cache a verdict; return the one that counts, which is the first where the same code was judged twice."""
        data = _packed(verdict)
        with self._lock, self._without_failing():
            if self._database is None:
                return verdict
            if (known := _look_up(self._database, (key,)).get(key)) is not None:
                return known
            self._database.execute("INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?)", (key, _today(), data))
            self._new += 1
            if self._new % _LOOK_EVERY == 0:
                _prune_verdicts(self._database, self._max_bytes)
        return verdict

    def close(self) -> None:
        """Shrink the file to its limit, and close it."""
        with self._lock:
            with self._without_failing():
                if self._database is not None and self._new:
                    _prune_verdicts(self._database, self._max_bytes)
            self._close_database()  # with the lock: in a run that was given up, other threads may still be judging

    def _close_database(self) -> None:
        if self._database is not None:
            with contextlib.suppress(sqlite3.Error):
                self._database.close()
            self._database = None

    @contextlib.contextmanager
    def _without_failing(self) -> Iterator[None]:
        """Close the cache after an error, and announce that; a run goes on without it."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            self._close_database()
            self._announce(f"warning: {self.path}: {error}; verdicts are not kept")


def contents(folder: Path) -> VerdictCacheContents:
    """Return the size of the cache, without changing it."""
    path = folder / FILENAME
    if not path.exists():
        return VerdictCacheContents(path=path, verdicts=0, bytes=0)
    with _open_for_user(path) as database:
        (verdicts,) = database.execute("SELECT count(*) FROM verdicts").fetchone()
        return VerdictCacheContents(path=path, verdicts=verdicts, bytes=_verdict_bytes(database))


def prune(folder: Path, max_bytes: int) -> None:
    """Delete the least recently used verdicts until the rest takes at most `max_bytes`."""
    if (folder / FILENAME).exists():
        with _open_for_user(folder / FILENAME) as database:
            _prune_verdicts(database, max_bytes)


def clear(folder: Path) -> None:
    """Delete every verdict. A run in progress only sees cache misses."""
    if (folder / FILENAME).exists():
        with _open_for_user(folder / FILENAME) as database:
            database.execute("DELETE FROM verdicts")
            _shrink(database)


@contextlib.contextmanager
def _open_for_user(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file for a command that names it; errors are UserErrors."""
    try:
        with contextlib.closing(_open_database(path)) as database:
            yield database
    except (sqlite3.Error, OSError) as error:
        raise UserError(f"{path}: {error}") from error


def _open_database(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    # one process at a time: SQLite does not serialise creating a file and checking its integrity
    with locks.exclusive(path.with_suffix(".lock")):
        try:
            return _connect(path)
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                raise
            # nothing is lost that cannot be judged again
            for suffix in ("", "-wal", "-shm"):
                Path(f"{path}{suffix}").unlink(missing_ok=True)
            return _connect(path)


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
    try:
        os.chmod(path, 0o600)  # noqa: PTH101  (what models wrote is nobody else's business)
        database.execute("PRAGMA auto_vacuum = INCREMENTAL")
        database.execute("PRAGMA journal_mode = WAL")
        # a kill loses nothing; a power cut may lose the last verdicts, which are then found out again
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute(f"PRAGMA journal_size_limit = {16 << 20}")
        database.execute(_SCHEMA)
    except BaseException:
        database.close()
        raise
    return database


def _look_up(database: sqlite3.Connection, keys: Collection[bytes]) -> dict[bytes, Verdict]:
    found, today, places = {}, _today(), ", ".join("?" * len(keys))
    query = f"SELECT key, verdict, used FROM verdicts WHERE key IN ({places})"  # noqa: S608
    for key, verdict, used in database.execute(query, tuple(keys)).fetchall():
        with contextlib.suppress(zlib.error, msgspec.MsgspecError):  # else it is judged again, and replaced
            found[key] = _decoder.decode(zlib.decompress(verdict) if verdict[:1] == _COMPRESSED else verdict)
            if used < today:
                database.execute("UPDATE verdicts SET used = ? WHERE key = ?", (today, key))
    return found


def _packed(verdict: Verdict) -> bytes:
    data = msgspec.msgpack.encode(verdict)
    return data if len(data) < _SMALL else zlib.compress(data, 1)


def _prune_verdicts(database: sqlite3.Connection, max_bytes: int) -> None:
    if _verdict_bytes(database) <= max_bytes:
        return
    while _verdict_bytes(database) > max_bytes * _PRUNED_TO:
        oldest = "SELECT key FROM verdicts ORDER BY used, rowid LIMIT ?"
        if not database.execute(f"DELETE FROM verdicts WHERE key IN ({oldest})", (_AT_ONCE,)).rowcount:  # noqa: S608
            break
    _shrink(database)


def _shrink(database: sqlite3.Connection) -> None:
    # as a script: `execute` would stop after the first page
    database.executescript("PRAGMA incremental_vacuum")


def _verdict_bytes(database: sqlite3.Connection) -> int:
    """Return the space that verdicts take, whether or not the file has shrunk to it yet."""
    pages, free, page_size = (
        database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * page_size)


def _today() -> int:
    return int(time.time() // 86400)
