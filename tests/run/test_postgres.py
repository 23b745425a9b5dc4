"""The embedded PostgreSQL: it starts, stops, and comes back from anything."""

import os
import pwd
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import asyncpg
import pytest

from server.platform.processes.drop_privileges import NotPossible, as_user
from server.platform.processes.postgres import Postgres, PostgresFailed
from server.platform.processes.process import wait_until
from tests.folders import temporary_folder

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has rights to give up")

MEGABYTES_SHARED = "SELECT pg_size_bytes(current_setting('shared_buffers')) / 1024 / 1024"


@pytest.fixture
def folder() -> Iterator[Path]:
    with temporary_folder() as folder:
        yield folder / "postgres"


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """On disk: programs cannot be run from memory everywhere."""
    with TemporaryDirectory(prefix="minimal-") as folder:
        yield Path(folder)


async def test_keeps_what_was_committed_over_a_stop(folder: Path) -> None:
    with Postgres(folder) as postgres:
        await _run(postgres, "CREATE TABLE kept AS SELECT 42 AS answer")

    with Postgres(folder) as postgres:
        assert await _ask(postgres, "SELECT answer FROM kept") == 42


async def test_loses_nothing_that_was_committed_when_it_is_killed(folder: Path) -> None:
    postgres = Postgres(folder)
    postgres.start()
    await _run(postgres, "CREATE TABLE kept AS SELECT generate_series(1, 10000) AS number")
    postgres.kill()

    postgres.start()

    assert await _ask(postgres, "SELECT count(*) FROM kept") == 10_000
    postgres.stop()


async def test_ends_when_one_of_its_processes_crashes_so_that_it_is_started_again(folder: Path) -> None:
    postgres = Postgres(folder)
    postgres.start()
    await _run(postgres, "CREATE TABLE kept AS SELECT 42 AS answer")
    connection = await asyncpg.connect(postgres.url)
    os.kill(connection.get_server_pid(), signal.SIGKILL)

    assert wait_until(lambda: not postgres.is_alive, 20)

    connection.terminate()
    with postgres:
        assert await _ask(postgres, "SELECT answer FROM kept") == 42


async def test_sorts_and_folds_by_rules_that_no_system_update_changes(folder: Path) -> None:
    with Postgres(folder, durable=False) as postgres:
        provider = await _ask(
            postgres, "SELECT datlocprovider::text || ' ' || datlocale FROM pg_database WHERE datname = 'minimal'"
        )
        folded = await _ask(postgres, "SELECT lower('ÄÖÉ')")

    assert provider == "b C.UTF-8"
    assert folded == "äöé"


async def test_commits_are_on_disk_unless_it_is_for_tests(folder: Path) -> None:
    with Postgres(folder) as postgres:
        durable = await _ask(postgres, "SHOW fsync")
    with Postgres(folder, durable=False) as postgres:
        for_tests = await _ask(postgres, "SHOW fsync")

    assert (durable, for_tests) == ("on", "off")


