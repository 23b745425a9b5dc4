"""A real PgBouncer that hands out connections by transaction, before a real PostgreSQL."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from server.platform.processes.drop_privileges import as_user, give, unprivileged
from server.platform.processes.postgres import DATABASE, ROLE, Postgres
from server.run.startup_checks import is_listening
from tests.ports import free_port

SERVER_CONNECTIONS = 4
"""Fewer than the shop's processes have open, so that every one of them serves many."""
SECONDS_TO_OPEN = 20

needs_pgbouncer = pytest.mark.skipif(
    shutil.which("pgbouncer") is None, reason="PgBouncer is not installed: apt-get install pgbouncer, as .ci/run does"
)


@dataclass(frozen=True)
class PgBouncer:
    url: str
    """Of the shop's database, through it."""


@contextmanager
def pgbouncer(postgres: Postgres, folder: Path) -> Iterator[PgBouncer]:
    """Serves until the end of the block, as a user who is not root."""
    folder.mkdir()
    user = unprivileged(postgres.home) if os.geteuid() == 0 else None
    give(folder, user)
    port = free_port()
    written = folder / "pgbouncer.ini"
    written.write_text(
        f"""
[databases]
{DATABASE} = host={postgres.socket_folder} user={ROLE}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {SERVER_CONNECTIONS}
max_client_conn = 500
"""
    )
    written.chmod(0o644)
    log = (folder / "log").open("wb")
    process = subprocess.Popen(
        [shutil.which("pgbouncer") or "pgbouncer", str(written)],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        **as_user(user),
    )
    try:
        deadline = time.monotonic() + SECONDS_TO_OPEN
        while not is_listening("127.0.0.1", port):
            assert process.poll() is None, Path(log.name).read_text()
            assert time.monotonic() < deadline, Path(log.name).read_text()
            time.sleep(0.05)
        yield PgBouncer(f"postgresql://{ROLE}@127.0.0.1:{port}/{DATABASE}")
    finally:
        process.terminate()
        process.wait(SECONDS_TO_OPEN)
        log.close()
