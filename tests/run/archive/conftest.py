"""A database with its archive and its bucket, to which a test does what it names."""

import random
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from server.platform.processes.postgres import Postgres
from server.run.migrations import upgrade
from tests.bucket import opened
from tests.folders import temporary_folder
from tests.run.archive.world import World, movable_clock


@pytest.fixture(scope="session")
def template() -> Iterator[Path]:
    """The folder of a PostgreSQL with the tables of a shop, and one for rows that are counted."""
    with temporary_folder() as folder:
        with Postgres(folder / "postgres", durable=False) as postgres:
            upgrade(postgres.url)
            table = "CREATE TABLE noted (number int PRIMARY KEY)"
            subprocess.run([postgres.program("psql"), "-qd", postgres.url, "-c", table], check=True)
        yield postgres.home


@pytest.fixture
def bucket() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch, opened("backups", patch) as own_bucket:
        yield own_bucket


@pytest.fixture
async def world(template: Path, bucket: Any) -> AsyncIterator[World]:
    with temporary_folder() as folder, movable_clock(folder) as clock:
        own_world = World(template, folder, bucket, random.Random(1), clock)
        try:
            await own_world.open()
            yield own_world
        finally:
            own_world.close()
