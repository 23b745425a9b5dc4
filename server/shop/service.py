"""The shop's settings: from the environment, unless an admin has changed them at run time."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any, Protocol
from zoneinfo import available_timezones

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.audit.time_zone import TimeZonePort
from server.config import Settings
from server.platform.core.cached_value import CachedValue
from server.platform.core.db import Sessions, is_unavailable
from server.platform.core.errors import InvalidInput
from server.platform.core.resources import Resources
from server.platform.core.text import UNSTORABLE, is_storable
from server.platform.core.viewer import Viewer
from server.shop.models import ShopSettingsRow
from server.shop.settings import BY_NAME, ShopSettings, from_environment

COLUMNS = frozenset(ShopSettingsRow.__table__.columns.keys())
"""Settings with a column of their own; the others are kept in `further`."""
SUBJECT = audit.AuditSubject("settings", "shop", "Settings of the shop")


class ShopContext(Protocol):
    """What a request's context and a job's environment have in common."""

    @property
    def sessions(self) -> Sessions:
        """Makes database sessions."""

    @property
    def resources(self) -> Resources:
        """The process's long-lived objects."""


class SettingsCache(CachedValue[ShopSettings]):
    """The settings, cached in this process until they change."""

    def __init__(self, defaults: Settings) -> None:
        super().__init__(partial(settings, defaults=defaults))


async def current(around: ShopContext) -> ShopSettings:
    """The settings, usually from the cache; for requests and jobs outside a transaction."""
    return await around.resources.get(SettingsCache).get(around.sessions)


async def current_or_last(around: ShopContext) -> ShopSettings:
    """The settings; while the database is unavailable those that were read last, or the environment's."""
    try:
        return await current(around)
    except Exception as error:
        if not is_unavailable(error):
            raise
        last = around.resources.get(SettingsCache).last
        return last or ShopSettings(**from_environment(around.resources.get(Settings)))


async def _time_zone(around: ShopContext) -> str:
    return (await current(around)).time_zone


TIME_ZONE = TimeZonePort(_time_zone)


def known(around: ShopContext) -> ShopSettings | None:
    """The settings in this process's cache; None when they have to be read."""
    return around.resources.get(SettingsCache).known


async def settings(session: AsyncSession, defaults: Settings) -> ShopSettings:
    """The settings as this transaction sees them; reads one row."""
    return ShopSettings(**{**from_environment(defaults), **await _decided(session)})


async def name(session: AsyncSession) -> str:
    """The shop's name as this transaction sees it; reads one row."""
    changed: str | None = (await _decided(session)).get("name")
    return changed or str(BY_NAME["name"].default)


async def decided(session: AsyncSession) -> list[str]:
    """Names of the settings that an admin has changed."""
    return list(await _decided(session))


async def _decided(session: AsyncSession) -> dict[str, Any]:
    """The settings that an admin has changed, with their values."""
    row = await session.scalar(select(ShopSettingsRow).execution_options(populate_existing=True))
    if row is None:
        return {}
    values = {**row.further, **{name: getattr(row, name) for name in BY_NAME if name in COLUMNS}}
    return {name: values[name] for name in BY_NAME if values.get(name) is not None}


def time_zones() -> list[str]:
    """IANA names of places in alphabetical order, UTC first."""
    places = (zone for zone in available_timezones() if "/" in zone and not zone.startswith(("Etc/", "posix", "right")))
    return ["UTC", *sorted(places)]


async def change(
    session: AsyncSession, actor: Viewer | None, changes: Mapping[str, Any], defaults: Settings
) -> ShopSettings:
    """Changes the named settings; None restores the environment's value. Raises InvalidInput.

    A trigger on the table notifies every process at the commit.
    """
    values = _checked(changes)
    before = await settings(session, defaults)
    own = {name: value for name, value in values.items() if name in COLUMNS}
    further = {name: value for name, value in values.items() if name not in COLUMNS}
    row = insert(ShopSettingsRow).values(only_row=True, further=further, **own)
    merged = ShopSettingsRow.further.concat(row.excluded.further)
    changed = {**own, "further": merged, "updated_at": func.now()}
    await session.execute(row.on_conflict_do_update(index_elements=[ShopSettingsRow.only_row], set_=changed))
    after = await settings(session, defaults)
    if after != before:
        await audit.record(session, actor, "settings changed", SUBJECT, before=asdict(before), after=asdict(after))
    return after


def _checked(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Raises InvalidInput, which names each invalid value."""
    values = {name: _tidy(value) for name, value in changes.items()}
    problems: dict[str, str] = {}
    for name, value in values.items():
        if value is not None and (problem := _problem(name, value)):
            problems[name] = problem
    if problems:
        raise InvalidInput(problems)
    return values


def _tidy(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return "\n".join(line.strip() for line in value.strip().splitlines() if line.strip()) or None


def _problem(name: str, value: Any) -> str | None:
    if isinstance(value, str) and not is_storable(value):
        return UNSTORABLE
    return BY_NAME[name].rule.problem(value)
