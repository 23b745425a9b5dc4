"""The supervisor: startup errors, restarts, and stopping in order; its programs are replaced by tiny ones."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from server.platform.processes.process import ChildProcess, LoadingProcess, is_locked, wait_until
from server.run import supervisor
from tests.e2e.whole_shop import WholeShop
from tests.folders import temporary_folder
from tests.ports import free_ports

pytestmark = [pytest.mark.slow, pytest.mark.io_bound]

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class TinyShop:
    """A supervisor with tiny children; what it says is kept in `log`."""

    data: Path
    settings: dict[str, str] = field(default_factory=dict)
    broken: tuple[str, ...] = ()
    ports: list[int] = field(default_factory=lambda: free_ports(2))
    process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> Path:
        return self.data.with_suffix(".log")

    @property
    def said(self) -> str:
        return self.log.read_text()

    def begin(self) -> None:
        shop = WholeShop(self.data, self.settings, self.ports)
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.run.tiny.supervisor", *self.broken],
                cwd=ROOT,
                env={**shop.environment, "OUTSIDE_PORT": str(self.ports[1]), **self.settings},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def open(self) -> None:
        self.begin()
        assert self.says("Ctrl-C closes it"), self.said

    def refusal(self) -> str:
        """What it says when it ends by itself with code 1."""
        self.begin()
        assert self.process is not None
        assert self.process.wait(30) == 1
        return self.said

    def says(self, text: str) -> bool:
        return wait_until(lambda: text in self.said, 20, every=0.05)

    def send(self, number: signal.Signals) -> int:
        assert self.process is not None
        self.process.send_signal(number)
        return self.process.wait(30)

    def server_pid(self) -> int:
        """As the server itself says it; 0 while it does not answer."""
        try:
            return int(httpx.get(f"http://127.0.0.1:{self.ports[0]}/", trust_env=False).text)
        except httpx.TransportError:
            return 0

    def postgres_pid(self) -> int:
        return int((self.data / "postgres/data/postmaster.pid").read_text().split()[0])


@pytest.fixture
def tiny() -> Iterator[TinyShop]:
    with temporary_folder() as folder:
        shop = TinyShop(folder / "shop")
        yield shop
        if shop.process is not None and shop.process.poll() is None:
            shop.send(signal.SIGTERM)


def test_opens_in_order_and_says_where(tiny: TinyShop) -> None:
    tiny.open()

    steps = [
        "stand-ins for payments, Google, mail",
        "Making the database",
        "Migrating",
        "Starting the web process",
        "open",
    ]
    places = [tiny.said.index(step) for step in steps]
    assert places == sorted(places)
    assert f"http://localhost:{tiny.ports[0]}/graphiql" in tiny.said
    assert f"http://localhost:{tiny.ports[1]}/demo" in tiny.said


def test_the_web_process_loads_while_the_database_is_prepared_and_serves_afterwards(tiny: TinyShop) -> None:
    tiny.open()

    assert "Migrating while the web process loads\n" in tiny.said


def test_the_first_page_is_drawn_before_processes_start_for_which_nobody_waits(tiny: TinyShop) -> None:
    tiny.settings = {"PUBLIC_URL": "http://localhost:4711"}

    tiny.open()

    place = tiny.said.index("PORT was asked for the first page of localhost:4711\n")
    assert place < tiny.said.index("The shop is open")
    assert wait_until(lambda: tiny.said.count("Idle\n") == 2, 20)
    assert place < tiny.said.index("Idle\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_closes_the_server_then_the_stand_ins_then_the_database(
    tiny: TinyShop, number: signal.Signals
) -> None:
    tiny.open()

    code = tiny.send(number)

    assert code == 0
    assert tiny.said.index("OUTSIDE_PORT leaves") > tiny.said.index("PORT leaves")
    assert "database system is shut down" in (tiny.data / "postgres/log").read_text()
    assert not (tiny.data / "postgres/data/postmaster.pid").exists()


def test_a_second_signal_hurries_however_soon_it_comes(tiny: TinyShop) -> None:
    tiny.open()
    assert tiny.process is not None

    for _ in range(2):
        tiny.process.send_signal(signal.SIGTERM)

    assert tiny.process.wait(30) == 0
    assert tiny.said.rstrip().endswith("Closed")
    assert not is_locked(tiny.data / "run/web.lock")


def test_a_signal_in_the_middle_of_reading_the_database_is_not_lost() -> None:
    class Interrupted(asyncio.Protocol):
        def data_received(self, data: bytes) -> None:
            raise supervisor._Stop

    async def read() -> None:
        near, far = socket.socketpair()
        await asyncio.get_running_loop().create_connection(Interrupted, sock=near)
        far.send(b"rows")
        await asyncio.sleep(5)

    with pytest.raises(supervisor._Stop):
        asyncio.run(read())


def test_a_child_can_be_ended_from_within_the_wait_for_it(tmp_path: Path) -> None:
    child = ChildProcess(
        "A sleeper", [sys.executable, "-c", "import time; time.sleep(60)"], tmp_path / "lock", os.environ
    )
    child.start()
    assert child.process is not None

    with child.process._waitpid_lock:  # type: ignore[attr-defined]
        striking = threading.Thread(target=child.kill_nowait, daemon=True)
        striking.start()
        striking.join(5)

    assert not striking.is_alive()
    assert child.wait() == -signal.SIGKILL


def test_a_held_child_waits_until_released_and_a_restarted_one_does_not(tmp_path: Path) -> None:
    said = tmp_path / "said"
    program = f"import sys; sys.stdin.read(); open({str(said)!r}, 'a').write('began ')"
    child = ChildProcess("A child", [sys.executable, "-c", program], tmp_path / "lock", os.environ)
    child.start(is_held=True)

    waited = not wait_until(lambda: not child.is_running, 0.3)
    child.release()
    ended = child.wait()
    child.start(is_held=True)
    child.kill()
    child.release()
    child.start()

    assert (waited, ended, child.wait(), said.read_text()) == (True, 0, 0, "began began ")


LOADING = """
import os, signal
from server.platform.processes.process import wait_for_settings
wait_for_settings()
open(os.environ["SAID"], "w").write(f"begins at {os.environ['PORT']}")
signal.pause()
"""


def test_a_loading_child_begins_with_its_settings_once_it_is_released(tmp_path: Path) -> None:
    said, lock = tmp_path / "said", tmp_path / "lock"
    loading = LoadingProcess(sys.executable, "-c", LOADING)
    child = ChildProcess("A child", ["nothing"], lock, {**os.environ, "PORT": "4711", "SAID": str(said)})

    child.adopt(loading)
    waited = not wait_until(said.exists, 0.5)
    child.release()

    assert waited
    assert wait_until(lambda: said.exists() and said.read_text() == "begins at 4711", 10)
    assert child.pid == loading.process.pid == int(lock.read_text())
    assert is_locked(lock)
    child.kill()
    assert not is_locked(lock)


def test_a_child_that_loads_for_nothing_ends_without_having_begun(tmp_path: Path) -> None:
    said = tmp_path / "said"
    program = f"import os; os.environ['PORT'] = 'none'; os.environ['SAID'] = {str(said)!r}\n{LOADING}"
    loading = LoadingProcess(sys.executable, "-c", program)

    loading.release()

    assert loading.process.wait(10) == 0
    assert not said.exists()


def test_a_child_that_fails_while_it_loads_has_given_up(tmp_path: Path) -> None:
    loading = LoadingProcess(sys.executable, "-c", "raise SystemExit(3)")
    loading.process.wait(10)
    child = ChildProcess("A child", ["nothing"], tmp_path / "lock", {**os.environ, "PORT": "4711"})

    child.adopt(loading)
    child.release()

    assert child.has_given_up


def test_starts_a_killed_server_again(tiny: TinyShop) -> None:
    tiny.open()
    killed = tiny.server_pid()

    os.kill(killed, signal.SIGKILL)

    assert wait_until(lambda: tiny.server_pid() not in (0, killed), 10, every=0.05)
    assert tiny.says("The web process died; starting it again in 0.2 s")
    assert tiny.says("The web process runs again")


@pytest.mark.parametrize("role", ["worker", "reports"])
def test_starts_the_killed_process_of_another_role_again(tiny: TinyShop, role: str) -> None:
    tiny.open()
    lock = tiny.data / f"run/{role}.lock"
    killed = int(lock.read_text())

    os.kill(killed, signal.SIGKILL)

    assert tiny.says(f"The {role} process runs again")
    assert wait_until(lambda: lock.read_text().strip() not in ("", str(killed)), 10, every=0.05)
    assert tiny.server_pid() != 0


def test_starts_a_killed_database_again(tiny: TinyShop) -> None:
    tiny.open()
    killed = tiny.postgres_pid()

    os.kill(killed, signal.SIGKILL)

    assert tiny.says("PostgreSQL runs again")
    assert tiny.postgres_pid() != killed


def test_starts_a_server_again_that_is_killed_before_it_is_ready(tiny: TinyShop) -> None:
    tiny.begin()
    assert tiny.says("Starting the web process")
    lock = tiny.data / "run/web.lock"
    assert wait_until(lambda: lock.exists() and lock.read_text().strip().isdigit(), 5)
    os.kill(int(lock.read_text()), signal.SIGKILL)

    assert tiny.says("The web process died")
    assert tiny.says("Ctrl-C closes it")
    assert wait_until(lambda: tiny.server_pid() != 0, 10, every=0.05)


def test_waits_longer_each_time_a_process_dies_young(tiny: TinyShop) -> None:
    tiny.open()

    for pause in ("0.2", "1", "2"):
        wait_until(lambda: tiny.server_pid() != 0, 10, every=0.05)
        os.kill(tiny.server_pid(), signal.SIGKILL)
        assert tiny.says(f"The web process died; starting it again in {pause} s")


def test_a_killed_supervisor_leaves_nothing_that_a_new_start_minds(tiny: TinyShop) -> None:
    tiny.open()
    first = tiny.server_pid()
    assert tiny.process is not None
    tiny.process.kill()
    tiny.process.wait()

    tiny.open()

    assert tiny.server_pid() not in (0, first)
    assert "Making the database" not in tiny.said


def test_a_second_start_of_the_same_shop_is_refused_while_the_first_goes_on(tiny: TinyShop) -> None:
    tiny.open()
    assert tiny.process is not None

    refused = subprocess.run(
        [sys.executable, "-m", "tests.run.tiny.supervisor"],
        cwd=ROOT,
        env=WholeShop(tiny.data).environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert refused.returncode == 1
    assert f"is already running (process {tiny.process.pid})" in refused.stdout
    assert tiny.server_pid() != 0


@pytest.mark.parametrize(("setting", "place"), [("PORT", 0), ("OUTSIDE_PORT", 1)])
def test_a_taken_port_is_said_plainly(tiny: TinyShop, setting: str, place: int) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", tiny.ports[place]))
        other.listen()

        said = tiny.refusal()

    assert f"Port {tiny.ports[place]} of 127.0.0.1 cannot be used: Address already in use" in said
    assert f"{setting}=8500 just start" in said


def test_a_shop_that_others_can_reach_needs_real_keys_and_says_which_are_missing(tiny: TinyShop) -> None:
    tiny.settings = {"PUBLIC_URL": "https://minimal.example", "SMTP_URL": "smtp://mail.example"}

    said = tiny.refusal()

    assert (
        "Missing: STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET, GOOGLE_CLIENT_ID, TRUSTED_PROXIES."
        in said
    )
    assert not tiny.data.exists()


def test_listening_for_others_needs_real_keys_too(tiny: TinyShop) -> None:
    tiny.settings = {"HOST": "0.0.0.0"}

    assert "Missing: STRIPE_SECRET_KEY" in tiny.refusal()


def test_half_a_stripe_account_is_refused(tiny: TinyShop) -> None:
    tiny.settings = {"STRIPE_SECRET_KEY": "sk_test_1", "STRIPE_PUBLISHABLE_KEY": "pk_test_1"}

    assert "Missing: STRIPE_WEBHOOK_SECRET." in tiny.refusal()


def test_only_stand_ins_without_a_real_part_are_started(tiny: TinyShop) -> None:
    tiny.settings = {"GOOGLE_CLIENT_ID": "1.apps.googleusercontent.com", "SMTP_URL": "smtp://localhost:2525"}

    tiny.open()

    assert "Starting the stand-ins for payments\n" in tiny.said


@pytest.mark.parametrize("broken", ["migration", "web", "stand_ins"])
def test_a_program_that_fails_at_the_start_closes_everything(tiny: TinyShop, broken: str) -> None:
    tiny.broken = (broken,)

    said = tiny.refusal()

    assert "this did not work" in said
    assert "the lines above say why" in said
    assert not is_locked(tiny.data / "postgres/lock")


def test_two_shops_run_side_by_side(tiny: TinyShop) -> None:
    other = TinyShop(tiny.data.with_name("other"))
    tiny.open()

    other.open()

    assert tiny.server_pid() != other.server_pid() != 0
    assert other.send(signal.SIGTERM) == 0
    assert tiny.server_pid() != 0
