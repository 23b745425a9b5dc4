"""A process says at its start whether the connections of all processes fit into their database."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import asyncpg
import pytest

from server.platform.core.connection_budget import ConnectionBudget, name_of
from server.platform.core.db import Sessions, create_engine, sessionmaker
from server.platform.core.jobs import JobEnvironment
from server.platform.core.resources import Resources


@pytest.fixture
async def listening(database_url: str) -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


async def listen(stack: AsyncExitStack, database_url: str, connections: int) -> None:
    dsn = database_url.replace("+asyncpg", "", 1)
    connection = await asyncpg.connect(dsn, server_settings={"application_name": name_of(connections)})
    stack.push_async_callback(connection.close)


async def test_it_is_told_once_that_all_fit_and_again_when_they_do_not(
    database_url: str, sessions: Sessions, listening: AsyncExitStack, capsys: pytest.CaptureFixture[str]
) -> None:
    env, budget = JobEnvironment(sessions, Resources()), ConnectionBudget()
    await listen(listening, database_url, 22)
    await listen(listening, database_url, 22)
    await budget.check(env)
    await budget.check(env)
    await listen(listening, database_url, 1_000)
    await budget.check(env)

    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["event"], line["level"], line["count"], line["total"]) for line in said] == [
        ("database.connections", "info", 2, 44),
        ("database.too_many_connections", "warning", 3, 1_044),
    ]
    assert said[0]["limit"] == 197


async def test_a_role_whose_statements_may_run_for_ever_is_told_of_once(
    database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = create_engine(database_url, transaction_pooler=True, prepared_statements=False)
    env, budget = JobEnvironment(sessionmaker(engine), Resources()), ConnectionBudget()
    await budget.check(env)
    await budget.check(env)
    await engine.dispose()

    said = [json.loads(line)["event"] for line in capsys.readouterr().out.splitlines()]
    assert said == ["database.no_timeouts", "database.connections"]
