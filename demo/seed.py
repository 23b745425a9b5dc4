"""Fills an empty shop with the demo range, demo accounts, two years of orders and two months of visits."""

import asyncio
import random
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import Sequence, func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from demo import catalogue, history, parcels, stockroom, tariff, visits
from demo.order_rows import (
    id_of_order,
    line_rows,
    order_row,
    refund_line_rows,
    refund_rows,
    return_line_rows,
    return_rows,
    shipment_line_rows,
    shipment_rows,
    wish_line_row,
    wish_row,
)
from demo.pictures import originals
from demo.product_rows import color_rows, demo_id, id_of_product, picture_rows, product_rows, variant_rows
from server.analytics import facts
from server.audit.models import AuditEntry
from server.catalog.models import Product, ProductColor, ProductImage, StockMovement, Variant
from server.config import Settings
from server.identity.models import Address, User
from server.identity.passwords import PasswordHashing
from server.media import service as media
from server.media.service import ImageProcessor, NewImage
from server.orders.models import (
    Order,
    OrderLine,
    Return,
    ReturnLine,
    Shipment,
    ShipmentLine,
    order_numbers,
)
from server.payments.models import Refund, RefundLine
from server.platform.core import locks
from server.platform.core.db import Sessions, begin, create_engine, sessionmaker
from server.platform.core.locks import Lock
from server.platform.core.models import ShopFact
from server.pricing.models import DeliveryCountry, DeliveryRate, DeliveryZone, DiscountCode, TaxRate

PASSWORD = "Minimal1!"  # noqa: S105 - printed at every start, and made on loopback only
FIRST_ORDER = 10_001
SHOPPERS_ORDERS = (341, 163, 58, 9)
"""Days ago."""
WAITING_HOURS = (30, 5)
"""How long ago a shopper each asked for admin access."""

# So many that one by one they would take as long as everything else.
_ADD_EVENTS = text(
    """
    INSERT INTO shop_events (id, at, local_at, visit, kind, product_id, category)
    SELECT id, at, at AT TIME ZONE (SELECT time_zone FROM analytics_state), visit, kind, product_id, category
    FROM jsonb_to_recordset(CAST(:events AS jsonb)) AS event (
        id uuid, at timestamptz, visit uuid, kind text, product_id uuid, category text
    )
    """
)


@dataclass(frozen=True)
class Account:
    """A demo account, which signs in with PASSWORD."""

    email: str
    name: str
    role: str = "user"
    is_primary: bool = False


ACCOUNTS = (
    Account("owner@minimal.test", "Olive Owner", "admin", is_primary=True),
    Account("admin@minimal.test", "Alan Admin", "admin"),
    Account("shopper@minimal.test", "Sam Shopper"),
)

SHOPPER = ACCOUNTS[2]


async def seed(settings: Settings) -> bool:
    """Fills the database and the image store of the settings; False when there is anything in the database already.

    Pictures first, then everything else in one transaction: whoever is stopped in the middle may start again.
    """
    engine = create_engine(settings.database_url)
    pictures = ImageProcessor.of(settings)
    try:
        return await fill(sessionmaker(engine), pictures, datetime.now(UTC))
    finally:
        pictures.close()
        await engine.dispose()


async def fill(sessions: Sessions, pictures: ImageProcessor, now: datetime) -> bool:
    """The same shop for the same `now`. Ids of products, colors, variants and pictures are the same at any time."""
    async with sessions() as session:
        if not await _is_empty(session):
            return False
    images = await _keep_pictures(pictures)
    password = await PasswordHashing().hash(PASSWORD)
    async with begin(sessions) as session:
        # However long another process takes to fill it.
        await session.execute(text("SET LOCAL statement_timeout = 0"))
        await locks.acquire(session, Lock.DEMO_SEED)
        if not await _is_empty(session):
            return False
        await _fill(session, images, password, now)
    return True


async def _is_empty(session: AsyncSession) -> bool:
    return not await session.scalar(select(select(User.id).exists() | select(Product.id).exists()))


