"""Administration of delivery zones, shipping rates and taxes."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import delete, insert, select
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.platform.core import countries, locks, money
from server.platform.core.errors import InvalidInput, NotFound
from server.platform.core.locks import Lock
from server.platform.core.rules import NumberRule
from server.platform.core.text import is_storable, text_problem
from server.platform.core.viewer import Viewer
from server.pricing import shipping_rates
from server.pricing.models import DeliveryCountry, DeliveryRate, DeliveryZone, TaxRate
from server.pricing.shipping_rates import ShippingRate

LONGEST_NAME = 60
MOST_RATES = 20
MOST_MINIMUM = 100_000_000
DAYS = NumberRule(0, 365, unit="days", is_optional=True)
FREE_FROM = NumberRule(0, money.MAX_CENTS, "0 or more", is_optional=True)
BASIS_POINTS = NumberRule(0, 10_000, "0 to 100 percent")


@dataclass(frozen=True)
class ZoneDraft:
    """A zone as an admin enters it; `DeliveryZone` explains the members."""

    name: str
    is_rest: bool
    countries: tuple[str, ...]
    basis: str
    rates: tuple[ShippingRate, ...]
    free_from_cents: int | None
    min_days: int | None
    max_days: int | None


@dataclass(frozen=True)
class TaxDraft:
    """A country's tax as an admin enters it."""

    name: str
    basis_points: int
    on_delivery: bool


async def save_zone(session: AsyncSession, actor: Viewer | None, zone_id: UUID | None, draft: ZoneDraft) -> UUID:
    """Creates a zone, or changes one with all its countries and rates. Raises InvalidInput or NotFound."""
    # Serialized: two admins must not put a country into two zones, or create two zones for the rest of the world.
    await locks.acquire(session, Lock.DELIVERY_ZONES)
    zones_by_id = {zone.id: zone for zone in await shipping_rates.zones(session)}
    if zone_id is not None and zone_id not in zones_by_id:
        raise NotFound("This delivery zone")
    if problems := _zone_problems(draft, [zone for zone in zones_by_id.values() if zone.id != zone_id]):
        raise InvalidInput(problems)
    facts = {
        "name": draft.name,
        "is_rest": draft.is_rest,
        "basis": draft.basis,
        "free_from_cents": draft.free_from_cents,
        "min_days": draft.min_days,
        "max_days": draft.max_days,
    }
    row = await session.get_one(DeliveryZone, zone_id) if zone_id else DeliveryZone(position=len(zones_by_id), **facts)
    for name, value in facts.items():
        setattr(row, name, value)
    session.add(row)
    await session.flush()
    await session.execute(delete(DeliveryCountry).where(DeliveryCountry.zone_id == row.id))
    await session.execute(delete(DeliveryRate).where(DeliveryRate.zone_id == row.id))
    if listed := [{"country": code, "zone_id": row.id} for code in draft.countries]:
        await session.execute(insert(DeliveryCountry), listed)
    await session.execute(insert(DeliveryRate), [{"zone_id": row.id, **asdict(rate)} for rate in draft.rates])
    before = _audit_values(zones_by_id[row.id]) if zone_id else {}
    action = "delivery changed" if zone_id else "delivery added"
    if before != (after := _audit_values(draft)):
        await audit.record(session, actor, action, _subject(row.id, draft.name), before=before, after=after)
    return row.id


async def remove_zone(session: AsyncSession, actor: Viewer | None, zone_id: UUID) -> None:
    """Deletes a zone. Its countries then belong to the rest of the world, if that has a zone. Raises NotFound."""
    zone = next((zone for zone in await shipping_rates.zones(session) if zone.id == zone_id), None)
    if zone is None:
        raise NotFound("This delivery zone")
    await session.execute(delete(DeliveryZone).where(DeliveryZone.id == zone_id))
    await audit.record(session, actor, "delivery removed", _subject(zone_id, zone.name), before=_audit_values(zone))


