"""The shop's database, embedded or by DATABASE_URL, and what it contains."""

import asyncio
import os
import subprocess
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self, TypeVar
from uuid import UUID

from server.config import Settings
from server.media.store_identity import PLACES
from server.platform.processes.console import CommandRefused
from server.platform.processes.postgres import Postgres
from server.platform.processes.process import wait_until
from server.platform.processes.shop_folder import ShopFolderInUse, hold

if TYPE_CHECKING:
    import asyncpg

_SECONDS_TO_COME_UP = 10

T = TypeVar("T")


@dataclass(frozen=True)
class SealedSecret:
    """An encrypted secret of an account."""

    owner: UUID
    value: bytes


@dataclass(frozen=True)
class DatabaseContents:
    """What a database contains."""

    revision: str | None
    """Its migration; None when it has no tables yet."""
    is_empty: bool
    """Whether it has neither an account nor a product."""
    is_demo: bool
    """Whether it was filled with demo accounts and products."""
    picture_places: frozenset[str] = frozenset()
    """Where the processes that are connected keep pictures."""
    has_pictures: bool = False
    """Whether it names pictures that were uploaded."""
    sealed: SealedSecret | None = None
    """One of the secrets that are encrypted; None without any."""


def embedded(settings: Settings) -> Postgres:
    """The embedded PostgreSQL in SHOP_DATA."""
    return Postgres(settings.shop_data / "postgres")


@contextmanager
def connected(settings: Settings) -> Iterator[Settings]:
    """The settings with the URL of the embedded database, where there is no other; it is started as by `database`."""
    if settings.database_url:
        yield settings
        return
    with database(settings) as url:
        yield settings.model_copy(update={"database_url": url})


@contextmanager
def database(settings: Settings) -> Iterator[str]:
    """The direct URL of the shop's database. The embedded one is started for the block unless the shop runs."""
    if settings.database_url:
        yield settings.direct_url
        return
    postgres = embedded(settings)
    try:
        with hold(settings.shop_data, patience=0), postgres:
            yield postgres.url
    except ShopFolderInUse:
        if not wait_until(lambda: postgres.is_running, _SECONDS_TO_COME_UP, every=0.1):
            raise
        yield postgres.url


@dataclass(frozen=True)
class ClientUrl:
    """A database as arguments and environment of PostgreSQL's programs.

    The password is passed in the environment, since every user of the machine can read arguments.
    """

    whole: str
    address: str
    environment: Mapping[str, str]

    @classmethod
    def of(cls, url: str) -> Self:
        """From a URL of either form."""
        from sqlalchemy.engine import make_url

        parsed = make_url(url).set(drivername="postgresql")
        password = {"PGPASSWORD": str(parsed.password)} if parsed.password else {}
        whole = parsed.render_as_string(hide_password=False)
        return cls(whole, str(parsed.set(password=None)), {**os.environ, **password})


def client_program(settings: Settings, name: str) -> str:
    """Path of a program that comes with the embedded PostgreSQL."""
    return embedded(settings).program(name)


def run_program(settings: Settings, url: str, program: str, *arguments: str) -> None:
    """Runs psql, pg_dump or pg_restore on the database. Raises CommandRefused when it fails."""
    parsed = ClientUrl.of(url)
    command = [client_program(settings, program), f"--dbname={parsed.address}", *arguments]
    done = subprocess.run(command, env=parsed.environment, check=False)
    if done.returncode:
        raise CommandRefused(f"{program} failed (exit code {done.returncode}).")


def look(url: str) -> DatabaseContents:
    """Reads what the database contains.

    Must not be called in an event loop. Raises CommandRefused when it does not respond.
    """
    return _query(url, _contents)


def revision_of(url: str) -> str | None:
    """The database's migration; None when it has no tables yet. Otherwise like `look`."""
    return _query(url, _revision)


def _query(url: str, question: Callable[["asyncpg.Connection"], Awaitable[T]]) -> T:
    # The supervisor reads this module, and starts its first process sooner without the driver.
    import asyncpg

    async def ask() -> T:
        connection = await asyncpg.connect(url.replace("+asyncpg", "", 1), timeout=5)
        try:
            return await question(connection)
        finally:
            await connection.close()

    try:
        return asyncio.run(ask())
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError) as error:
        raise CommandRefused(f"The database does not answer: {error}. Check DATABASE_URL.") from error


async def _contents(connection: "asyncpg.Connection") -> DatabaseContents:
    revision = await _revision(connection)
    if revision is None:
        return DatabaseContents(revision=None, is_empty=True, is_demo=False)
    secret = await connection.fetchrow("SELECT user_id, sealed FROM totp_secrets ORDER BY created_at DESC LIMIT 1")
    return DatabaseContents(
        revision=revision,
        is_empty=await connection.fetchval("SELECT NOT EXISTS (TABLE users) AND NOT EXISTS (TABLE products)"),
        is_demo=await connection.fetchval("SELECT EXISTS (SELECT FROM shop_facts WHERE name = 'demo')"),
        picture_places=frozenset(row[0] for row in await connection.fetch(PLACES)),
        has_pictures=await connection.fetchval("SELECT EXISTS (TABLE images)"),
        sealed=SealedSecret(secret["user_id"], secret["sealed"]) if secret else None,
    )


async def _revision(connection: "asyncpg.Connection") -> str | None:
    if await connection.fetchval("SELECT to_regclass('alembic_version') IS NULL"):
        return None
    revision: str | None = await connection.fetchval("SELECT version_num FROM alembic_version")
    return revision
