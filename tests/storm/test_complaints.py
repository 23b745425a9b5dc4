"""What no kill explains is found in the logs of a storm."""

import asyncio

import asyncpg

from server.platform.processes.postgres import Postgres
from tests.folders import temporary_folder
from tests.storm.shop import StormShop

UPDATE = "UPDATE pieces SET stock = stock - 1 WHERE id = $1"
BROKEN = '{"event":"request","status":500,"level":"error"}'


async def lock_each_other_out(url: str) -> None:
    one, other = [await asyncpg.connect(url) for _ in range(2)]
    await one.execute("CREATE TABLE pieces AS SELECT id, 5 AS stock FROM generate_series(1, 2) AS id")
    async with asyncio.timeout(30):
        for connection, first in ((one, 1), (other, 2)):
            await connection.execute("BEGIN")
            await connection.execute(UPDATE, first)
        ended = await asyncio.gather(one.execute(UPDATE, 2), other.execute(UPDATE, 1), return_exceptions=True)
    for connection in (one, other):
        await connection.close()
    assert [type(each) for each in ended if isinstance(each, Exception)] == [asyncpg.DeadlockDetectedError]


async def test_an_error_of_the_server_and_a_deadlock_are_complaints() -> None:
    with temporary_folder() as folder:
        shop = StormShop(folder / "shop")
        shop.log.write_text('{"event":"request","status":503,"level":"info"}\n')
        with Postgres(shop.data / "postgres", durable=False) as postgres:
            before = shop.complaints
            shop.log.write_text(f"{shop.log.read_text()}{BROKEN}\n")
            await lock_each_other_out(postgres.url)
            error, deadlock = shop.complaints

    assert before == []
    assert error == BROKEN
    assert deadlock.startswith("deadlock detected")
    assert UPDATE in deadlock