async def set_tax(session: AsyncSession, actor: Viewer | None, country: str, draft: TaxDraft) -> None:
    """Creates or changes a country's tax. Raises InvalidInput."""
    problems = {} if country in countries.names() else {"country": "Choose a country"}
    if problem := text_problem(draft.name, LONGEST_NAME, missing="Give it a name"):
        problems["name"] = problem
    if problem := BASIS_POINTS.problem(draft.basis_points):
        problems["basisPoints"] = problem
    if problems:
        raise InvalidInput(problems)
    before = await session.scalar(select(TaxRate).where(TaxRate.country == country))
    values_before = {name: getattr(before, name) for name in TaxDraft.__dataclass_fields__} if before else {}
    row = pg.insert(TaxRate).values(country=country, **asdict(draft))
    await session.execute(row.on_conflict_do_update(index_elements=[TaxRate.country], set_=asdict(draft)))
    if values_before != asdict(draft):
        subject = audit.AuditSubject("tax", country, countries.names()[country])
        await audit.record(session, actor, "tax changed", subject, before=values_before, after=asdict(draft))


async def remove_tax(session: AsyncSession, actor: Viewer | None, country: str) -> None:
    """Deletes a country's tax; has no effect when there is none."""
    if not is_storable(country):
        return
    gone = await session.scalar(delete(TaxRate).where(TaxRate.country == country).returning(TaxRate.basis_points))
    if gone is not None:
        subject = audit.AuditSubject("tax", country, countries.names().get(country, country))
        await audit.record(session, actor, "tax removed", subject, before={"basis_points": gone})


def _zone_problems(draft: ZoneDraft, others: Sequence[shipping_rates.ShippingZone]) -> dict[str, str]:
    problems: dict[str, str] = {}
    if problem := text_problem(draft.name, LONGEST_NAME, missing="Give it a name"):
        problems["name"] = problem
    if countries_problem := _countries_problem(draft, others):
        problems["countries"] = countries_problem
    minimums = [rate.minimum for rate in draft.rates]
    if not 1 <= len(draft.rates) <= MOST_RATES or len(set(minimums)) != len(minimums):
        problems["rates"] = f"1 to {MOST_RATES} rates, each from another weight or amount on"
    elif not all(0 <= r.minimum <= MOST_MINIMUM and 0 <= r.price_cents <= money.MAX_CENTS for r in draft.rates):
        problems["rates"] = "No weight, amount or price below 0"
    if problem := FREE_FROM.problem(draft.free_from_cents):
        problems["freeFrom"] = problem
    return {**problems, **_days_problems(draft.min_days, draft.max_days)}


def _days_problems(least: int | None, most: int | None) -> dict[str, str]:
    """Each reports its own fault first."""
    for field, days in (("minDays", least), ("maxDays", most)):
        if problem := DAYS.problem(days):
            return {field: problem}
    if (least is None) != (most is None):
        return {"minDays" if least is None else "maxDays": "Both days or neither"}
    if least is not None and most is not None and least > most:
        return {"maxDays": f"From the least to the most, up to {DAYS.most}"}
    return {}


def _countries_problem(draft: ZoneDraft, others: Sequence[shipping_rates.ShippingZone]) -> str | None:
    if draft.is_rest:
        rest = next((zone.name for zone in others if zone.is_rest), None)
        if rest:
            return f"{rest} takes the rest of the world already"
        return "The rest of the world lists no countries" if draft.countries else None
    if not draft.countries:
        return "Choose at least one country"
    if unknown := [code for code in draft.countries if code not in countries.names()]:
        return f"{', '.join(unknown)[:60]} is no country"
    taken = {code: zone.name for zone in others for code in zone.countries}
    clash = next((code for code in draft.countries if code in taken), None)
    return f"{countries.names()[clash]} is in {taken[clash]} already" if clash else None


def _audit_values(zone: ZoneDraft | shipping_rates.ShippingZone) -> dict[str, Any]:
    """What the audit log keeps of a zone."""
    rates = {str(rate.minimum): rate.price_cents for rate in sorted(zone.rates, key=lambda rate: rate.minimum)}
    facts = {name: getattr(zone, name) for name in ("name", "is_rest", "basis", "free_from_cents")}
    return {
        **facts,
        "countries": sorted(zone.countries),
        "rates_cents": rates,
        "days": [zone.min_days, zone.max_days],
    }


def _subject(zone_id: UUID, name: str) -> audit.AuditSubject:
    return audit.AuditSubject("delivery", zone_id, name)
