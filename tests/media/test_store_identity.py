"""A shop whose processes keep pictures in different places does not open."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.background import BackgroundWork
from server.config import Settings
from server.platform.processes.console import CommandRefused
from server.run.database import look
from server.run.startup_checks import check_pictures
from tests.e2e.whole_shop import ROOT


def settings_of(database_url: str, data: Path, images_url: str = "") -> Settings:
    return Settings(_env_file=None, database_url=database_url, shop_data=data, images_url=images_url)  # type: ignore[call-arg]


@pytest.fixture
async def worker(database_url: str, tmp_path: Path) -> AsyncIterator[BackgroundWork]:
    """A process of the shop, with its pictures in a folder."""
    work = BackgroundWork(settings_of(database_url, tmp_path / "first"))
    async with work.running():
        async with asyncio.timeout(30):
            while not work.listener.is_connected:  # noqa: ASYNC110 - it tells nobody when it connects
                await asyncio.sleep(0.01)
        yield work


async def test_a_second_host_with_its_own_image_folder_refuses_to_start(
    worker: BackgroundWork, database_url: str, tmp_path: Path
) -> None:
    own = {"DATABASE_URL": database_url, "SHOP_DATA": str(tmp_path / "second"), "PORT": "23410"}
    second = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server", "web"),
        cwd=ROOT,
        env=os.environ | own,
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await second.communicate()

    assert second.returncode == 1
    assert f"This process keeps pictures in {tmp_path / 'second/images'}, and another process" in said.decode()
    assert "IMAGES_URL=s3://bucket/prefix" in said.decode()


async def test_processes_sharing_a_folder_start_and_one_with_a_bucket_does_not(
    worker: BackgroundWork, database_url: str, tmp_path: Path
) -> None:
    contents = await asyncio.to_thread(look, database_url)

    check_pictures(settings_of(database_url, tmp_path / "first"), contents)
    with pytest.raises(CommandRefused, match="in the bucket of IMAGES_URL"):
        check_pictures(settings_of(database_url, tmp_path / "first", "s3://pictures"), contents)


async def test_the_place_may_change_when_every_process_has_ended(database_url: str, tmp_path: Path) -> None:
    other = settings_of(database_url, tmp_path / "second")
    work = BackgroundWork(settings_of(database_url, tmp_path / "first"))
    async with work.running(), asyncio.timeout(30):
        while not (await asyncio.to_thread(look, database_url)).picture_places:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    async with asyncio.timeout(30):
        while (contents := await asyncio.to_thread(look, database_url)).picture_places:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    check_pictures(other, contents)
