"""What every test may ask for: a real PostgreSQL, and in it a database of its own with the shop's tables."""

import gc
import os
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from contextlib import asynccontextmanager
from functools import cache
from itertools import count
from typing import Any

import pytest
from httpx._config import create_ssl_context
from sqlalchemy import URL, Engine, make_url, text
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, create_async_engine

from server.identity import passwords
from server.platform.core import db, logs
from server.platform.core.db import Sessions, asyncpg_url, create_engine, sessionmaker
from server.platform.processes.postgres import Postgres
from server.run.migrations import upgrade
from tests import spare_renderers as spare
from tests.folders import temporary_folder
from tests.hashes import CHEAP

MAY_BE_SKIPPED = (
    "The history that holds the code of before is not here.",
    "only root has rights to give up",
    "GraphQL's plans are off.",
    "the database is on another machine",
    "There is no Firefox",
    "There is no WebKit",
)
"""Reasons, or their beginnings, for which a test may be skipped where CI is set; any other skip is a failure there."""


SLOW_FOLDERS = {"archive", "cluster", "e2e", "outages", "pictures", "siege", "storm"}
"""Whose tests drive processes, or draw. One elsewhere that does so is marked by itself."""


gc.disable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks before those that are not asked for are left out."""
    for item in items:
        if SLOW_FOLDERS.intersection(item.path.parts) and not item.get_closest_marker("smoke"):
            item.add_marker("slow")


def pytest_collection_finish() -> None:
    """What modules and their tests are made of stays, so that nobody looks through it for garbage."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    is_expected_failure = hasattr(report, "wasxfail")
    if os.environ.get("CI") and report.skipped and not is_expected_failure and not may_be_skipped(report):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, for a reason that is not on the list: {report.longrepr}"
    return report


def may_be_skipped(report: pytest.TestReport) -> bool:
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return reason.removeprefix("Skipped: ").startswith(MAY_BE_SKIPPED)


@pytest.fixture(scope="session", autouse=True)
def compiled_once() -> Iterator[None]:
    """A statement becomes SQL once for all engines of a process, not again for each test's: a fifth of their work."""
    engines: list[Engine] = []

    def create(*arguments: Any, **settings: Any) -> AsyncEngine:
        engine = create_async_engine(*arguments, **settings)
        sync_engine = engine.sync_engine
        if engines and engines[0].dialect.server_version_info is not None:
            sync_engine.dialect = sync_engine.pool._dialect = engines[0].dialect
            sync_engine._compiled_cache = engines[0]._compiled_cache
        else:
            engines[:] = [sync_engine]
        return engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(db, "create_async_engine", create)
        yield


@pytest.fixture(scope="session", autouse=True)
def known_log_fields() -> Iterator[None]:
    """A line with a field that logs leave out fails the test, or, where that is caught, the whole run."""
    unknown: list[str] = []

    def fail(names: list[str]) -> None:
        unknown.extend(name for name in names if name != "password")
        raise AssertionError(f"Not in server.platform.core.logs.FIELDS: {', '.join(names)}")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logs, "on_unknown_fields", fail)
        logs.configure()
        yield
    assert unknown == []


@pytest.fixture(scope="session", autouse=True)
def cheap_hashes() -> Iterator[None]:
    """In this process; `costly_hashes` of the tests of accounts are the shop's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_HASHER", CHEAP)
        yield


@pytest.fixture(scope="session", autouse=True)
def certificates_loaded_once() -> Iterator[None]:
    """All clients of a process trust the same authorities; to load those for one costs 40 ms of a core."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("httpx._transports.default.create_ssl_context", cache(create_ssl_context))
        yield


@pytest.fixture(scope="session", autouse=True)
async def spare_renderers() -> AsyncIterator[None]:
    """A V8 that has drawn no page of its shop is as new to the next test's: to start one costs a tenth of a second."""
    async with spare.kept():
        yield


@asynccontextmanager
async def copied_database(maintenance: AsyncEngine, name: str, template: str) -> AsyncIterator[None]:
    """A copy of the template; copying files is three times as quick as copying through the log."""
    async with maintenance.connect() as connection:
        await connection.execute(text(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY file_copy'))
    yield
    async with maintenance.connect() as connection:
        await connection.execute(text(f'DROP DATABASE "{name}" WITH (FORCE)'))


def url_of(cluster: URL, database: str) -> str:
    return cluster.set(database=database).render_as_string(hide_password=False)


@pytest.fixture(scope="session")
def cluster() -> Iterator[URL]:
    """A PostgreSQL of this test run, or the one of TEST_DATABASE_URL, whose user must be able to make databases."""
    if url := os.environ.get("TEST_DATABASE_URL"):
        yield make_url(asyncpg_url(url))
        return
    with temporary_folder() as folder, Postgres(folder / "postgres", durable=False) as postgres:
        yield make_url(asyncpg_url(postgres.url_of("postgres")))


@pytest.fixture(scope="session")
async def maintenance(cluster: URL) -> AsyncIterator[AsyncEngine]:
    """An engine for CREATE DATABASE and DROP DATABASE."""
    engine = create_async_engine(cluster, isolation_level="AUTOCOMMIT")
    yield engine
    await engine.dispose()


@pytest.fixture(scope="session")
def name_database() -> Callable[[], str]:
    """Names that no other test run on the same PostgreSQL uses."""
    numbers = count()
    return lambda: f"test_{os.getpid()}_{next(numbers)}"


@pytest.fixture(scope="session")
async def empty_template(maintenance: AsyncEngine, name_database: Callable[[], str]) -> AsyncIterator[str]:
    name = name_database()
    async with copied_database(maintenance, name, "template0"):
        yield name


@pytest.fixture(scope="session")
def template(cluster: URL, empty_template: str) -> str:
    """A migrated database that every test's own is copied from."""
    upgrade(url_of(cluster, empty_template))
    return empty_template


@pytest.fixture
async def database_url(
    cluster: URL, maintenance: AsyncEngine, template: str, name_database: Callable[[], str]
) -> AsyncIterator[str]:
    """URL of a migrated database with no rows, made for this test alone and dropped after it."""
    name = name_database()
    async with copied_database(maintenance, name, template):
        yield url_of(cluster, name)


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    """The shop's own kind of engine on the test's database: real commits, as many connections as a test needs."""
    engine = create_engine(database_url, pool_size=20)
    yield engine
    await engine.dispose()


@pytest.fixture
def sessions(engine: AsyncEngine) -> Sessions:
    """Makes sessions, for tests of what several of them do at once."""
    return sessionmaker(engine)


@pytest.fixture
async def session(sessions: Sessions) -> AsyncIterator[AsyncSession]:
    """One session on the test's database."""
    async with sessions() as session:
        yield session
