"""Base backups: pg_basebackup into the bucket, and whether one leads to a consistent database."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import asyncpg
from obstore.exceptions import BaseError

from server.config import Settings
from server.run.archive.proof import LogReader, prove
from server.run.archive.sealed import BrokenBackup
from server.run.archive.store import BackupStore, BaseBackup
from server.run.archive.wal import LogInventory
from server.run.archive.waldump import CommitTimes
from server.run.database import ClientUrl, client_program

READ_BYTES = 1 << 20
ERRORS = (
    OSError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    BaseError,
    subprocess.CalledProcessError,
    BrokenBackup,
)
"""What a round may fail with; the next one tries again."""


def copy_cluster(store: BackupStore, settings: Settings, name: str) -> int:
    """Writes the whole cluster into one object; the number of its bytes in the bucket. Raises CalledProcessError."""
    url = ClientUrl.of(settings.database_url)
    command = [client_program(settings, "pg_basebackup"), f"--dbname={url.address}", "--pgdata=-", "--format=tar"]
    command += ["--wal-method=none", "--checkpoint=fast", "--no-password", "--manifest-checksums=SHA256"]
    with subprocess.Popen(command, env=url.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            store.write(name, _all_of(process, command))
        finally:
            process.kill()
    return store.size(name)


def check_pending(store: BackupStore, base: BaseBackup, there: LogInventory, waldump: str, folder: Path) -> str:
    """Reads the log that a base backup needs from the bucket. Returns what is missing; empty when nothing is."""
    chain = there.chain(base.timeline, base.start, base.stop, base.timeline)
    if chain is None:
        return f"timeline {base.timeline} was left"
    with TemporaryDirectory(dir=folder) as place:
        proof = prove(LogReader(store, waldump, Path(place)), base, chain, CommitTimes())
    return "" if proof.is_usable else str(proof.chain.hole or "the log ends before it is consistent")


def _all_of(process: "subprocess.Popen[bytes]", command: list[str]) -> Iterator[bytes]:
    """What a program writes. Raises CalledProcessError when it fails, so that what it wrote by then is not kept."""
    assert process.stdout is not None  # noqa: S101
    while part := process.stdout.read(READ_BYTES):
        yield part
    if process.wait():
        raise subprocess.CalledProcessError(process.returncode, command[0])
