"""What the bucket does not prove is refused, by name and with what can be restored instead."""

import asyncio
import re
import shutil
from datetime import datetime, timedelta
from typing import Any

import pytest

from server.operations.archive_status import VERIFICATION
from server.platform.processes.console import CommandRefused
from server.run.archive.recover import Target, target
from server.run.archive.spool import OtherLog
from server.run.archive.verify import verify
from server.run.archive.wal import LogFile
from tests.bucket import keys
from tests.run.archive.world import CC, World

LATER = timedelta(milliseconds=1)


def segments(bucket: Any) -> list[str]:
    """Keys of the log, in order."""
    return [key for key in keys(bucket, "of/minimal/wal/") if LogFile.named(key.rpartition("/")[2])]


async def lose_some(world: World) -> list[int]:
    """Commits that are received, and go away with the spool before they are copied; and others after that."""
    await world.write()
    await world.until_copied()
    before = [each.number for each in world.commits]
    await world.sql("SELECT pg_switch_wal()")
    await world.write()
    await world.sql("SELECT pg_switch_wal()")
    await world.lose_spool()
    await world.write()
    await world.until_due()
    return before


async def test_a_hole_in_the_log_is_refused_by_name_with_the_command_for_before_it(world: World) -> None:
    before = await lose_some(world)

    refused = await world.restored(Target())
    moment = await world.restored(Target(world.commits[-1].after + LATER))

    for said in (refused, moment):
        assert isinstance(said, str)
        assert re.search(r"0000000100000000[0-9A-F]{8} \(timeline 1\) is (missing|incomplete)", said)
    proposed = re.search(r"python -m server recover --to (\S+)", str(refused))
    assert proposed
    rows = await world.restored(target(proposed[1]))
    assert rows == set(before)


async def test_the_archive_claims_nothing_behind_a_hole_until_a_base_backup_counts(world: World) -> None:
    await lose_some(world)
    claimed, base = world.archive.status.covered_until, world.archive.status.base_at
    await world.take_base()
    await world.until_copied()

    rows = await world.restored(Target())

    assert claimed
    assert claimed < world.commits[-1].before
    assert base is None
    assert rows == {each.number for each in world.commits}


async def test_a_base_backup_counts_only_with_the_log_that_it_needs(world: World) -> None:
    await world.write()
    await world.take_base_and_die()

    assert len([key for key in keys(world.bucket) if key.endswith("base.tar")]) == 2
    assert len(world.store.bases()) == 1


async def test_a_base_backup_whose_log_is_gone_from_the_bucket_does_not_count(world: World) -> None:
    await world.write()
    await world.archive.take_base()
    pending = world.archive._pending
    assert pending
    for _ in range(20):
        await asyncio.to_thread(world.archive._spool.copy)
        await asyncio.sleep(0.05)
    for key in segments(world.bucket):
        file = LogFile.named(key.rpartition("/")[2])
        if file and file.number == pending.start:
            world.bucket.Object(key).delete()
    async with asyncio.timeout(120):
        while world.archive._pending is not None:
            await world.archive.step()

    assert len(world.store.bases()) == 1
    assert world.archive._pending is None
    assert len([key for key in keys(world.bucket) if key.endswith("base.tar")]) == 1


async def test_the_end_of_the_log_that_was_archived_and_is_gone_is_refused(world: World) -> None:
    await world.write()
    await world.until_copied()
    await world.sql("SELECT pg_switch_wal()")
    await world.write()
    await world.until_copied()
    world.bucket.Object(segments(world.bucket)[-1]).delete()

    refused = await world.restored(Target())

    assert isinstance(refused, str)
    assert "was archived until" in refused
    assert "recover --to" in refused


async def test_a_host_that_comes_back_replaces_nothing(world: World) -> None:
    await world.write(switches=0)
    await world.until_copied()
    old, spool = world.archive, world.folder / "old-spool"
    shutil.copytree(old._receiver.spool, spool)
    await world.write(switches=0)
    await world.until_copied()
    old._spool._folder = spool
    old._spool._seen = {}
    await asyncio.to_thread(old._spool.copy)

    rows = await world.restored(Target())

    assert rows == {each.number for each in world.commits}