async def _keep_pictures(pictures: ImageProcessor) -> dict[str, NewImage]:
    """By file name. A picture that has not been drawn yet is left out."""
    drawn = [each for product in catalogue.products() for each in product.pictures if originals.is_drawn(each)]

    async def keep(picture: catalogue.Picture) -> NewImage:
        original = await asyncio.to_thread(originals.read, picture)
        return await pictures.put(original, demo_id("image", picture.file))

    images = await asyncio.gather(*(keep(picture) for picture in drawn))
    return {picture.file: image for picture, image in zip(drawn, images, strict=True)}


async def _fill(session: AsyncSession, images: dict[str, NewImage], password: str, now: datetime) -> None:
    now = now.replace(microsecond=0)
    products = catalogue.products()
    offer = history.Range.of(products, now)
    people = history.shoppers(now)
    shopper = _demo_shopper(now)
    orders = sorted(
        [*history.orders(people, offer, now), *history.orders_of(shopper, offer, SHOPPERS_ORDERS, now)],
        key=lambda order: (order.at, order.shopper.email),
    )
    await facts.begin_bulk(session)
    await media.add(session, list(images.values()))
    await _add(session, Product, product_rows(offer, orders))
    await _add(session, ProductColor, color_rows(products))
    await _add(session, ProductImage, picture_rows(products, images))
    await _add(session, Variant, variant_rows(products))
    asking = {person.email: now - timedelta(hours=hours) for person, hours in zip(people, WAITING_HOURS, strict=False)}
    users = [_user_row(person, asking.get(person.email)) for person in people]
    await _add(session, User, [*_account_rows(password, now), *users])
    await _add(session, AuditEntry, _log_rows(people[-1], now))
    await _add(session, Address, _address_rows([*people, shopper]))
    sent = {id_of_order(order): parcels.parcels(order, now) for order in orders}
    rows = [order_row(number, order, sent[id_of_order(order)]) for number, order in enumerate(orders, FIRST_ORDER)]
    await _add(session, Order, rows)
    await _add(session, OrderLine, line_rows(orders, images, sent))
    await _add(session, Shipment, shipment_rows(sent))
    await _add(session, ShipmentLine, shipment_line_rows(orders, sent))
    wishes = parcels.wishes(orders, now)
    await _add(session, Return, [*return_rows(orders), *map(wish_row, wishes)])
    await _add(session, ReturnLine, [*return_line_rows(orders), *map(wish_line_row, wishes)])
    await _add(session, Refund, refund_rows(orders))
    await _add(session, RefundLine, refund_line_rows(orders))
    await _add_tariff(session, now)
    await _add(session, StockMovement, _movement_rows(stockroom.movements(offer, orders, now)))
    await session.execute(select(func.setval(_sequence_name(order_numbers), FIRST_ORDER + len(orders) - 1)))
    await session.execute(
        _ADD_EVENTS, {"events": orjson.dumps(_event_rows(visits.events(offer, orders, now))).decode()}
    )
    await facts.build(session)
    await session.execute(insert(ShopFact).values(name="demo", value={"orders": len(orders), "accounts": _offered()}))


async def _add_tariff(session: AsyncSession, now: datetime) -> None:
    ids = {zone.name: demo_id("zone", zone.name) for zone in tariff.ZONES}
    await _add(session, DeliveryZone, tariff.zone_rows(ids))
    await _add(session, DeliveryCountry, tariff.country_rows(ids))
    await _add(session, DeliveryRate, tariff.rate_rows(ids))
    await _add(session, TaxRate, tariff.tax_rows())
    await _add(session, DiscountCode, tariff.codes(now))


async def _add(session: AsyncSession, table: Any, rows: Iterable[dict[str, Any]]) -> None:
    if values := list(rows):
        await session.execute(insert(table), values)


def _sequence_name(sequence: Sequence) -> str:
    return str(sequence.name)


def _demo_shopper(now: datetime) -> history.Shopper:
    dice = random.Random(SHOPPER.email)  # noqa: S311
    homes = (history.home(dice, SHOPPER.name), history.home(dice, SHOPPER.name))
    return history.Shopper(SHOPPER.name, SHOPPER.email, _opened(now), homes, "women", "M", 90.0)


