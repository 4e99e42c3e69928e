"""Raw verdicts, kept by the content they follow from: the same code for the same case is judged once, ever.

One SQLite file in WAL mode: a verdict is there whole or not at all, whoever is killed when; processes share it.
It is only a cache: where it cannot be read or written, samples are judged as if there were none.
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
"""Pruning goes somewhat below the limit, so that it is not needed again at once."""
_LOOK_EVERY = 500
"""After how many new verdicts to look at the size."""
_AT_ONCE = 200
"""How many verdicts are deleted before others get their turn."""
_SMALL = 4096
"""Bytes; to compress less saves little room, and takes longer to unpack than all else that is done to find it."""
_COMPRESSED = b"\x78"
"""What zlib's data begins with, and a packed map never does."""

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
class Contents:
    """What is in a cache."""

    path: Path
    verdicts: int
    bytes: int


class VerdictCache:
    """A cache open for reading and writing; safe to use from many threads, and beside other processes."""

    def __init__(self, folder: Path, max_bytes: int, announce: Callable[[str], None] = lambda _: None) -> None:
        """`announce` is told, once, why the cache is not used where it cannot be."""
        self.path = folder / FILENAME
        self.hits = 0
        self._max_bytes = max_bytes
        self._announce = announce
        self._lock = threading.Lock()
        self._new = 0
        self._database: sqlite3.Connection | None = None
        with self._watched():
            self._database = _opened(self.path)

    def get(self, key: bytes) -> Verdict | None:
        """What was observed before, if it was."""
        return self.get_all((key,)).get(key)

    def get_all(self, keys: Collection[bytes]) -> dict[bytes, Verdict]:
        """What was observed before, of several at once."""
        found: dict[bytes, Verdict] = {}
        with self._lock, self._watched():
            if self._database is not None:
                found = _read(self._database, keys)
                self.hits += sum(key in found for key in keys)
        return found

    def put(self, key: bytes, verdict: Verdict) -> Verdict:
        """Keep a verdict; the one that counts: where the same code was judged twice at once, the first."""
        data = _packed(verdict)
        with self._lock, self._watched():
            if self._database is None:
                return verdict
            if (known := _read(self._database, (key,)).get(key)) is not None:
                return known
            self._database.execute("INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?)", (key, _today(), data))
            self._new += 1
            if self._new % _LOOK_EVERY == 0:
                _prune(self._database, self._max_bytes)
        return verdict

    def close(self) -> None:
        """Let go of the file, within its bounds."""
        with self._lock:
            with self._watched():
                if self._database is not None and self._new:
                    _prune(self._database, self._max_bytes)
            self._forget()  # still alone with it: in a run that was given up, others may be judging yet

    def _forget(self) -> None:
        if self._database is not None:
            with contextlib.suppress(sqlite3.Error):
                self._database.close()
            self._database = None

    @contextlib.contextmanager
    def _watched(self) -> Iterator[None]:
        """A cache that fails is done without: no run ends for its sake."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            self._forget()
            self._announce(f"warning: {self.path}: {error}; verdicts are not kept")


def contents(folder: Path) -> Contents:
    """What is in the cache, without changing it."""
    path = folder / FILENAME
    if not path.exists():
        return Contents(path=path, verdicts=0, bytes=0)
    with _told(path) as database:
        (verdicts,) = database.execute("SELECT count(*) FROM verdicts").fetchone()
        return Contents(path=path, verdicts=verdicts, bytes=_size(database))


def prune(folder: Path, max_bytes: int) -> None:
    """Delete those that were used longest ago until the rest takes at most that much."""
    if (folder / FILENAME).exists():
        with _told(folder / FILENAME) as database:
            _prune(database, max_bytes)


def clear(folder: Path) -> None:
    """Delete every verdict. Runs that are going on notice nothing but misses."""
    if (folder / FILENAME).exists():
        with _told(folder / FILENAME) as database:
            database.execute("DELETE FROM verdicts")
            _shrink(database)


@contextlib.contextmanager
def _told(path: Path) -> Iterator[sqlite3.Connection]:
    """The file, for a user who asked for it by name: what is wrong with it is said."""
    try:
        with contextlib.closing(_opened(path)) as database:
            yield database
    except (sqlite3.Error, OSError) as error:
        raise UserError(f"{path}: {error}") from error


def _opened(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    # one at a time: setting up a file and looking whether it is whole do not wait for each other by themselves
    with locks.exclusive(path.with_suffix(".lock")):
        try:
            return _connected(path)
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                raise
            # nothing is lost that cannot be found out again
            for suffix in ("", "-wal", "-shm"):
                Path(f"{path}{suffix}").unlink(missing_ok=True)
            return _connected(path)


def _connected(path: Path) -> sqlite3.Connection:
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


def _read(database: sqlite3.Connection, keys: Collection[bytes]) -> dict[bytes, Verdict]:
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


def _prune(database: sqlite3.Connection, max_bytes: int) -> None:
    if _size(database) <= max_bytes:
        return
    while _size(database) > max_bytes * _PRUNED_TO:
        oldest = "SELECT key FROM verdicts ORDER BY used, rowid LIMIT ?"
        if not database.execute(f"DELETE FROM verdicts WHERE key IN ({oldest})", (_AT_ONCE,)).rowcount:  # noqa: S608
            break
    _shrink(database)


def _shrink(database: sqlite3.Connection) -> None:
    # as a script: `execute` would stop after the first page
    database.executescript("PRAGMA incremental_vacuum")


def _size(database: sqlite3.Connection) -> int:
    """What the verdicts take, whether or not the file has shrunk to it yet."""
    pages, free, page_size = (
        database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * page_size)


def _today() -> int:
    return int(time.time() // 86400)
