"""Measuring free disk space."""

import os
from pathlib import Path

import pytest
from sqlalchemy import Connection, event, text
from sqlalchemy.ext.asyncio import AsyncEngine

from server.platform.core import disk
from server.platform.core.db import Sessions, create_engine, sessionmaker
from server.platform.core.disk import DiskSpace


@pytest.fixture(autouse=True)
def each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "CHECK_SECONDS", 0.0)


async def test_the_database_of_this_machine_says_where_it_is(database_url: str, sessions: Sessions) -> None:
    space = DiskSpace(database_url, None, low_mb=10**12)

    before = await space.is_low("database")
    low = await space.is_low("database", sessions)

    assert (before, low) == (False, True)
    assert set(space.free) == {"database"}
    assert not await space.is_low("images", sessions)


async def test_of_a_database_elsewhere_and_of_a_bucket_nothing_is_known(sessions: Sessions) -> None:
    space = DiskSpace("postgresql://user@db.test/shop", None, low_mb=10**12)

    assert not await space.is_low("database", sessions)
    assert space.free == {}


async def test_a_role_that_may_not_know_the_folder_is_no_error(database_url: str, maintenance: AsyncEngine) -> None:
    role = f"guest_{os.getpid()}"
    async with maintenance.connect() as connection:
        await connection.execute(text(f"CREATE ROLE {role}"))
    try:
        space = DiskSpace(database_url, None, low_mb=10**12)
        low = await space.is_low("database", as_role(database_url, role))
    finally:
        async with maintenance.connect() as connection:
            await connection.execute(text(f"DROP ROLE {role}"))

    assert not low
    assert space.free == {}


def as_role(database_url: str, role: str) -> Sessions:
    """Sessions of somebody without rights."""
    engine = create_engine(database_url)

    @event.listens_for(engine.sync_engine, "begin")
    def become(connection: Connection) -> None:
        connection.exec_driver_sql(f"SET LOCAL ROLE {role}")

    return sessionmaker(engine)


async def test_a_folder_that_is_not_there_is_not_low(tmp_path: Path, sessions: Sessions) -> None:
    space = DiskSpace("postgresql://user@db.test/shop", tmp_path / "missing", low_mb=10**12)

    assert not await space.is_low("images", sessions)


async def test_room_is_enough_again_only_some_way_above_the_limit(tmp_path: Path) -> None:
    space = DiskSpace("postgresql://user@db.test/shop", tmp_path, low_mb=0)
    space._low = 100

    states = []
    for free in (101, 99, 101, 124, 125, 101):
        space._judge("images", free)
        states.append("images" in space._low_places)

    assert states == [False, True, True, True, False, False]
