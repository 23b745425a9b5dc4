"""`python -m server start`: starts all processes of a shop in order and keeps them running."""

import os
import shlex
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from types import FrameType

from server.config import Settings
from server.platform.processes.console import CommandRefused, report, say
from server.platform.processes.drop_privileges import NotPossible
from server.platform.processes.postgres import LONGEST_SOCKET_PATH, Postgres, PostgresFailed
from server.platform.processes.process import ChildProcess, LoadingProcess, StillRunning, wait_until
from server.platform.processes.shop_folder import hold
from server.run.database import embedded, look
from server.run.migrations import head
from server.run.startup_checks import (
    ask_for_first_page,
    check_contents,
    check_picture_folder,
    check_port,
    check_settings,
    is_listening,
    is_ready,
)

OUTSIDE_HOST = "127.0.0.1"
ROLES = ("The web process", "The worker process", "The reports process")
_MINUTES_TO_READY = 10
"""A web process reads a million products before it is ready."""
_SECONDS_BETWEEN_LOOKS = 0.1
_PAUSES = (0.2, 1, 2, 5, 10)
_SETTLED_AFTER = 30


class _Stop(KeyboardInterrupt):
    """Ctrl-C or SIGTERM: unwinds what is running.

    asyncio swallows what is raised in the middle of its callbacks, such as while the database is read, but not this.
    """


@dataclass(frozen=True)
class ProcessModules:
    """The Python modules of the shop's processes, with their arguments."""

    web: tuple[str, ...] = ("server", "web", "--settings-from-stdin")
    worker: tuple[str, ...] = ("server", "worker")
    reports: tuple[str, ...] = ("server", "reports")
    stand_ins: tuple[str, ...] = ("demo", "--settings-from-stdin")
    migration: tuple[str, ...] = ("server", "migrate")
    seeding: tuple[str, ...] = ("server", "seed")


@dataclass
class WatchedProcess:
    """A process that is restarted when it dies, after a pause that grows when it dies quickly."""

    name: str
    start: Callable[[], None]
    is_alive: Callable[[], bool]
    _deaths: int = field(default=0, init=False)
    _since: float = field(default_factory=time.monotonic, init=False)
    _due: float | None = field(default=None, init=False)

    def revive(self) -> None:
        """Notices the death of the process, and restarts it after the pause."""
        now = time.monotonic()
        if self._due is not None:
            if now >= self._due:
                self._start_again()
        elif not self.is_alive():
            self._deaths = 1 if now - self._since > _SETTLED_AFTER else self._deaths + 1
            pause = _PAUSES[min(self._deaths, len(_PAUSES)) - 1]
            self._due = now + pause
            report(f"{self.name} died; starting it again in {pause} s")

    def _start_again(self) -> None:
        self._due, self._since = None, time.monotonic()
        try:
            self.start()
        except (PostgresFailed, StillRunning, OSError) as error:
            # An OSError is usually a full disk, and may not recur.
            report(str(error))
        else:
            report(f"{self.name} runs again")


