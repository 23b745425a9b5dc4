"""Two real PostgreSQL servers: a primary, and a standby that replays what it streams, which may be promoted."""

import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import asyncpg

from server.platform.processes.drop_privileges import as_user
from server.platform.processes.postgres import Postgres


@dataclass
class Pair:
    """The standby is made of the primary as it is at that moment."""

    primary: Postgres
    folder: Path
    standby: Postgres = field(init=False)

    def __enter__(self) -> Self:
        self.standby = Postgres(self.folder)
        user = self.standby.user
        self.folder.mkdir(exist_ok=True)
        if user is not None:
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        # Peers are known by their user, who is the same here and there.
        with (self.primary.data / "pg_hba.conf").open("a") as rules:
            rules.write("local replication all peer map=shop\n")
        self._run("pg_ctl", "reload", "-D", str(self.primary.data))
        place = f"host={self.primary.socket_folder} user=minimal"
        self._run("pg_basebackup", "-d", place, "-D", str(self.standby.data), "-R", "-c", "fast", "-X", "stream")
        self.standby.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.standby.stop()

    def promote(self) -> None:
        """The standby is a primary from now on; the old one goes on as if nothing had happened."""
        self._run("pg_ctl", "promote", "-w", "-D", str(self.standby.data))

    async def pause(self) -> None:
        """The standby receives what happens, and does not replay it."""
        await self.tell("SELECT pg_wal_replay_pause()")
        while await self.tell("SELECT pg_get_wal_replay_pause_state()") != "paused":
            pass

    async def resume(self) -> None:
        await self.tell("SELECT pg_wal_replay_resume()")

    async def tell(self, statement: str) -> object:
        """Of the standby."""
        connection = await asyncpg.connect(self.standby.url)
        try:
            return await connection.fetchval(statement)
        finally:
            await connection.close()

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self.primary.program(program), *arguments],
            cwd=self.primary.home,
            capture_output=True,
            text=True,
            check=False,
            **as_user(self.primary.user),
        )
        assert done.returncode == 0, done.stdout + done.stderr