async def test_a_kill_while_a_segment_is_made_does_not_stop_the_archive(world: World) -> None:
    await world.write()
    await world.until_copied()
    world._kill_archive()
    [partial] = world.archive._receiver.spool.glob("*.partial")
    with partial.open("r+b") as file:
        file.truncate(16_330_752)
    await world.kill()
    await asyncio.to_thread(world.archive._spool.copy)
    assert await world.restored(Target()) == {each.number for each in world.commits}

    await world.write()
    await world.until_copied()

    assert await world.restored(Target()) == {each.number for each in world.commits}


async def test_a_second_database_does_not_write_over_the_log_of_the_first(world: World) -> None:
    await world.write()
    await world.until_copied()
    await world.sql("SELECT pg_switch_wal()")
    await world.until_copied()
    first = next(key for key in segments(world.bucket) if not key.endswith(".partial"))
    before = world.bucket.Object(first).get()["Body"].read()
    (world.archive._receiver.spool / first.rpartition("/")[2]).write_bytes(bytes(16 << 20))

    with pytest.raises(OtherLog):
        await asyncio.to_thread(world.archive._spool.copy)

    assert world.bucket.Object(first).get()["Body"].read() == before


async def test_a_damaged_base_backup_is_passed_over_for_an_earlier_one(world: World) -> None:
    await world.write()
    await world.take_base()
    await world.write()
    await world.until_copied()
    newest = max(key for key in keys(world.bucket) if key.endswith("base.tar"))
    data = world.bucket.Object(newest).get()["Body"].read()
    world.bucket.Object(newest).put(Body=data[:-20])

    report = world.verify()
    rows = await world.restored(Target())

    assert "bytes instead of" in report.problem
    assert rows == {each.number for each in world.commits}


async def test_verify_says_what_can_be_restored_and_what_is_missing(
    world: World, capfd: pytest.CaptureFixture[str]
) -> None:
    await world.write()
    await world.until_copied()
    report = await asyncio.to_thread(verify, world.settings)
    whole = capfd.readouterr().out
    await lose_some(world)
    with pytest.raises(CommandRefused, match=r"Not everything can be restored: 00000001\w{16} \(timeline 1\) is"):
        await asyncio.to_thread(verify, world.settings)

    assert report.window
    assert f"Every moment from {report.window[0].isoformat()} to {report.window[1].isoformat()} can" in whole
    assert f"{report.read} of {report.objects} objects were read." in whole
    status = world.store.verification()
    assert status
    assert "is missing" in status.problem or "is incomplete" in status.problem
    assert any(key.endswith(VERIFICATION) for key in keys(world.bucket))


async def test_a_share_of_the_objects_still_tells_until_when_and_what_is_missing(world: World) -> None:
    for _ in range(4):
        await world.write()
        await world.until_copied()
    everything = world.verify()
    sample = world.verify(share=0.0)
    middle = segments(world.bucket)[2]
    world.bucket.Object(middle).delete()

    assert sample.window == everything.window
    assert sample.read < everything.read
    assert middle.rpartition("/")[2][:24] in world.verify(share=0.0).problem


@pytest.mark.skipif(CC is None, reason="there is no C compiler")
async def test_a_moment_that_the_clock_showed_twice_is_refused_with_a_position(world: World) -> None:
    await world.write()
    world.move_clock(3600)
    await world.write()
    first = [each.number for each in world.commits]
    ahead = world.commits[-1].after
    await world.until_copied()
    world.move_clock(0)
    await world.write()
    await world.until_copied()

    refused = await world.restored(Target(ahead - timedelta(minutes=30)))

    assert isinstance(refused, str)
    assert "clock was set back" in refused
    proposed = re.search(r"recover --to (\S+)", refused)
    assert proposed
    assert await world.restored(target(proposed[1])) == set(first)
    assert await world.restored(Target()) == {each.number for each in world.commits}


async def test_retention_by_a_clock_that_jumped_deletes_nothing(world: World) -> None:
    await world.write()
    await world.take_base()
    before = keys(world.bucket)

    world.archive._forget(world.verify(), datetime.fromisoformat("2126-11-24T08:00:00+00:00"))

    assert keys(world.bucket) == before


@pytest.mark.parametrize("to", ["yesterday", "0/x", "2026-13-01"])
def test_what_is_neither_a_moment_nor_a_position_is_refused(to: str) -> None:
    with pytest.raises(CommandRefused, match="neither a moment"):
        target(to)
