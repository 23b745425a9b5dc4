"""The shop's settings: from the environment, unless an admin has changed them at run time."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Protocol
from zoneinfo import available_timezones

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.audit.time_zone import TimeZonePort
from server.config import MAX_CANCEL_MINUTES, MAX_LOW_STOCK, MAX_RETURN_DAYS, Settings
from server.platform.core.cached_value import CachedValue
from server.platform.core.db import Sessions
from server.platform.core.emails import is_deliverable
from server.platform.core.errors import InvalidInput
from server.platform.core.resources import Resources
from server.platform.core.text import UNSTORABLE, is_storable
from server.platform.core.viewer import Viewer
from server.shop.models import ShopSettingsRow

LONGEST_SELLER = 1_000
SUBJECT = audit.AuditSubject("settings", "shop", "Settings of the shop")


@dataclass(frozen=True)
class ShopSettings:
    """What an admin may change at run time.

    `seller` is name and address as printed on an invoice, separated by line breaks. `time_zone` is an IANA name: days
    of the shop, in reports, filters, invoices and files, begin at its midnight. A variant is low on stock at
    `low_stock_threshold` items or fewer.
    """

    seller: str
    contact_email: str
    cancel_minutes: int
    return_days: int
    low_stock_threshold: int
    time_zone: str
    prices_include_tax: bool


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


async def _time_zone(around: ShopContext) -> str:
    return (await current(around)).time_zone


TIME_ZONE = TimeZonePort(_time_zone)


def known(around: ShopContext) -> ShopSettings | None:
    """The settings in this process's cache; None when they have to be read."""
    return around.resources.get(SettingsCache).known


async def settings(session: AsyncSession, defaults: Settings) -> ShopSettings:
    """The settings as this transaction sees them; reads one row."""
    row = await session.scalar(select(ShopSettingsRow).execution_options(populate_existing=True))
    decided = {name: getattr(row, name) for name in FIELDS} if row else {}
    return ShopSettings(**{**from_environment(defaults), **{k: v for k, v in decided.items() if v is not None}})


async def decided(session: AsyncSession) -> list[str]:
    """Names of the settings that an admin has changed."""
    row = await session.scalar(select(ShopSettingsRow).execution_options(populate_existing=True))
    return [name for name in FIELDS if row is not None and getattr(row, name) is not None]


def time_zones() -> list[str]:
    """IANA names of places in alphabetical order, UTC first."""
    places = (zone for zone in available_timezones() if "/" in zone and not zone.startswith(("Etc/", "posix", "right")))
    return ["UTC", *sorted(places)]


def from_environment(defaults: Settings) -> dict[str, Any]:
    """Each setting's value while no admin has changed it."""
    return {
        "seller": "\n".join(line.strip() for line in defaults.seller.split("|")),
        "contact_email": defaults.contact_email,
        "cancel_minutes": defaults.cancel_minutes,
        "return_days": defaults.return_days,
        "low_stock_threshold": defaults.low_stock_threshold,
        "time_zone": defaults.time_zone,
        "prices_include_tax": defaults.prices_include_tax,
    }


async def change(
    session: AsyncSession, actor: Viewer | None, wanted: Mapping[str, Any], defaults: Settings
) -> ShopSettings:
    """Changes the named settings; None restores the environment's value. Raises InvalidInput.

    A trigger on the table notifies every process at the commit.
    """
    values = _checked(wanted)
    before = await settings(session, defaults)
    row = insert(ShopSettingsRow).values(only_row=True, **values)
    changed = {**values, "updated_at": func.now()}
    await session.execute(row.on_conflict_do_update(index_elements=[ShopSettingsRow.only_row], set_=changed))
    after = await settings(session, defaults)
    if after != before:
        await audit.record(session, actor, "settings changed", SUBJECT, before=asdict(before), after=asdict(after))
    return after


FIELDS = tuple(ShopSettings.__dataclass_fields__)


def _checked(wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Raises InvalidInput, which names each invalid value."""
    values = {name: _tidy(value) for name, value in wanted.items()}
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
    match name:
        case _ if isinstance(value, str) and not is_storable(value):
            return UNSTORABLE
        case "seller" if len(value) > LONGEST_SELLER:
            return f"At most {LONGEST_SELLER:,} characters"
        case "contact_email" if not is_deliverable(value):
            return "Please enter a valid email"
        case "time_zone" if value not in available_timezones():
            return 'A time zone by its IANA name, like "Europe/Lisbon"'
        case "cancel_minutes" if not 0 <= value <= MAX_CANCEL_MINUTES:
            return f"0 to {MAX_CANCEL_MINUTES:,} minutes"
        case "return_days" if not 0 <= value <= MAX_RETURN_DAYS:
            return f"0 to {MAX_RETURN_DAYS} days"
        case "low_stock_threshold" if not 0 <= value <= MAX_LOW_STOCK:
            return f"0 to {MAX_LOW_STOCK:,} pieces"
        case _:
            return None