class Supervisor:
    """Runs one shop until it is stopped."""

    def __init__(self, settings: Settings, programs: ProcessModules, web: LoadingProcess | None = None) -> None:
        """`web` is the web process, if it loads already."""
        self.settings = settings
        self._programs = programs
        self._web = web
        self._postgres: Postgres | None = None
        self._children: list[ChildProcess] = []
        self._watched: list[WatchedProcess] = []
        self._sockets: Path | None = None
        self._is_demo = False

    def run(self) -> None:
        """Returns after Ctrl-C or SIGTERM. Raises CommandRefused when the shop cannot open."""
        check_settings(self.settings)
        with hold(self.settings.shop_data):
            _on_signal(self._stop)
            try:
                self._open()
                self._welcome()
                self._watch()
            except _Stop:
                report("Closing")
            except (PostgresFailed, StillRunning, NotPossible) as error:
                raise CommandRefused(str(error)) from error
            finally:
                _on_signal(self._hurry)
                self._close()
        report("Closed")

    def _open(self) -> None:
        self._stop_leftovers()
        postgres = None if self.settings.database_url else embedded(self.settings)
        url = postgres.url if postgres else self.settings.database_url
        here = {"DATABASE_URL": url, "REPORTS_SOCKET": self._reports_socket()}
        # It takes longest to load, so it loads while everything it needs is started.
        web = self._child("The web process", *self._programs.web, **here)
        self._keep(web, self._web, is_held=True)
        outside = self._start_stand_ins()
        if postgres:
            self._start_database(postgres)
        self._prepare(url)
        report("Starting the web process")
        web.release()
        host, port = _reachable(self.settings.host), self.settings.port
        self._await(web, lambda: is_ready(host, port))
        ask_for_first_page(host, port, self.settings.public_url)
        # Last, since no request waits for them.
        if outside:
            outside.release()
            self._await(outside, lambda: is_listening(OUTSIDE_HOST, self.settings.outside_port))
        self._keep(self._child("The worker process", *self._programs.worker, **here, **self._metrics_port(1)))
        self._keep(self._child("The reports process", *self._programs.reports, **here, **self._metrics_port(2)))

    def _metrics_ports(self) -> list[int]:
        """Those of the web, the worker and the reports process; empty without metrics."""
        return [self.settings.metrics_port + place for place in range(3)] if self.settings.metrics_port else []

    def _metrics_port(self, place: int) -> dict[str, str]:
        """That of another process than the web process."""
        ports = self._metrics_ports()
        return {"METRICS_PORT": str(ports[place])} if ports else {}

    def _reports_socket(self) -> str:
        """In SHOP_DATA, or in a folder of this run alone when that path would be too long for a socket."""
        beside = (self.settings.shop_data / "run" / "reports.sock").absolute()
        if self.settings.reports_socket:
            return self.settings.reports_socket
        if len(os.fsencode(beside)) <= LONGEST_SOCKET_PATH:
            return str(beside)
        self._sockets = Path(tempfile.mkdtemp(prefix="minimal-"))
        return str(self._sockets / "reports.sock")

    def _stop_leftovers(self) -> None:
        """Ends leftovers of a killed supervisor, then checks that the ports are free."""
        for name in (*ROLES, "The stand-ins", "Migration", "Seeding"):
            self._child(name).end_leftover()
        check_port(self.settings.host, self.settings.port, "PORT")
        for port in self._metrics_ports():
            check_port(self.settings.metrics_host, port, "METRICS_PORT")
        if self.settings.uses_stand_ins:
            check_port(OUTSIDE_HOST, self.settings.outside_port, "OUTSIDE_PORT")
            check_port(OUTSIDE_HOST, self.settings.outside_smtp_port, "OUTSIDE_SMTP_PORT")

    def _start_stand_ins(self) -> ChildProcess | None:
        parts = [
            *(["payments"] if self.settings.stand_in_payments else []),
            *(["Google"] if self.settings.stand_in_google else []),
            *(["mail"] if self.settings.stand_in_mail else []),
        ]
        if not parts:
            return None
        report(f"Starting the stand-ins for {', '.join(parts)}")
        child = self._child("The stand-ins", *self._programs.stand_ins)
        self._keep(child, is_held=True)
        return child

    def _start_database(self, postgres: Postgres) -> None:
        is_new = not postgres.data.exists()
        why = "" if postgres.home == postgres.folder.absolute() else " (PostgreSQL's user cannot reach SHOP_DATA)"
        report(f"{'Making' if is_new else 'Starting'} the database in {postgres.home}{why}")
        self._postgres = postgres
        postgres.start()
        self._watched.append(WatchedProcess("PostgreSQL", postgres.start, lambda: postgres.is_alive))

    def _prepare(self, url: str) -> None:
        contents = look(self.settings.direct_url or url)
        check_contents(self.settings, contents)
        check_picture_folder(self.settings, contents)
        self._is_demo = contents.is_demo
        if contents.revision != head():
            report("Migrating the database")
            self._do(self._child("Migration", *self._programs.migration, DATABASE_URL=url))
        if contents.is_empty and self.settings.demo and self.settings.uses_stand_ins:
            report("Filling the shop with the demo catalogue")
            self._do(self._child("Seeding", *self._programs.seeding, DATABASE_URL=url))
            self._is_demo = True

    def _welcome(self) -> None:
        report("The shop is open")
        say(f"\n  Shop      {self.settings.public_url}")
        say(f"  GraphiQL  {self.settings.public_url}/graphiql")
        if self.settings.uses_stand_ins:
            say(f"  Demo      {self.settings.outside_url}/demo: mailbox, payments, personas; all of it stays here")
        if self._is_demo:
            say("\n  owner@minimal.test    primary admin\n  admin@minimal.test    admin")
            say("  shopper@minimal.test  shopper\n  The password of all three is Minimal1!")
        say("\n  Ctrl-C closes it.\n")

    def _watch(self) -> None:
        while True:
            for watched in self._watched:
                watched.revive()
            time.sleep(_SECONDS_BETWEEN_LOOKS)

    def _close(self) -> None:
        """Stops the roles together, then what they need: they finish their work while the rest still runs."""
        roles = [child for child in self._children if child.name in ROLES]
        for child in roles:
            child.end()
        for child in (*roles, *reversed(self._children)):
            child.stop(patience=15)
        if self._sockets:
            shutil.rmtree(self._sockets, ignore_errors=True)
        if self._postgres:
            self._postgres.stop()

    def _stop(self, number: int, frame: FrameType | None) -> None:
        """Ends the run; further signals hurry the closing instead of raising in it."""
        _on_signal(self._hurry)
        raise _Stop

    def _hurry(self, number: int, frame: FrameType | None) -> None:
        """A second Ctrl-C while closing. The database is killed too; it recovers at the next start."""
        for child in self._children:
            child.kill_nowait()
        if self._postgres:
            self._postgres.kill_nowait()

    def _child(self, name: str, *command: str, **env: str) -> ChildProcess:
        """Passes on derived settings and those read from a file, since not every program derives them."""
        settings = {
            "PORT": str(self.settings.port),
            "PUBLIC_URL": self.settings.public_url,
            "SHOP_DATA": str(self.settings.shop_data),
            "OUTSIDE_PORT": str(self.settings.outside_port),
            "OUTSIDE_SMTP_PORT": str(self.settings.outside_smtp_port),
        }
        return ChildProcess(
            name=name,
            command=[sys.executable, "-m", *command],
            lock=self.settings.shop_data / "run" / f"{name.removeprefix('The ').split()[0].lower()}.lock",
            env={**os.environ, **settings, **env},
        )

    def _keep(self, child: ChildProcess, loading: LoadingProcess | None = None, *, is_held: bool = False) -> None:
        self._children.append(child)
        if loading:
            child.adopt(loading)
        else:
            child.start(is_held=is_held)
        self._watched.append(WatchedProcess(child.name, child.start, lambda: child.is_running))

    def _do(self, child: ChildProcess) -> None:
        self._children.append(child)
        child.start()
        if code := child.wait():
            raise CommandRefused(f"{child.name} failed (exit code {code}); the lines above say why.")
        self._children.remove(child)

    def _await(self, child: ChildProcess, ready: Callable[[], bool]) -> None:
        """Waits until it is ready.

        A killed child is restarted; one that exits by itself would exit again, and is not.
        """

        def settled() -> bool:
            if child.has_given_up:
                raise CommandRefused(f"{child.name} ended before it was ready; the lines above say why.")
            for watched in self._watched:
                watched.revive()
            return ready()

        for minutes in range(1, _MINUTES_TO_READY + 1):
            if wait_until(settled, 60, every=0.02):
                return
            report(f"{child.name} is not ready after {minutes} min")
        raise CommandRefused(f"{child.name} was not ready within {_MINUTES_TO_READY} min.")


def start(settings: Settings, web: LoadingProcess | None = None, *, reload: bool = False) -> None:
    """Opens the shop and keeps it open until Ctrl-C or SIGTERM. Raises CommandRefused when it cannot open.

    `web` is the web process, if it loads already.
    """
    programs = ProcessModules()
    if reload:
        if find_spec("watchfiles") is None:
            raise CommandRefused("--reload is for those who write the shop: `just dev` installs what it takes.")
        programs = ProcessModules(_reloading(programs.web), _reloading(programs.worker), _reloading(programs.reports))
    Supervisor(settings, programs, web).run()


def _reloading(program: tuple[str, ...]) -> tuple[str, ...]:
    command = shlex.join((sys.executable, "-m", *program))
    return ("watchfiles", "--filter", "python", "--target-type", "command", command, "server")


def _on_signal(handler: Callable[[int, FrameType | None], None]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, handler)


def _reachable(host: str) -> str:
    """The address at which this machine reaches a server that listens on all addresses."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104
