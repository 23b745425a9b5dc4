"""A whole cluster on one machine, of real parts: each its own process, which may be killed and is started again."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from server.platform.processes.console import CommandRefused, report
from server.platform.processes.process import ChildProcess, wait_until
from tests.cluster import configuration
from tests.cluster.configuration import BALANCERS, DATABASE, NODES, ROLE, WEBS, WORKERS, Ports
from tests.cluster.machine import Machine, check_packages
from tests.e2e.whole_shop import ROOT

FIRST_PORT = 31_100
SECONDS_TO_OPEN = 180
SECONDS_TO_END = 10
BUCKET = "pictures"
POOL_SIZE, MAX_OVERFLOW = 8, 4
S3 = {
    "AWS_ACCESS_KEY_ID": "key",
    "AWS_SECRET_ACCESS_KEY": "secret",
    "AWS_REGION": "us-east-1",
    "AWS_ALLOW_HTTP": "true",
}


@dataclass
class Cluster:
    """Three etcd, three PostgreSQL under Patroni, two HAProxy, S3, the stand-ins, and the shop's processes.

    With `is_cuttable` each PostgreSQL has a network of its own that can be cut. Must be used in the main thread.
    """

    folder: Path
    first_port: int = FIRST_PORT
    demo: bool = True
    is_cuttable: bool = False
    settings: Mapping[str, str] = field(default_factory=dict)
    processes: dict[str, ChildProcess] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ports = Ports(self.first_port)
        self.machine = Machine(self.folder)
        self.data = self.folder / "shop"
        self.logs = self.folder / "logs"

    @property
    def url(self) -> str:
        """What shoppers type."""
        return f"http://localhost:{self.ports.shop(1)}"

    @property
    def database_url(self) -> str:
        """The primary, through whichever balancer lives."""
        return self._through(self.ports.primary) + "&target_session_attrs=read-write"

    @property
    def environment(self) -> dict[str, str]:
        """Of the shop's processes."""
        return {
            **os.environ,
            **dict.fromkeys(("STRIPE_SECRET_KEY", "GOOGLE_CLIENT_ID", "SMTP_URL"), ""),
            **S3,
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.ports.s3}",
            "IMAGES_URL": f"s3://{BUCKET}",
            "MAX_PIECES_PER_VARIANT": "1000000",
            "HOST": "127.0.0.1",
            "PUBLIC_URL": self.url,
            "ALLOWED_HOSTS": ",".join(f"localhost:{self.ports.shop(each)}" for each in BALANCERS),
            "TRUSTED_PROXIES": "127.0.0.1",
            "SHOP_DATA": str(self.data),
            "DATABASE_URL": self.database_url,
            "DATABASE_READER_URL": self._through(self.ports.readers),
            "DATABASE_POOL_SIZE": str(POOL_SIZE),
            "DATABASE_MAX_OVERFLOW": str(MAX_OVERFLOW),
            "OUTSIDE_PORT": str(self.ports.outside),
            "OUTSIDE_SMTP_PORT": str(self.ports.smtp),
            "REPORTS_SOCKET": str(self.data / "reports.sock"),
            "DEMO": str(self.demo).lower(),
            **self.settings,
        }

    def start(self) -> None:
        """Returns when the shop is open. Raises CommandRefused with the log of what does not start."""
        check_packages()
        for folder in (self.data, self.logs):
            folder.mkdir(parents=True, exist_ok=True)
        self._check_ports()
        programs, patroni = self.machine.postgres_programs, self.machine.patroni
        report("Starting three etcd, S3 and the stand-ins")
        for node in NODES:
            self._as_user(f"etcd{node}", "etcd", *configuration.etcd(self.ports, node, self._own(f"etcd{node}")))
        self._python("s3", "moto.server", "-H", "127.0.0.1", "-p", str(self.ports.s3))
        self._python("stand-ins", "demo.outside")
        self._until("etcd1", lambda: self.etcd_leader() is not None)
        report("Starting three PostgreSQL under Patroni, and two HAProxy")
        for node in NODES:
            if self.is_cuttable:
                self._python(f"network{node}", "tests.cluster.network", *self._network(node))
            home = self._own(f"postgres{node}")
            file = self._written(
                home / "patroni.yml",
                configuration.patroni(self.ports, node, home, programs, is_cuttable=self.is_cuttable),
            )
            self._as_user(f"patroni{node}", str(patroni), str(file))
        for balancer in BALANCERS:
            home = self._own(f"haproxy{balancer}")
            text = configuration.haproxy(self.ports, balancer, is_cuttable=self.is_cuttable)
            self._as_user(f"haproxy{balancer}", "haproxy", "-f", str(self._written(home / "haproxy.cfg", text)))
        self._until("patroni1", lambda: self.primary() is not None)
        self._create_database()
        self._until("haproxy1", lambda: _answers_on(self.ports.primary(1)))
        self._open()

    def _open(self) -> None:
        self._create_bucket()
        report("Migrating the database")
        self._do("migrate")
        if self.demo:
            report("Filling the shop with the demo catalogue")
            self._do("seed")
        report("Starting three web processes, two workers and one for reports")
        for number in WEBS:
            self._shop("web", f"web{number}", number, PORT=str(self.ports.web(number)))
        for number in WORKERS:
            self._shop("worker", f"worker{number}", 3 + number)
        self._shop("reports", "reports", 6)
        for number in WEBS:
            self._until(f"web{number}", lambda number=number: self.is_ready(number))  # type: ignore[misc]
        self._until("haproxy1", lambda: all(_has_page(self.ports.shop(each), self.url) for each in BALANCERS))

    def stop(self) -> None:
        """Ends everything: the shop first, then what it needs."""
        ends = ("web", "worker", "reports", "haproxy", "patroni", "stand-ins", "s3", "network", "etcd")
        for kind in ends:
            some = [child for name, child in self.processes.items() if name.startswith(kind)]
            for child in some:
                with suppress(ProcessLookupError):
                    os.kill(child.pid, signal.SIGCONT)
                child.end()
            for child in some:
                child.stop(patience=15)
        for node in NODES:
            self.kill_postgres(node)
        # Their connections end by themselves, and may write until then.
        wait_until(lambda: not any(map(self._has_postgres, NODES)), SECONDS_TO_END, every=0.1)

    def primary(self) -> int | None:
        """The node whose Patroni says that it is the primary; None while nobody does."""
        return next((node for node in NODES if self._is(node, "primary")), None)

    def standbys(self) -> list[int]:
        return [node for node in NODES if self._is(node, "replica")]

    def synchronous(self) -> list[int]:
        """The standbys that have whatever was acknowledged. Patroni makes no other one the primary."""
        return [node for node in NODES if self._is(node, "synchronous")]

    def _is(self, node: int, role: str) -> bool:
        try:
            answer = httpx.get(f"http://127.0.0.1:{self.ports.patroni(node)}/{role}", timeout=1, trust_env=False)
        except httpx.TransportError:
            return False
        return answer.status_code == 200

    def etcd_leader(self) -> int | None:
        """The number of the etcd that leads; None while none does."""
        for node in NODES:
            try:
                url = f"http://127.0.0.1:{self.ports.etcd(node)}/v3/maintenance/status"
                status = httpx.post(url, json={}, timeout=1, trust_env=False).json()
            except (httpx.TransportError, ValueError):
                continue
            if status.get("leader", "0") == status["header"]["member_id"]:
                return node
        return None

    def is_ready(self, web: int) -> bool:
        return _has_page(self.ports.web(web), self.url, "/readyz")

    def is_running(self, name: str) -> bool:
        return self.processes[name].is_running

    def kill(self, name: str) -> None:
        """kill -9 of one process."""
        self.processes[name].kill()

    def kill_postgres(self, node: int) -> None:
        """kill -9 of the postmaster, whose connections end with it."""
        with suppress(OSError, ValueError, IndexError):
            pid = int((self.folder / f"postgres{node}" / "data" / "postmaster.pid").read_text().split()[0])
            os.kill(pid, signal.SIGKILL)

    def _has_postgres(self, node: int) -> bool:
        data = str(self.folder / f"postgres{node}" / "data")
        with suppress(OSError):
            return any(_working_folder(each) == data for each in Path("/proc").iterdir() if each.name.isdigit())
        return False

    def signal(self, name: str, number: signal.Signals) -> None:
        os.kill(self.processes[name].pid, number)

    def revive(self) -> list[str]:
        """Starts again what has died, as systemd would. Returns what that was."""
        dead = [name for name, child in self.processes.items() if not child.is_running]
        for name in dead:
            self.processes[name].start()
        return dead

    def migrate(self, code: Path) -> None:
        """To the tables of another version of the shop."""
        self._do("migrate", code)

    def log_of(self, name: str) -> Path:
        return self.logs / f"{name}.log"

    def _shop(self, role: str, name: str, place: int, **settings: str) -> None:
        # `web` and the others end by themselves when this process ends.
        self._python(name, "server", role, METRICS_PORT=str(self.ports.metrics(place)), **settings)

    def _python(self, name: str, *command: str, **settings: str) -> None:
        self._start(name, [sys.executable, "-m", *command], {**self.environment, **settings}, ROOT)

    def _as_user(self, name: str, *command: str) -> None:
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LC_ALL": "C.UTF-8", "TZ": "UTC"}
        self._start(name, list(command), environment, self.folder, is_given_up=True)

    def _start(
        self, name: str, command: list[str], env: Mapping[str, str], folder: Path, *, is_given_up: bool = False
    ) -> None:
        child = ChildProcess(
            name=name,
            command=command,
            lock=self.folder / "locks" / name,
            env=env,
            folder=folder,
            user=self.machine.user if is_given_up else None,
            output=self.log_of(name).open("ab"),
        )
        child.start()
        self.processes[name] = child

    def _do(self, command: str, code: Path = ROOT) -> None:
        with self.log_of(command).open("ab") as log:
            arguments = [sys.executable, "-m", "server", command]
            done = subprocess.run(arguments, cwd=code, env=self.environment, stdout=log, stderr=log, check=False)
        if done.returncode:
            raise CommandRefused(f"server {command} failed:\n{self.log_of(command).read_text()[-3000:]}")

    def _until(self, name: str, condition: Callable[[], bool]) -> None:
        if not wait_until(condition, SECONDS_TO_OPEN, every=0.1):
            raise CommandRefused(f"{name} does not start:\n{self.log_of(name).read_text()[-3000:]}")

    def _own(self, name: str) -> Path:
        return self.machine.give(self.folder / name)

    def _written(self, path: Path, text: str) -> Path:
        path.write_text(text)
        path.chmod(0o644)
        return path

    def _network(self, node: int) -> list[str]:
        own = [self.ports.postgres(node), self.ports.patroni(node)]
        etcd = [f"{self.ports.etcd_of(node, each)}:{self.ports.etcd(each)}" for each in NODES]
        return [*(f"{self.ports.seen(port, node)}:{port}" for port in own), *etcd]

    def _through(self, port: Callable[[int], int]) -> str:
        hosts, ports = ",".join("127.0.0.1" for _ in BALANCERS), ",".join(str(port(each)) for each in BALANCERS)
        return f"postgresql://{ROLE}@/{DATABASE}?host={hosts}&port={ports}"

    def _create_database(self) -> None:
        primary = self.primary()
        assert primary is not None
        for statement in (f"CREATE ROLE {ROLE} LOGIN", f"CREATE DATABASE {DATABASE} OWNER {ROLE}"):
            place = f"host=127.0.0.1 port={self.ports.postgres(primary)} user=postgres dbname=postgres"
            command = [str(self.machine.postgres_programs / "psql"), place, "-qc", statement]
            subprocess.run(command, check=True, capture_output=True)

    def _create_bucket(self) -> None:
        url = f"http://127.0.0.1:{self.ports.s3}/{BUCKET}"
        self._until("s3", lambda: _answers_on(self.ports.s3))
        httpx.put(url, trust_env=False, timeout=30).raise_for_status()

    def _check_ports(self) -> None:
        for port in (self.ports.shop(1), self.ports.outside, self.ports.s3, *map(self.ports.postgres, NODES)):
            if _answers_on(port):
                raise CommandRefused(f"Port {port} is taken. Another first port: just cluster --port 29000")


@contextmanager
def a_cluster(**how: object) -> Iterator[Cluster]:
    """One that is open for the time of the block, in a folder that is thrown away."""
    with TemporaryDirectory(prefix="minimal-cluster-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        cluster = Cluster(Path(folder), **how)  # type: ignore[arg-type]
        try:
            cluster.start()
            yield cluster
        finally:
            cluster.stop()


def _working_folder(process: Path) -> str:
    try:
        return os.readlink(process / "cwd")
    except OSError:
        return ""


def _answers_on(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _has_page(port: int, url: str, path: str = "/") -> bool:
    headers = {"host": url.removeprefix("http://")}
    try:
        return httpx.get(f"http://127.0.0.1:{port}{path}", headers=headers, timeout=5, trust_env=False).is_success
    except httpx.TransportError:
        return False