def _opened(now: datetime) -> datetime:
    """When the shop and its first accounts began."""
    return now - timedelta(days=history.DAYS)


def _account_rows(password: str, now: datetime) -> list[dict[str, Any]]:
    return [
        {
            "id": demo_id("user", account.email),
            "email": account.email,
            "email_verified_at": _opened(now),
            "name": account.name,
            "password_hash": password,
            "role": account.role,
            "is_primary": account.is_primary,
            "created_at": _opened(now),
            "admin_requested_at": None,
        }
        for account in ACCOUNTS
    ]


def _offered() -> list[dict[str, str]]:
    """The accounts with which GraphiQL signs in."""
    _, admin, shopper = ACCOUNTS
    names = {"shopper": shopper, "admin": admin}
    return [{"name": name, "email": each.email, "password": PASSWORD} for name, each in names.items()]


def _user_row(person: history.Shopper, asked_at: datetime | None = None) -> dict[str, Any]:
    """A shopper of the past has no password: nobody signs in as one."""
    return {
        "id": demo_id("user", person.email),
        "email": person.email,
        "email_verified_at": person.joined,
        "name": person.name,
        "password_hash": None,
        "role": "user",
        "is_primary": False,
        "created_at": person.joined,
        "admin_requested_at": asked_at,
    }


def _log_rows(rejected: history.Shopper, now: datetime) -> list[dict[str, Any]]:
    """How the other admin became one, and somebody did not."""
    owner, admin, _ = ACCOUNTS
    entries = [
        (_opened(now) + timedelta(days=3), "made admin", admin.email, {"role": "user"}, {"role": "admin"}),
        (
            now - timedelta(days=11),
            "admin request rejected",
            rejected.email,
            {"admin_request": True},
            {"admin_request": False},
        ),
    ]
    return [
        {
            "created_at": at,
            "actor_id": demo_id("user", owner.email),
            "actor_email": owner.email,
            "action": action,
            "subject_kind": "user",
            "subject_id": str(demo_id("user", email)),
            "subject_label": email,
            "before": before,
            "after": after,
        }
        for at, action, email, before, after in entries
    ]


def _address_rows(people: Iterable[history.Shopper]) -> list[dict[str, Any]]:
    return [
        {
            **{name: value for name, value in asdict(home).items() if name != "country_code"},
            "country": home.country_code,
            "id": demo_id("address", person.email, place, at=person.joined + timedelta(seconds=place)),
            "user_id": demo_id("user", person.email),
            "is_default": place == 0,
            "created_at": person.joined,
        }
        for person in people
        for place, home in enumerate(person.homes)
    ]


def _movement_rows(movements: Iterable[stockroom.Movement]) -> list[dict[str, Any]]:
    manager = ACCOUNTS[1]
    return [
        {
            "id": demo_id("movement", place, *movement.shelf, at=movement.at),
            "created_at": movement.at,
            "variant_id": _variant_id_of(movement.shelf),
            "quantity": movement.quantity,
            "reason": movement.reason,
            "order_id": id_of_order(movement.order) if movement.order else None,
            "note": movement.note,
            "actor_id": None if movement.reason == "sale" else demo_id("user", manager.email),
            "actor_email": "" if movement.reason == "sale" else manager.email,
        }
        for place, movement in enumerate(movements)
    ]


def _event_rows(events: Iterable[visits.Event]) -> list[dict[str, Any]]:
    ids = {product.slug: id_of_product(product) for product in catalogue.products()}
    return [
        {
            "id": demo_id("event", place, at=event.at),
            "at": event.at,
            "visit": event.visit,
            "kind": event.kind,
            "product_id": ids[event.product.slug],
            "category": event.product.category,
        }
        for place, event in enumerate(events)
    ]


@cache
def _variant_id_of(shelf: stockroom.Shelf) -> UUID:
    return demo_id("variant", shelf.slug, shelf.color, shelf.size)
