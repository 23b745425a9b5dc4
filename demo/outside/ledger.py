"""The state of the stand-ins: one SQLite file, written to disk before a request is answered."""

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

Json = dict[str, Any]

TABLES = """
CREATE TABLE IF NOT EXISTS objects (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    created INTEGER NOT NULL,
    status TEXT,
    payment_intent TEXT,
    charge TEXT,
    body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS objects_by_kind ON objects (kind, seq);
CREATE INDEX IF NOT EXISTS objects_by_payment ON objects (payment_intent, kind) WHERE payment_intent IS NOT NULL;
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL, created REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    created REAL NOT NULL,
    due REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (due) WHERE state = 'pending';
CREATE INDEX IF NOT EXISTS deliveries_of_event ON deliveries (event);
CREATE TABLE IF NOT EXISTS attempts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    delivery INTEGER NOT NULL,
    at REAL NOT NULL,
    status INTEGER,
    error TEXT,
    ms INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS attempts_of_delivery ON attempts (delivery);
CREATE TABLE IF NOT EXISTS timers (what TEXT NOT NULL, id TEXT NOT NULL, due REAL NOT NULL, PRIMARY KEY (what, id));
CREATE INDEX IF NOT EXISTS timers_due ON timers (due);
CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS mail (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    received REAL NOT NULL,
    sender TEXT NOT NULL,
    recipients TEXT NOT NULL,
    raw BLOB NOT NULL
);
"""
KEPT_ON_RESET = frozenset({"google_keys"})


class Transaction:
    """One open transaction; everything in it becomes true together, or not at all."""

    def __init__(self, connection: sqlite3.Connection, request: Json | None = None) -> None:
        self._connection = connection
        self.request = request
        """Id and idempotency key of the API call that caused this; None without one."""

    def execute(self, sql: str, *values: object) -> sqlite3.Cursor:
        """Runs one SQL statement."""
        return self._connection.execute(sql, values)

    def put(self, body: Json) -> Json:
        """Adds the object, or replaces the one with its id. A session keeps its place in lists."""
        self.execute(
            "INSERT INTO objects (id, kind, created, status, payment_intent, charge, body)"
            " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
            " status = excluded.status, payment_intent = excluded.payment_intent, charge = excluded.charge,"
            " body = excluded.body",
            body["id"],
            body["object"],
            body["created"],
            body.get("status"),
            body.get("payment_intent"),
            body.get("charge"),
            json.dumps(body),
        )
        return body

    def get(self, kind: str, id: str) -> Json | None:
        """An object by kind and id; None when it does not exist."""
        row = self.execute("SELECT body FROM objects WHERE id = ? AND kind = ?", id, kind).fetchone()
        return json.loads(row[0]) if row else None

    def all(self, kind: str, where: str = "1", *values: object, order: str = "seq", limit: int = -1) -> list[Json]:
        """Objects of a kind in `order`. `where` and `order` are written here in the code, never by a caller outside."""
        sql = f"SELECT body FROM objects WHERE kind = ? AND {where} ORDER BY {order} LIMIT {limit}"  # noqa: S608
        return [json.loads(row[0]) for row in self.execute(sql, kind, *values)]

    def seq(self, kind: str, id: str) -> int | None:
        """An object's place in lists; None when it does not exist."""
        row = self.execute("SELECT seq FROM objects WHERE id = ? AND kind = ?", id, kind).fetchone()
        return int(row[0]) if row else None

    def note(self, name: str, default: Any = None) -> Any:
        """A stored setting, or the default."""
        row = self.execute("SELECT value FROM notes WHERE name = ?", name).fetchone()
        return json.loads(row[0]) if row else default

    def write_note(self, name: str, value: Any) -> None:
        """Stores a setting."""
        self.execute(
            "INSERT INTO notes VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            name,
            json.dumps(value),
        )

    def wind(self, what: str, id: str, due: float) -> None:
        """Sets a timer; the clock calls what it is for once `due` has come, also after a restart."""
        self.execute("INSERT OR REPLACE INTO timers VALUES (?, ?, ?)", what, id, due)

    def unwind(self, what: str, id: str) -> None:
        """Cancels a timer."""
        self.execute("DELETE FROM timers WHERE what = ? AND id = ?", what, id)


class Ledger:
    """Blocking and safe to use from any thread: one writer at a time, as in any ledger."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        self._lock = RLock()
        self._connection = sqlite3.connect(
            folder / "ledger.sqlite", isolation_level=None, check_same_thread=False, timeout=10
        )
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.executescript(TABLES)
        self.committed: Callable[[], None] = lambda: None

    @contextmanager
    def transaction(self, request: Json | None = None) -> Iterator[Transaction]:
        """Durable when the block ends without an exception; nothing of it happened otherwise."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield Transaction(self._connection, request)
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")
        self.committed()

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """A transaction for reads."""
        with self._lock:
            yield Transaction(self._connection)

    def reset(self) -> None:
        """Deletes everything but the signing keys."""
        with self.transaction() as tx:
            for table in ("objects", "answers", "deliveries", "attempts", "timers", "mail"):
                tx.execute(f"DELETE FROM {table}")  # noqa: S608
            notes = {name: tx.note(name) for name in KEPT_ON_RESET}
            tx.execute("DELETE FROM notes")
            for name, value in notes.items():
                if value is not None:
                    tx.write_note(name, value)

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._connection.close()


def now() -> int:
    """The present Unix time."""
    return int(time.time())
