"""`server web` and `server worker` of one shop as processes of their own, which may be killed."""

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.e2e.whole_shop import ROOT

KILLED = -9
ROLES = ("web", "worker")
SECONDS_TO_OPEN = 120


@dataclass
class Roles:
    """A shop on a database that is there."""

    port: int
    log: Path
    environment: Mapping[str, str]
    host: str = ""
    """The name that the shop answers to, where that is not this port's."""
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self) -> None:
        """Starts each that does not run. Returns when the web process is ready."""
        with self.log.open("ab") as log:
            for role in ROLES:
                if not self.is_running(role):
                    self.processes[role] = subprocess.Popen(
                        [sys.executable, "-m", "server", role],
                        cwd=ROOT,
                        env={**os.environ, **self.environment, "PORT": str(self.port)},
                        stdin=subprocess.DEVNULL,
                        stdout=log,
                        stderr=log,
                    )
        deadline = time.monotonic() + SECONDS_TO_OPEN
        while not self.is_ready():
            assert self.is_running("web"), self.log.read_text()[-4000:]
            assert time.monotonic() < deadline, "The web process does not start."
            time.sleep(0.05)

    def is_running(self, role: str) -> bool:
        return role in self.processes and self.processes[role].poll() is None

    def restart_killed(self) -> int:
        """Starts again what has died, and returns how many there were; each must have been killed."""
        dead = [process.returncode for process in self.processes.values() if process.poll() is not None]
        assert dead == [KILLED] * len(dead)
        if dead:
            self.start()
        return len(dead)

    def kill(self) -> None:
        for process in self.processes.values():
            process.kill()
            process.wait()

    def stop(self) -> None:
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            process.wait(30)

    def is_ready(self) -> bool:
        headers = {"host": self.host} if self.host else {}
        try:
            answer = httpx.get(
                f"http://127.0.0.1:{self.port}/readyz", headers=headers, timeout=5, trust_env=False, verify=False
            )
        except httpx.HTTPError:
            return False
        return answer.status_code == 200