async def test_a_shop_shares_a_part_of_the_memory_and_tests_the_least(folder: Path) -> None:
    with Postgres(folder / "shop") as shop, Postgres(folder / "test", durable=False) as test:
        shared = [int(str(await _ask(each, MEGABYTES_SHARED))) for each in (shop, test)]

    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    assert 128 <= shared[0] <= min(512, max(128, memory // 8))
    assert shared[1] == 128


async def test_listens_on_no_network_address(folder: Path) -> None:
    with Postgres(folder, durable=False) as postgres:
        assert await _ask(postgres, "SHOW listen_addresses") == ""
        assert postgres.socket_folder.stat().st_mode & 0o077 == 0


async def test_stale_lock_files_do_not_prevent_a_start(folder: Path) -> None:
    with Postgres(folder, durable=False) as postgres:
        locks = [postgres.data / "postmaster.pid", *postgres.socket_folder.glob(".s.PGSQL.*.lock")]
        left = {lock: lock.read_text().partition("\n")[2] for lock in locks}
    innocent = subprocess.Popen(["sleep", "60"], **as_user(_owner(postgres)))
    assert len(left) == 2
    for lock, rest in left.items():
        lock.write_text(f"{innocent.pid}\n{rest}")

    with Postgres(folder, durable=False) as postgres:
        assert await _ask(postgres, "SELECT 1") == 1

    assert innocent.poll() is None
    innocent.kill()
    innocent.wait()


async def test_starts_after_a_crash_whose_process_nobody_has_reaped(folder: Path) -> None:
    postgres = Postgres(folder, durable=False)
    postgres.start()
    os.killpg(postgres.pid, signal.SIGKILL)

    with Postgres(folder, durable=False) as again:
        assert await _ask(again, "SELECT 1") == 1

    assert not postgres.is_alive


async def test_ends_a_leftover_of_a_killed_parent_and_takes_its_place(folder: Path) -> None:
    parent = _parent_of_a_postgres(folder)
    leftover = int((Postgres(folder).data / "postmaster.pid").read_text().split()[0])
    os.kill(leftover, signal.SIGSTOP)
    parent.kill()
    parent.wait()
    os.kill(leftover, signal.SIGCONT)

    with Postgres(folder, durable=False) as postgres:
        assert postgres.pid != leftover
        assert await _ask(postgres, "SELECT 1") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="other systems end leftovers at the next start only")
def test_ends_when_its_parent_is_killed(folder: Path) -> None:
    parent = _parent_of_a_postgres(folder)
    assert Postgres(folder).is_running

    parent.kill()
    parent.wait()

    assert wait_until(lambda: not Postgres(folder).is_running, 5)


async def test_two_run_side_by_side(folder: Path) -> None:
    other = folder.with_name("other")
    with Postgres(folder, durable=False) as first, Postgres(other, durable=False) as second:
        await _run(first, "CREATE TABLE mine ()")

        assert await _ask(second, "SELECT to_regclass('mine')") is None


async def test_a_folder_whose_path_is_too_long_for_a_socket_gets_one_elsewhere(folder: Path) -> None:
    deep = folder.parent.joinpath(*["a-folder-with-a-long-name"] * 5)
    deep.parent.mkdir(parents=True)

    with Postgres(deep, durable=False) as postgres:
        assert len(str(postgres.socket_folder)) < 60
        assert await _ask(postgres, "SELECT 1") == 1
    postgres.socket_folder.rmdir()


def test_a_half_made_cluster_is_made_anew(folder: Path) -> None:
    unfinished = folder / "data.unfinished"
    unfinished.mkdir(parents=True)
    (unfinished / "PG_VERSION").write_text("18\n")

    with Postgres(folder, durable=False) as postgres:
        assert postgres.is_running

    assert not unfinished.exists()


def test_says_what_postgres_said_when_it_does_not_start(folder: Path) -> None:
    with Postgres(folder, durable=False) as postgres:
        version = postgres.data / "PG_VERSION"
    version.write_text("11\n")

    with pytest.raises(PostgresFailed, match="database files are incompatible with server"):
        Postgres(folder, durable=False).start()


@as_root
def test_gives_up_roots_rights(folder: Path) -> None:
    with Postgres(folder, durable=False) as postgres:
        owner = Path(f"/proc/{postgres.pid}").stat().st_uid

    assert owner == postgres.data.stat().st_uid != 0


@as_root
async def test_lives_elsewhere_when_its_user_cannot_reach_the_folder(folder: Path) -> None:
    folder.parent.chmod(0o700)

    with Postgres(folder, durable=False) as postgres:
        await _run(postgres, "CREATE TABLE kept ()")
        home = postgres.home
    with Postgres(folder, durable=False) as again:
        assert again.home == home != folder
        assert await _ask(again, "SELECT to_regclass('kept')::text") == "kept"

    shutil.rmtree(home)


@as_root
def test_programs_that_its_user_cannot_reach_are_copied_once(
    folder: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.platform.processes.drop_privileges._ELSEWHERE", elsewhere)
    monkeypatch.setattr(
        "server.platform.processes.postgres.can", lambda _user, program, *_: not program.endswith("/postgres")
    )

    with Postgres(folder, durable=False) as postgres:
        program = Path(f"/proc/{postgres.pid}/exe").readlink()

    assert program.is_relative_to(elsewhere)
    assert len(list(elsewhere.iterdir())) == 1


@as_root
def test_refuses_a_folder_of_another_user(folder: Path) -> None:
    socket = folder / "socket"
    socket.mkdir(parents=True)
    os.chown(socket, 12345, 12345)

    with pytest.raises(NotPossible, match="belongs to another user"):
        Postgres(folder).start()


def _parent_of_a_postgres(folder: Path) -> subprocess.Popen[bytes]:
    """A process that has started one and does nothing else."""
    program = (
        "import pathlib, sys, time; from server.platform.processes.postgres import Postgres; "
        "Postgres(pathlib.Path(sys.argv[1]), durable=False).start(); print('up', flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", program, str(folder)], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"up\n"
    return parent


def _owner(postgres: Postgres) -> pwd.struct_passwd | None:
    return pwd.getpwuid(postgres.data.stat().st_uid) if os.geteuid() == 0 else None


async def _run(postgres: Postgres, statement: str) -> None:
    connection = await asyncpg.connect(postgres.url)
    await connection.execute(statement)
    await connection.close()


async def _ask(postgres: Postgres, query: str) -> object:
    connection = await asyncpg.connect(postgres.url)
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()
