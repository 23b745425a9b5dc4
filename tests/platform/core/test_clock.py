"""All hosts go by the database's clock."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from server.identity import sessions as identity_sessions
from server.identity.models import Session, User
from server.platform.core import clock
from server.platform.core.db import Sessions, begin
from server.platform.core.jobs import JobEnvironment
from server.platform.core.resources import Resources
from tests.clocks import clock_moved_by

MOMENT = timedelta(seconds=2)


@pytest.fixture
def env(sessions: Sessions, monkeypatch: pytest.MonkeyPatch) -> JobEnvironment:
    monkeypatch.setattr(clock, "_ahead", timedelta(0))
    return JobEnvironment(sessions, Resources())


@pytest.mark.parametrize("hours", [3, -3])
async def test_a_host_whose_clock_is_wrong_goes_by_the_databases(
    env: JobEnvironment, hours: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "datetime", clock_moved_by(timedelta(hours=hours)))

    await clock.compare(env)

    assert abs(clock.now() - datetime.now(UTC)) < MOMENT


async def test_a_clock_that_was_set_right_is_noticed(env: JobEnvironment, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as wrong:
        wrong.setattr(clock, "datetime", clock_moved_by(timedelta(hours=1)))
        await clock.compare(env)

    await clock.compare(env)

    assert abs(clock.now() - datetime.now(UTC)) < MOMENT


async def test_on_the_databases_own_host_the_clock_is_the_hosts(env: JobEnvironment) -> None:
    await clock.compare(env)

    before = datetime.now(UTC)
    assert before <= clock.now() <= datetime.now(UTC)


async def test_a_session_that_a_host_of_yesterday_begins_lasts_as_long_as_any(
    env: JobEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "datetime", clock_moved_by(timedelta(days=-2)))
    await clock.compare(env)

    async with begin(env.sessions) as session:
        user = User(email="late@shop.test", name="Late")
        session.add(user)
        await session.flush()
        await identity_sessions.start(session, user.id, ip="", user_agent="", instead_of=None)
        ends = await session.scalar(select(Session.expires_at))

    assert ends is not None
    assert abs(ends - datetime.now(UTC) - identity_sessions.LIFETIME) < MOMENT
