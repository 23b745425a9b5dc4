"""The shop's web processes as systemd runs them: by the unit files of deploy/, on one inherited socket."""

import asyncio
import os
import re
import shlex
import signal
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
PYTHON = "/opt/minimal/bin/python"
SECONDS_TO_START = 180
AS_SYSTEMD_DOES = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
os.execv(sys.argv[2], sys.argv[2:])
"""
"""The socket becomes descriptor 3, and the process is told by its number that it is its own."""


def unit(name: str) -> dict[str, list[str]]:
    """What a unit file says, by key."""
    said: dict[str, list[str]] = {}
    for key, value in re.findall(r"^(\w+)=(.*)$", (DEPLOY / name).read_text(), re.MULTILINE):
        said.setdefault(key, []).append(value)
    return said


def command(line: str) -> list[str]:
    """An Exec line of a unit file, with this checkout's Python."""
    return [sys.executable if word == PYTHON else word for word in shlex.split(line)]


@dataclass
class Units:
    """One socket and any number of processes behind it, numbered from 1."""

    port: int
    settings: Mapping[str, str]
    folder: Path
    """Where they log, and where they say that they are ready."""
    code: Path = ROOT
    processes: dict[int, asyncio.subprocess.Process] = field(default_factory=dict)
    exec_start: str = ""
    """Another ExecStart than the unit file's."""

    def __post_init__(self) -> None:
        # The database may name pictures whose files no test asks for.
        Path(self.settings["SHOP_DATA"], "images").mkdir(parents=True, exist_ok=True)
        self._service = unit("minimal-web@.service")
        self._door = socket.socket()
        self._door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._door.bind(("127.0.0.1", self.port))
        self._door.listen(int(unit("minimal-web.socket")["Backlog"][0]))

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def log(self) -> Path:
        return self.folder / "units.log"

    def environment(self, **more: str) -> dict[str, str]:
        variables = dict(pair.split("=", 1) for line in self._service["Environment"] for pair in line.split())
        return {**os.environ, **variables, **self.settings, "PORT": str(self.port), **more}

    async def run(self, name: str, code: Path | None = None) -> None:
        """One of `python -m server …`, to its end, as ExecStartPre does it."""
        words = self._before_start()
        await self._run([*words[: words.index("server") + 1], name], code)

    async def prepare(self, code: Path | None = None) -> None:
        """What comes before each start."""
        await self._run(self._before_start(), code)

    def _before_start(self) -> list[str]:
        [prepare] = self._service["ExecStartPre"]
        return command(prepare)

    async def _run(self, words: list[str], code: Path | None) -> None:
        with self.log.open("ab") as log:
            done = await asyncio.create_subprocess_exec(
                *words, cwd=code or self.code, env=self.environment(), stdout=log, stderr=log
            )
            assert await done.wait() == 0, self.log.read_text()[-4000:]

    async def start(self, number: int, code: Path | None = None) -> None:
        """Returns once the process has said that it is ready, as `systemctl start` does. Raises when it does not."""
        ready = self.folder / f"ready-{number}"
        ready.unlink(missing_ok=True)
        with (
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as notify_socket,
            self.log.open("ab") as log,
        ):
            notify_socket.bind(str(ready))
            started = command(self.exec_start or self._service["ExecStart"][0])
            if code and not (code / "server/run/web.py").exists():
                # A version whose only role was called otherwise.
                started = [*started[:-1], "serve"]
            self.processes[number] = process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-IS", "-c", AS_SYSTEMD_DOES, str(self._door.fileno()), *started),
                cwd=code or self.code,
                env=self.environment(NOTIFY_SOCKET=str(ready)),
                pass_fds=[self._door.fileno()],
                stdout=log,
                stderr=log,
            )
            async with asyncio.timeout(SECONDS_TO_START):
                while b"READY=1" not in _heard(notify_socket):
                    assert process.returncode is None, self.log.read_text()[-4000:]
                    await asyncio.sleep(0.02)

    async def stop(self, number: int, how: signal.Signals = signal.SIGTERM) -> None:
        """Returns when it is gone; systemd's patience with it depends on the unit file, a test's on the machine."""
        process = self.processes.pop(number)
        if process.returncode is None:
            process.send_signal(how)
        async with asyncio.timeout(SECONDS_TO_START):
            await process.wait()

    async def restart(self, number: int, how: signal.Signals = signal.SIGTERM) -> None:
        await self.stop(number, how)
        await self.start(number)

    async def close(self) -> None:
        """Ends everything; what is not gone in time is killed."""
        for number, process in list(self.processes.items()):
            try:
                await self.stop(number)
            except TimeoutError:
                with suppress(ProcessLookupError):
                    process.kill()
        self._door.close()


def _heard(notify_socket: socket.socket) -> bytes:
    try:
        return notify_socket.recv(4096)
    except BlockingIOError:
        return b""


def settings_for(port: int, database_url: str, data: Path, **more: Any) -> dict[str, str]:
    """What /etc/minimal.env says, for a shop on loopback."""
    blank = ("STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET", "GOOGLE_CLIENT_ID", "SMTP_URL")
    own = {
        "PUBLIC_URL": f"http://localhost:{port}",
        "DATABASE_URL": database_url,
        "SHOP_DATA": str(data),
        # Tests add to one cart for as long as they last.
        "MAX_PIECES_PER_VARIANT": "1000000",
    }
    return {**dict.fromkeys((*blank, "IMAGES_URL"), ""), **own, **{name: str(value) for name, value in more.items()}}
