"""What a machine needs for a cluster, and where its parts come from."""

import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from server.platform.processes.console import CommandRefused, report
from server.platform.processes.drop_privileges import can, unprivileged
from server.platform.processes.postgres import Postgres
from tests.e2e.whole_shop import ROOT

DEBIAN = {"etcd": "etcd-server", "haproxy": "haproxy"}
"""The package that has each program."""
_SHARED = Path("/var/lib/minimal")


def missing_packages() -> list[str]:
    return [package for program, package in DEBIAN.items() if shutil.which(program) is None]


def check_packages() -> None:
    """Raises CommandRefused with the line that installs what is missing."""
    if missing := missing_packages():
        raise CommandRefused(f"A cluster needs what is not installed: apt-get install {' '.join(missing)}")


@dataclass(frozen=True)
class Machine:
    """Programs, and the user who runs etcd, Patroni, PostgreSQL and HAProxy."""

    folder: Path

    @cached_property
    def user(self) -> pwd.struct_passwd | None:
        """PostgreSQL refuses to run as root."""
        return unprivileged(self.folder) if os.geteuid() == 0 else None

    @cached_property
    def postgres_programs(self) -> Path:
        """The embedded PostgreSQL's, where that user reaches them."""
        return Path(Postgres(self.folder / "programs").program("postgres")).parent

    @cached_property
    def patroni(self) -> Path:
        """Patroni of the lock file's version, in an environment that the user reaches; made once for each version."""
        requirements = self._run("uv", "export", "--quiet", "--locked", "--only-group", "cluster", "--no-emit-project")
        home = _SHARED if self.user else Path.home() / ".cache" / "minimal"
        environment = home / f"patroni-{sha256(requirements.encode()).hexdigest()[:12]}"
        if not environment.exists():
            report("Installing Patroni")
            unfinished = environment.with_suffix(".unfinished")
            shutil.rmtree(unfinished, ignore_errors=True)
            home.mkdir(parents=True, exist_ok=True)
            self._run("uv", "venv", "--quiet", "--relocatable", "--python", self._python(), str(unfinished))
            (unfinished / "requirements.txt").write_text(requirements)
            install = ("uv", "pip", "install", "--quiet", "--python", str(unfinished / "bin" / "python"))
            self._run(*install, "--requirement", str(unfinished / "requirements.txt"))
            unfinished.chmod(0o755)
            unfinished.rename(environment)
        return environment / "bin" / "patroni"

    def _python(self) -> str:
        """One that the user may run: root's own may lie where nobody else looks."""
        for python in self._pythons():
            if self.user is None or can(self.user, python, "--version"):
                return python
        raise CommandRefused(f"User {self.user and self.user.pw_name} reaches no Python: apt-get install python3")

    def _pythons(self) -> Iterator[str]:
        yield str(Path(sys.executable).resolve())
        yield "/usr/bin/python3"

    def _run(self, *command: str) -> str:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise CommandRefused(f"{' '.join(command[:3])} failed:\n{done.stderr.strip()}")
        return done.stdout

    def give(self, folder: Path) -> Path:
        """Makes a folder of that user's own."""
        folder.mkdir(parents=True, exist_ok=True)
        if self.user is not None:
            os.chown(folder, self.user.pw_uid, self.user.pw_gid)
        folder.chmod(0o700)
        return folder
