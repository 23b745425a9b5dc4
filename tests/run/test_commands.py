"""The commands of `python -m server`."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from server.cli import main
from server.identity.passwords import PasswordHashing
from server.platform.processes.postgres import Postgres
from server.platform.processes.shop_folder import hold
from server.run.database import look
from server.run.migrations import alembic_config, head
from tests.e2e.whole_shop import ROOT, WholeShop
from tests.folders import temporary_folder

pytestmark = pytest.mark.slow

PASSWORD = "Tidepool7!Lamp"
KEYS = {
    **dict.fromkeys(("STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET", "GOOGLE_CLIENT_ID"), "x"),
    "SMTP_URL": "smtp://localhost:2525",
}


@pytest.fixture
def closed_shop() -> Iterator[WholeShop]:
    """Its embedded database comes up for each command."""
    with temporary_folder() as folder:
        yield WholeShop(folder / "shop")


@pytest.fixture
def shop(closed_shop: WholeShop, database_url: str) -> WholeShop:
    """A shop with a DATABASE_URL."""
    closed_shop.settings = {"DATABASE_URL": database_url}
    return closed_shop


def test_the_head_read_from_the_files_is_alembics() -> None:
    from alembic.script import ScriptDirectory

    assert head() == ScriptDirectory.from_config(alembic_config("")).get_current_head()


def test_migrate_makes_the_tables_once(closed_shop: WholeShop) -> None:
    assert _run(closed_shop, "migrate").returncode == 0
    assert _run(closed_shop, "migrate").returncode == 0

    with Postgres(closed_shop.data / "postgres") as postgres:
        contents = look(postgres.url)
    assert contents.revision == head()
    assert contents.is_empty


def test_commands_use_the_embedded_database_while_it_runs(closed_shop: WholeShop) -> None:
    with hold(closed_shop.data), Postgres(closed_shop.data / "postgres") as postgres:
        said = _run(closed_shop, "psql", "--no-align", "--tuples-only", "--command", "SELECT current_database()")

        assert said.stdout == "minimal\n"
        assert postgres.is_alive


async def test_make_admin_makes_an_account_with_the_password_it_is_told(shop: WholeShop, engine: AsyncEngine) -> None:
    command = _run(shop, "make-admin", "Owner@Minimal.test", typed=f"{PASSWORD}\n")

    assert command.stdout == "owner@minimal.test is the primary admin of a new account.\n"
    assert await _rows(engine, "SELECT email, role, is_primary FROM users") == [("owner@minimal.test", "admin", True)]
    [(hashed,)] = await _rows(engine, "SELECT password_hash FROM users")
    assert (await PasswordHashing(threads=1).verify(str(hashed), PASSWORD)).is_right


async def test_make_admin_hands_the_mark_over_and_leaves_the_other_an_admin(
    shop: WholeShop, engine: AsyncEngine
) -> None:
    _run(shop, "make-admin", "first@minimal.test", typed=f"{PASSWORD}\n")
    _run(shop, "make-admin", "second@minimal.test", typed=f"{PASSWORD}\n")

    again = _run(shop, "make-admin", "first@minimal.test")

    assert again.stdout == "first@minimal.test is the primary admin.\n"
    assert await _rows(engine, "SELECT email, role, is_primary FROM users ORDER BY email") == [
        ("first@minimal.test", "admin", True),
        ("second@minimal.test", "admin", False),
    ]


async def test_make_admin_holds_the_password_to_the_rules_of_sign_up(shop: WholeShop, engine: AsyncEngine) -> None:
    refused = _run(shop, "make-admin", "owner@minimal.test", typed="short\n")

    assert refused.returncode == 1
    assert refused.stdout.startswith("Password")
    assert await _rows(engine, "SELECT email FROM users") == []


async def test_end_second_factor_lets_an_account_in_by_password_alone(shop: WholeShop, engine: AsyncEngine) -> None:
    _run(shop, "make-admin", "owner@minimal.test", typed=f"{PASSWORD}\n")
    async with engine.begin() as connection:
        sealed = "INSERT INTO totp_secrets (user_id, sealed, confirmed_at) SELECT id, 'sealed', now() FROM users"
        await connection.execute(text(sealed))

    answers = [_run(shop, "end-second-factor", f"{name}@minimal.test") for name in ("Owner", "owner", "nobody")]

    assert [(answer.returncode, answer.stdout) for answer in answers] == [
        (0, "owner@minimal.test signs in without a second factor now.\n"),
        (0, "owner@minimal.test has no second factor.\n"),
        (1, "There is no account with the e-mail nobody@minimal.test\n"),
    ]
    assert await _rows(engine, "SELECT user_id FROM totp_secrets") == []


async def test_a_backup_makes_the_same_shop_anew(shop: WholeShop, engine: AsyncEngine, tmp_path: Path) -> None:
    async with engine.begin() as connection:
        await connection.execute(text("INSERT INTO shop_facts (name) VALUES ('kept')"))
    picture = shop.data / "images/ab/picture.webp"
    picture.parent.mkdir(parents=True)
    picture.write_bytes(b"a picture")
    other = WholeShop(shop.data.with_name("other"))

    assert _run(shop, "backup", str(tmp_path / "kept")).returncode == 0
    assert _run(other, "restore", str(tmp_path / "kept")).returncode == 0

    rows = _run(other, "psql", "--no-align", "--tuples-only", "--command", "SELECT name FROM shop_facts")
    assert rows.stdout == "kept\n"
    assert (other.data / "images/ab/picture.webp").read_bytes() == b"a picture"


def test_a_backup_never_goes_over_what_is_there(shop: WholeShop, tmp_path: Path) -> None:
    refused = _run(shop, "backup", str(tmp_path))

    assert refused.returncode == 1
    assert "exists already" in refused.stdout


def test_a_restore_never_goes_over_a_shop_with_tables(shop: WholeShop, tmp_path: Path) -> None:
    (tmp_path / "database.dump").touch()

    refused = _run(shop, "restore", str(tmp_path))

    assert refused.returncode == 1
    assert "is not empty" in refused.stdout


def test_demo_accounts_are_never_made_where_others_can_reach_the_shop(shop: WholeShop) -> None:
    shop.settings |= {"PUBLIC_URL": "https://minimal.example", **KEYS}

    refused = _run(shop, "seed")

    assert refused.returncode == 1
    assert "only on loopback" in refused.stdout


@pytest.mark.parametrize("command", ["web", "worker", "start"])
async def test_a_shop_without_stand_ins_refuses_demo_data(shop: WholeShop, engine: AsyncEngine, command: str) -> None:
    async with engine.begin() as connection:
        await connection.execute(text("INSERT INTO shop_facts (name) VALUES ('demo')"))
    shop.settings |= KEYS

    refused = _run(shop, command)

    assert refused.returncode == 1
    assert "The database holds the demo accounts" in refused.stdout


def test_a_worker_of_a_queue_that_does_not_exist_is_refused_with_those_that_do(shop: WholeShop) -> None:
    refused = _run(shop, "worker", "--queues", "mail", "parcels")

    assert refused.returncode == 1
    assert refused.stdout.startswith("There is no queue parcels. There are: payments, ")


def test_a_reports_process_asks_where_to_listen(shop: WholeShop) -> None:
    refused = _run(shop, "reports")

    assert refused.returncode == 1
    assert "REPORTS_SOCKET" in refused.stdout


def test_a_setting_that_makes_no_sense_is_named(shop: WholeShop) -> None:
    shop.settings |= {"OUTSIDE_PORT": "many"}

    refused = _run(shop, "migrate")

    assert refused.returncode == 1
    assert refused.stdout.startswith("OUTSIDE_PORT cannot be used: it has to be a valid integer")


def test_a_command_that_does_not_exist_is_refused_with_the_list_of_those_that_do() -> None:
    with pytest.raises(SystemExit) as refusal:
        main(["sell"])

    assert refusal.value.code == 2


def _run(shop: WholeShop, *arguments: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "server", *arguments],
        cwd=ROOT,
        env=shop.environment,
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


async def _rows(engine: AsyncEngine, query: str) -> list[tuple[object, ...]]:
    async with engine.connect() as connection:
        return [tuple(row) for row in await connection.execute(text(query))]
