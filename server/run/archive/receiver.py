"""pg_receivewal as a child process: it writes the log of the database into a folder, the spool."""

import asyncio
import subprocess
import tempfile

import asyncpg
import structlog

from server.config import Settings
from server.run.archive.wal import PARTIAL, SEGMENT_BYTES
from server.run.database import ClientUrl, client_program

log = structlog.get_logger()

SLOT = "minimal_archive"
_HAS_SLOT = "SELECT EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = $1)"
_LEFT_BEHIND = ("is not in this server's history", "has already been removed", "can no longer")
"""PostgreSQL's errors when spool or slot continue where it has no log: after a failover, or too long a pause."""


class Receiver:
    """A replication slot has the database keep what has not been received."""

    def __init__(self, settings: Settings) -> None:
        self.spool = settings.shop_data.absolute() / "wal"
        self._url = ClientUrl.of(settings.database_url)
        self._program = client_program(settings, "pg_receivewal")
        self._process: subprocess.Popen[bytes] | None = None
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115, it is open as long as the child may write

    def _drop_unpadded(self) -> None:
        """Killed while it made a segment's file, it leaves that too short, with nothing in it, and then refuses it."""
        for file in self.spool.glob(f"*{PARTIAL}"):
            if file.stat().st_size not in (0, SEGMENT_BYTES):
                file.unlink()

    async def ensure(self) -> None:
        """Starts it, unless it runs: it ends with its connection. What is in the spool has been copied by then."""
        if self._process is not None:
            if self._process.poll() is None:
                return
            await self._react(self._said())
        if not await self._ask(_HAS_SLOT):
            await asyncio.to_thread(self._run, "--create-slot", "--if-not-exists")
            log.warning("archive.slot_made")
        self._start()

    def _start(self) -> None:
        self._drop_unpadded()
        self._errors.seek(0)
        self._errors.truncate()
        command = [*self._command(), f"--directory={self.spool}", "--synchronous", "--no-loop"]
        self._process = subprocess.Popen(command, env=self._url.environment, stderr=self._errors)

    async def _react(self, output: str) -> None:
        log.warning("archive.receiver_ended", problem=output[-300:])
        if not any(each in output for each in _LEFT_BEHIND):
            return
        files = list(self.spool.iterdir())
        for file in files:
            file.unlink()
        if not files:
            await self._ask("SELECT pg_drop_replication_slot($1)")

    def stop(self) -> None:
        """Ends it."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()

    def _said(self) -> str:
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace").strip()

    def _command(self) -> list[str]:
        return [self._program, f"--dbname={self._url.address}", f"--slot={SLOT}", "--no-password"]

    def _run(self, *arguments: str) -> None:
        command = [*self._command(), *arguments]
        subprocess.run(command, env=self._url.environment, check=True, stderr=subprocess.DEVNULL)

    async def _ask(self, question: str) -> object:
        connection = await asyncpg.connect(self._url.whole, timeout=5)
        try:
            return await connection.fetchval(question, SLOT, timeout=10)
        finally:
            await connection.close()
