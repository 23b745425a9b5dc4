"""The client's files in memory: each once, whoever it is being sent to."""

import asyncio

import pytest

from server.platform.pages import assets
from server.platform.pages.assets import DIST, Asset, Assets


@pytest.fixture
def largest() -> str:
    files = [file for file in (DIST / "assets").glob("*") if file.suffix == ".js"]
    return max(files, key=lambda file: file.stat().st_size).name


async def test_all_who_are_sent_the_largest_file_share_it(largest: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read = assets._read
    reads: list[str] = []

    def counted(file: object) -> Asset:
        reads.append(str(file))
        return read(file)  # type: ignore[arg-type]

    built = Assets()
    monkeypatch.setattr(assets, "_read", counted)

    at_once = await asyncio.gather(*(built.find(largest) for _ in range(50)))
    later = await built.find(largest)

    assert len(reads) == 1
    assert {id(each) for each in (*at_once, later)} == {id(later)}


async def test_every_file_of_the_build_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    built = Assets()
    by_name = {name: await built.find(name) for name in built.immutable}

    assert len(by_name) > 20
    assert all([await built.find(name) is asset for name, asset in by_name.items()])


def test_several_event_loops_of_one_process_read_the_same_build() -> None:
    built = Assets()

    async def read(name: str) -> list[Asset | None]:
        return list(await asyncio.gather(*(built.find(name) for _ in range(3))))

    first, second = [asyncio.run(read(name)) for name in list(built.immutable)[:2]]

    assert all(first)
    assert all(second)
