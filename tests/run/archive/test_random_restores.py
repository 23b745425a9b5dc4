"""Whatever happens to a database, its archive and its bucket: a recovery never says more than it has.

`just random-restores 20` does so at length; here it is for a few seeds, which `RESTORE_SEED` and `RESTORES` change.
"""

import os
import random
import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from server.run.archive import recover
from server.run.archive.recover import Target
from tests.folders import temporary_folder
from tests.run.archive.world import World, movable_clock

FIRST, COUNT = int(os.environ.get("RESTORE_SEED", "1")), int(os.environ.get("RESTORES", "2"))
STEPS = 8
SEEDS_OF_HOLES = {"a damaged segment": 1, "a spool lost with its host": 18, "a spool lost before a crash": 46}
"""Of lives that leave a hole in the log."""
OFTEN = ("write", "write", "write", "until_copied", "until_copied", "copy_once")
SELDOM = (
    *("take_base", "take_base_and_die", "kill", "lose_spool", "move_to_another_host", "begin_timeline"),
    *("copy_standby", "fail_over_with_loss", "damage", "forget", "set_clock"),
)


def missing(world: World, rows: set[int], moment: datetime | None, epoch: int | None = None) -> set[int]:
    """What was committed by then, by a clock of up to `epoch`, and is neither lost with its primary nor restored."""
    commits = [each for each in world.commits if epoch is None or each.epoch <= epoch]
    return {each.number for each in commits if moment is None or each.after <= moment} - rows


def too_much(world: World, rows: set[int], moment: datetime) -> set[int]:
    """What was committed after it. Before the clock was moved last, it may have shown anything."""
    return {each.number for each in world.commits if each.before > moment and each.epoch == world.epoch} & rows


async def check_everything(world: World, claimed_in: int) -> None:
    """With no moment: all that the archive has told that it has. With one that the bucket proves: exactly that.

    The archive told by the clock of the epoch `claimed_in`. What a clock that was moved back since then showed later
    may be earlier.
    """
    status, report = world.store.status(), world.verify()
    said = await world.restored(Target())
    if isinstance(said, str):
        proposed = re.search(r"recover --to (\S+)", said)
        assert report.problem, said
    else:
        proposed = None
        covered = status.covered_until if status else None
        assert covered is None or not missing(world, said, covered, claimed_in)
        assert not report.window or not missing(world, said, report.window[1])
    moments = [datetime.fromisoformat(proposed[1])] if proposed and "/" not in proposed[1] else []
    if report.window:
        moments.append(report.window[0] + (report.window[1] - report.window[0]) * world.random.random())
    if world.commits:
        moments.append(world.random.choice(world.commits).after + timedelta(milliseconds=1))
    for number, moment in enumerate(moments):
        rows = await world.restored(Target(moment))
        if isinstance(rows, str):
            is_promised = number < len(moments) - bool(world.commits) and not world.epoch
            assert not is_promised, (moment, rows)
            continue
        assert not missing(world, rows, moment), moment
        assert not too_much(world, rows, moment), moment


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
async def test_a_recovery_never_says_more_than_it_has(template: Path, bucket: Any, seed: int) -> None:
    await live_and_recover(template, bucket, seed)


async def live_and_recover(template: Path, bucket: Any, seed: int) -> None:
    """A random life of a database, and all that is then said of its backups."""
    with temporary_folder() as folder, movable_clock(folder) as clock:
        world = World(template, folder, bucket, random.Random(seed), clock)
        try:
            await world.open()
            claim, claimed_in = world.store.status(), 0
            for _ in range(STEPS):
                step = world.random.choice(OFTEN if world.random.random() < 0.6 else SELDOM)
                world.history.append(step)
                await getattr(world, step)()
                if claim != world.store.status():
                    claim, claimed_in = world.store.status(), world.epoch
            await check_everything(world, claimed_in)
        finally:
            print(seed, world.history)  # noqa: T201 - of the test that fails
            world.close()


@pytest.mark.parametrize("hole", SEEDS_OF_HOLES)
async def test_random_lives_find_a_recovery_that_overlooks_holes(
    template: Path, bucket: Any, monkeypatch: pytest.MonkeyPatch, hole: str
) -> None:
    monkeypatch.setattr(recover, "_check_whole", lambda _proof, _hole: None)

    with pytest.raises(AssertionError):
        await live_and_recover(template, bucket, SEEDS_OF_HOLES[hole])
