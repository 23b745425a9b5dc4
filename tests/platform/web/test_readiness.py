import asyncio
from dataclasses import dataclass, field

import pytest

from server.platform.web.readiness import Readiness


@dataclass
class Database:
    """It answers when it is told to, and counts who asks."""

    is_there: bool = True
    asked: int = 0
    may_answer: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self) -> bool:
        self.asked += 1
        await self.may_answer.wait()
        return self.is_there


async def test_probes_at_the_same_time_are_one_question() -> None:
    database = Database()
    readiness = Readiness(database)
    asking = [asyncio.create_task(readiness.is_ready()) for _ in range(200)]
    await asyncio.sleep(0)
    asking[0].cancel()
    await asyncio.sleep(0)
    database.may_answer.set()

    answers = await asyncio.gather(*asking[1:])

    assert (set(answers), database.asked) == ({True}, 1)


async def test_a_process_is_ready_at_once_when_it_has_loaded_and_asks_nothing_before() -> None:
    database, loaded = Database(), asyncio.Event()
    database.may_answer.set()
    readiness = Readiness(database, loaded.is_set, clock=lambda: 100.0)

    before, asked_before = await readiness.is_ready(), database.asked
    loaded.set()
    after = await readiness.is_ready()

    assert (before, asked_before, after) == (False, 0, True)


@pytest.mark.parametrize("is_there", [True, False])
async def test_an_answer_is_kept_a_second(is_there: bool) -> None:
    now = 100.0
    database = Database(is_there)
    database.may_answer.set()
    readiness = Readiness(database, clock=lambda: now)

    first = [await readiness.is_ready() for _ in range(50)]
    database.is_there = not is_there
    now = 100.9
    second = await readiness.is_ready()
    now = 101.0
    later = await readiness.is_ready()

    assert (set(first), second, later, database.asked) == ({is_there}, is_there, not is_there, 2)
