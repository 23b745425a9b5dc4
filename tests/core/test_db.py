import asyncio
from typing import Any

import asyncpg
import pytest
import structlog
from structlog.testing import LogCapture

from server.core import jobs
from server.core.db import DatabaseAway, Gate, create_engine, is_unavailable, sessionmaker
from server.core.jobs import Env, Worker
from server.core.resources import Resources


class DyingDatabase(Gate):
    """A way to one that ends each connection as soon as it is made, as one does that is being stopped."""

    def __init__(self) -> None:
        super().__init__()
        self.ended = 0

    async def connect(self, *address: Any, **options: Any) -> asyncpg.Connection:
        connection = await super().connect(*address, **options)
        other = await asyncpg.connect(*address, **options)
        await other.execute("SELECT pg_terminate_backend($1)", connection.get_server_pid())
        await other.close()
        while not connection.is_closed():  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        self.ended += 1
        return connection


async def test_a_worker_whose_new_connection_dies_before_its_first_statement_sees_the_database_away(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = LogCapture()
    monkeypatch.setattr(jobs, "log", structlog.wrap_logger(None, processors=[said]))
    monkeypatch.setattr(jobs, "IDLE_SECONDS", 0.01)
    dying = DyingDatabase()
    engine = create_engine(database_url, gate=dying)

    working = asyncio.create_task(Worker(Env(sessionmaker(engine), Resources()), {}).run())
    async with asyncio.timeout(10):
        while len(said.entries) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    await engine.dispose()

    assert {(line["event"], line["error"]) for line in said.entries} == {("jobs.database_away", "InterfaceError")}
    assert dying.ended >= 2


async def test_a_misuse_of_a_connection_does_not_pass_for_a_database_that_is_away(database_url: str) -> None:
    connection = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    try:
        with pytest.raises(asyncpg.InterfaceError) as misuse:
            await asyncio.gather(*(connection.execute("SELECT pg_sleep(0.05)") for _ in range(2)))
    finally:
        await connection.close()

    assert not is_unavailable(misuse.value)


async def test_a_connection_that_is_made_while_the_gate_is_being_shut_is_not_used(database_url: str) -> None:
    """Nobody would end it when the database falls silent: the gate is shut by then."""
    gate, made = Gate(), []

    async def connect(*address: Any, **options: Any) -> asyncpg.Connection:
        made.append(await asyncpg_connect(*address, **options))
        asyncio.get_running_loop().call_soon(gate.shut)
        return made[0]

    asyncpg_connect = asyncpg.connect
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(asyncpg, "connect", connect)
        with pytest.raises(DatabaseAway):
            await gate.connect(database_url.replace("+asyncpg", ""))

    assert made[0].is_closed()
