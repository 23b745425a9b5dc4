"""Settings of the shop: from the environment until an admin changes them."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit.models import AuditEntry
from server.config import Settings
from server.platform.core.db import DatabaseUnavailable, Sessions, begin
from server.platform.core.errors import InvalidInput
from server.platform.core.notify import Listener
from server.platform.core.resources import Resources
from server.platform.core.text import UNSTORABLE
from server.shop import service as shop
from server.shop.service import SettingsCache

ENVIRONMENT = Settings(_env_file=None, seller="Minimal | 1 Mill Lane", cancel_minutes=90)  # type: ignore[call-arg]


async def test_without_a_row_everything_is_as_the_environment_says(session: AsyncSession) -> None:
    settings = await shop.settings(session, ENVIRONMENT)

    expected = {
        "name": "Minimal",
        "seller": "Minimal\n1 Mill Lane",
        "contact_email": "shop@minimal.test",
        "cancel_minutes": 90,
        "return_days": 30,
        "low_stock_threshold": 5,
        "time_zone": "UTC",
        "prices_include_tax": False,
    }
    assert {name: getattr(settings, name) for name in expected} == expected


async def test_a_change_counts_for_what_it_names_and_can_be_given_back(session: AsyncSession) -> None:
    await shop.change(session, None, {"return_days": 14, "time_zone": "Europe/Lisbon"}, ENVIRONMENT)
    await shop.change(session, None, {"time_zone": None}, ENVIRONMENT)

    settings = await shop.settings(session, ENVIRONMENT)

    assert (settings.return_days, settings.time_zone, settings.cancel_minutes) == (14, "UTC", 90)


async def test_a_change_is_one_entry_of_the_log_and_no_change_is_none(session: AsyncSession) -> None:
    await shop.change(session, None, {"return_days": 14}, ENVIRONMENT)
    await shop.change(session, None, {"return_days": 14}, ENVIRONMENT)

    [entry] = (await session.scalars(select(AuditEntry))).all()
    assert (entry.action, entry.subject_kind) == ("settings changed", "settings")
    assert (entry.before, entry.after) == ({"return_days": 30}, {"return_days": 14})


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("time_zone", "Mars/Olympus", 'A time zone by its IANA name, like "Europe/Lisbon"'),
        ("contact_email", "nobody", "Please enter a valid email"),
        ("return_days", -1, "0 to 365 days"),
        ("cancel_minutes", 43_201, "0 to 43,200 minutes"),
        ("low_stock_threshold", 1_001, "0 to 1,000 pieces"),
        ("name", " \u200b", "The shop needs a name"),
        ("name", "x" * 31, "At most 30 characters"),
        ("seller", "x" * 1_001, "At most 1,000 characters"),
        ("seller", "Minimal\x00", UNSTORABLE),
        ("contact_email", "a\x00@b.co", UNSTORABLE),
    ],
)
async def test_a_value_that_does_not_do_is_refused_by_name(
    session: AsyncSession, name: str, value: Any, said: str
) -> None:
    with pytest.raises(InvalidInput) as refusal:
        await shop.change(session, None, {name: value}, ENVIRONMENT)

    assert refusal.value.errors == {name: said}


async def test_every_process_hears_of_a_change(sessions: Sessions, database_url: str) -> None:
    memory, listener = SettingsCache(ENVIRONMENT), Listener(database_url)
    listener.on("shop_settings", memory.changed, memory.connection_lost)
    heard = asyncio.Event()
    listener.on("shop_settings", lambda _payload: heard.set())
    listening = asyncio.create_task(listener.run())
    await asyncio.wait_for(heard.wait(), 30)
    before = await memory.get(sessions)
    heard.clear()

    async with begin(sessions) as session:
        await shop.change(session, None, {"return_days": 14}, ENVIRONMENT)
    await asyncio.wait_for(heard.wait(), 30)

    after = await memory.get(sessions)
    assert (before.return_days, after.return_days) == (30, 14)
    listening.cancel()


async def test_what_is_kept_is_not_believed_when_changes_could_be_missed(sessions: Sessions) -> None:
    memory = SettingsCache(ENVIRONMENT)
    memory.changed()
    await memory.get(sessions)
    memory.connection_lost()

    async with begin(sessions) as session:
        await shop.change(session, None, {"return_days": 14}, ENVIRONMENT)

    assert (await memory.get(sessions)).return_days == 14


async def test_without_the_database_settings_are_as_they_were_read_last(sessions: Sessions) -> None:
    resources = Resources(ENVIRONMENT, SettingsCache(ENVIRONMENT))
    reached, away = (SimpleNamespace(sessions=made, resources=resources) for made in (sessions, _away))
    by_the_environment = await shop.current_or_last(away)
    async with begin(sessions) as session:
        await shop.change(session, None, {"name": "Solvej"}, ENVIRONMENT)
    await shop.current_or_last(reached)

    assert by_the_environment.name == "Minimal"
    assert (await shop.current_or_last(away)).name == "Solvej"
    with pytest.raises(DatabaseUnavailable):
        await shop.current(away)


def _away() -> AsyncSession:
    raise DatabaseUnavailable
