"""Fills an empty shop with the demo range, demo accounts, two years of orders and two months of visits."""

import asyncio
import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import Sequence, func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics import facts
from server.audit.models import AuditEntry
from server.catalog.models import Product, ProductColor, ProductImage, StockMovement, Variant
from server.config import Settings
from server.core import locks, money
from server.core.db import Sessions, begin, create_engine, sessionmaker
from server.core.locks import Lock
from server.core.models import ShopFact
from server.demo import catalogue, history, measurements, parcels, stockroom, tariff, visits
from server.demo.pictures import originals
from server.identity.models import Address, User
from server.identity.passwords import PasswordHashing
from server.media import service as media
from server.media.service import ImageProcessor, NewImage
from server.orders import carriers
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
from server.pricing.models import DeliveryCountry, DeliveryRate, DeliveryZone, DiscountCode, TaxRate

PASSWORD = "Minimal1!"  # noqa: S105 - printed at every start, and made on loopback only
GRAMS = {"shirts": 300, "trousers": 550, "jeans": 750}
FIRST_ORDER = 10_001
SHOPPERS_ORDERS = (341, 163, 58, 9)
"""Days ago."""
WAITING_HOURS = (30, 5)
"""How long ago a shopper each asked for admin access."""
EPOCH = datetime(2024, 1, 1, tzinfo=UTC)
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
        return await pictures.put(original, _id("image", picture.file))

    kept = await asyncio.gather(*(keep(picture) for picture in drawn))
    return {picture.file: image for picture, image in zip(drawn, kept, strict=True)}


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
    await _add(session, Product, _product_rows(offer, orders))
    await _add(session, ProductColor, _color_rows(products))
    await _add(session, ProductImage, _picture_rows(products, images))
    await _add(session, Variant, _variant_rows(products))
    asking = {person.email: now - timedelta(hours=hours) for person, hours in zip(people, WAITING_HOURS, strict=False)}
    users = [_user_row(person, asking.get(person.email)) for person in people]
    await _add(session, User, [*_account_rows(password, now), *users])
    await _add(session, AuditEntry, _log_rows(people[-1], now))
    await _add(session, Address, _address_rows([*people, shopper]))
    sent = {_order_id(order): parcels.parcels(order, now) for order in orders}
    rows = [_order_row(number, order, sent[_order_id(order)]) for number, order in enumerate(orders, FIRST_ORDER)]
    await _add(session, Order, rows)
    await _add(session, OrderLine, _line_rows(orders, images, sent))
    await _add(session, Shipment, _shipment_rows(sent))
    await _add(session, ShipmentLine, _shipment_line_rows(orders, sent))
    wishes = parcels.wishes(orders, now)
    await _add(session, Return, [*_return_rows(orders), *map(_wish_row, wishes)])
    await _add(session, ReturnLine, [*_return_line_rows(orders), *map(_wish_line_row, wishes)])
    await _add(session, Refund, _refund_rows(orders))
    await _add(session, RefundLine, _refund_line_rows(orders))
    await _add_tariff(session, now)
    await _add(session, StockMovement, _movement_rows(stockroom.movements(offer, orders, now)))
    await session.execute(select(func.setval(_sequence_name(order_numbers), FIRST_ORDER + len(orders) - 1)))
    await session.execute(
        _ADD_EVENTS, {"events": orjson.dumps(_event_rows(visits.events(offer, orders, now))).decode()}
    )
    await facts.build(session)
    await session.execute(insert(ShopFact).values(name="demo", value={"orders": len(orders)}))


async def _add_tariff(session: AsyncSession, now: datetime) -> None:
    ids = {zone.name: _id("zone", zone.name) for zone in tariff.ZONES}
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


def _id(*names: object, at: datetime = EPOCH) -> UUID:
    """A UUID of version 7 that is always the same for the same names and moment."""
    digest = int.from_bytes(sha256("\x1f".join(map(str, names)).encode()).digest()[:10], "big")
    value = int(at.timestamp() * 1000) << 80 | digest
    return UUID(int=value & ~(0xF000 << 64) & ~(0xC000 << 48) | 0x7000 << 64 | 0x8000 << 48)


def _product_id(product: catalogue.Product) -> UUID:
    return _id("product", product.slug)


def _color_id(product: catalogue.Product, color: str) -> UUID:
    return _id("color", product.slug, color)


def _variant_id(product: catalogue.Product, color: str, size: str) -> UUID:
    return _id("variant", product.slug, color, size)


def _sku(product: catalogue.Product, color: str, size: str) -> str:
    return f"{product.details.number}-{color.replace(' ', '').upper()}-{size}"


def _product_rows(offer: history.Range, orders: list[history.Order]) -> list[dict[str, Any]]:
    sold: Counter[str] = Counter()
    for order in orders:
        for line in order.lines:
            sold[line.product.slug] += line.quantity
    return [
        {
            "id": _product_id(product),
            "name": product.name,
            "title": product.title,
            "subtitle": product.subtitle,
            "description": product.description,
            "details": _details(product.details),
            "measurements": measurements.of_product(product),
            "gender": product.gender,
            "subcategory": product.subcategory,
            "weight_grams": GRAMS[product.subcategory],
            "price_cents": product.price_cents,
            "discounted_price_cents": product.discounted_price_cents,
            "discount_percentage": _percent_off(product),
            "popularity": sold[product.slug],
            "created_at": arrived,
            "updated_at": arrived,
        }
        for product, arrived in offer.arrivals
    ]


def _percent_off(product: catalogue.Product) -> int | None:
    discounted = product.discounted_price_cents
    return None if discounted is None else money.percent_off(product.price_cents, discounted)


def _details(details: catalogue.Details) -> list[dict[str, str]]:
    rows = (
        ("Cloth", details.cloth),
        ("Fit", details.fit),
        ("Closing", details.closing),
        ("Care", details.care),
        ("Made in", details.made_in),
        ("Number", details.number),
    )
    return [{"label": label, "text": value} for label, value in rows]


def _color_rows(products: Iterable[catalogue.Product]) -> list[dict[str, Any]]:
    return [
        {
            "id": _color_id(product, color.name),
            "product_id": _product_id(product),
            "name": color.name,
            "hex": color.hex,
            "position": place,
        }
        for product in products
        for place, color in enumerate(product.colors)
    ]


def _picture_rows(products: Iterable[catalogue.Product], images: dict[str, NewImage]) -> list[dict[str, Any]]:
    return [
        {
            "product_id": _product_id(product),
            "color_id": _color_id(product, picture.color),
            "image_id": images[picture.file].id,
            "alt": picture.alt,
            "position": place,
        }
        for product in products
        for place, picture in enumerate(product.pictures)
        if picture.file in images
    ]


def _variant_rows(products: Iterable[catalogue.Product]) -> list[dict[str, Any]]:
    return [
        {
            "id": _variant_id(product, color, size),
            "product_id": _product_id(product),
            "color_id": _color_id(product, color),
            "size": size,
            "sku": _sku(product, color, size),
            "stock": stock,
        }
        for product in products
        for (color, size), stock in product.stock.items()
    ]


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
            "id": _id("user", account.email),
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


def _user_row(person: history.Shopper, asked_at: datetime | None = None) -> dict[str, Any]:
    """A shopper of the past has no password: nobody signs in as one."""
    return {
        "id": _id("user", person.email),
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
    told = [
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
            "actor_id": _id("user", owner.email),
            "actor_email": owner.email,
            "action": action,
            "subject_kind": "user",
            "subject_id": str(_id("user", email)),
            "subject_label": email,
            "before": before,
            "after": after,
        }
        for at, action, email, before, after in told
    ]


def _address_rows(people: Iterable[history.Shopper]) -> list[dict[str, Any]]:
    return [
        {
            **asdict(home),
            "id": _id("address", person.email, place, at=person.joined + timedelta(seconds=place)),
            "user_id": _id("user", person.email),
            "is_default": place == 0,
            "created_at": person.joined,
        }
        for person in people
        for place, home in enumerate(person.homes)
    ]


def _order_id(order: history.Order) -> UUID:
    return _id("order", order.shopper.email, order.at.isoformat(), at=order.at)


def _order_row(number: int, order: history.Order, sent: list[parcels.Parcel]) -> dict[str, Any]:
    """Without a payment's id: the provider knows nothing of these, and nothing asks it for them."""
    refunded = order.returned.amount_cents if order.returned else 0
    status = "paid" if not refunded else "refunded" if refunded == order.total_cents else "partially_refunded"
    return {
        "id": _order_id(order),
        "number": number,
        "user_id": _id("user", order.shopper.email),
        "email": order.shopper.email,
        "payment_status": status,
        "fulfilment": parcels.fulfilment(order, sent),
        "total_cents": order.total_cents,
        "refunded_cents": refunded,
        "currency": money.CURRENCY,
        "shipping_address": asdict(order.shopper.homes[0]),
        "created_at": order.at,
        "paid_at": order.at,
    }


def _line_id(order: history.Order, place: int) -> UUID:
    return _id("line", _order_id(order), place, at=order.at)


def _line_rows(
    orders: Iterable[history.Order], images: dict[str, NewImage], sent: dict[UUID, list[parcels.Parcel]]
) -> list[dict[str, Any]]:
    return [
        {
            "id": _line_id(order, place),
            "order_id": _order_id(order),
            "position": place,
            "product_id": _product_id(line.product),
            "variant_id": _variant_id(line.product, line.color.name, line.size),
            "name": line.product.name,
            "color": line.color.name,
            "size": line.size,
            "sku": _sku(line.product, line.color.name, line.size),
            "image_id": _front(line, images),
            "quantity": line.quantity,
            "unit_price_cents": line.unit_price_cents,
            "list_price_cents": line.product.price_cents,
            "shipped": sum(parcel.pieces.get(place, 0) for parcel in sent[_order_id(order)]),
        }
        for order in orders
        for place, line in enumerate(order.lines)
    ]


def _shipment_id(order_id: UUID, parcel: parcels.Parcel) -> UUID:
    return _id("parcel", order_id, parcel.number, at=parcel.at)


def _shipment_rows(sent: dict[UUID, list[parcels.Parcel]]) -> list[dict[str, Any]]:
    return [
        {
            "id": _shipment_id(order_id, parcel),
            "order_id": order_id,
            "carrier": parcel.carrier,
            "tracking_number": parcel.number,
            "tracking_url": carriers.followed_at(parcel.carrier, parcel.number),
            "created_at": parcel.at,
            "delivered_at": parcel.delivered_at,
        }
        for order_id, load in sent.items()
        for parcel in load
    ]


def _shipment_line_rows(
    orders: Iterable[history.Order], sent: dict[UUID, list[parcels.Parcel]]
) -> list[dict[str, Any]]:
    return [
        {
            "shipment_id": _shipment_id(_order_id(order), parcel),
            "order_line_id": _line_id(order, place),
            "quantity": quantity,
        }
        for order in orders
        for parcel in sent[_order_id(order)]
        for place, quantity in parcel.pieces.items()
    ]


def _return_id(order: history.Order) -> UUID:
    return _id("return", _order_id(order), at=order.at)


def _return_rows(orders: Iterable[history.Order]) -> list[dict[str, Any]]:
    """What came back in the past: asked for, accepted, received and refunded."""
    return [
        {
            "id": _return_id(order),
            "order_id": _order_id(order),
            "status": "refunded",
            "reason": order.returned.reason,
            "answer": parcels.ACCEPTED,
            "created_at": max(order.returned.at - timedelta(days=5), order.at + timedelta(days=5, hours=6)),
            "answered_at": max(order.returned.at - timedelta(days=4), order.at + timedelta(days=5, hours=12)),
            "received_at": order.returned.at,
            "refunded_at": order.returned.at,
        }
        for order in orders
        if order.returned
    ]


def _return_line_rows(orders: Iterable[history.Order]) -> list[dict[str, Any]]:
    return [
        {
            "return_id": _return_id(order),
            "order_line_id": _line_id(order, place),
            "quantity": line.quantity,
            "received": line.quantity,
            "restocked": line.quantity,
        }
        for order in orders
        if order.returned
        for place, line in enumerate(order.returned.lines)
    ]


def _wish_row(wish: parcels.Wish) -> dict[str, Any]:
    return {
        "id": _return_id(wish.order),
        "order_id": _order_id(wish.order),
        "status": wish.status,
        "reason": wish.reason,
        "answer": parcels.ACCEPTED if wish.answered_at else "",
        "created_at": wish.at,
        "answered_at": wish.answered_at,
        "received_at": None,
        "refunded_at": None,
    }


def _wish_line_row(wish: parcels.Wish) -> dict[str, Any]:
    line = {"order_line_id": _line_id(wish.order, 0), "quantity": 1, "received": None, "restocked": 0}
    return {"return_id": _return_id(wish.order), **line}


def _refund_id(order: history.Order, back: history.Return) -> UUID:
    return _id("refund", _order_id(order), at=back.at)


def _refund_line_rows(orders: Iterable[history.Order]) -> list[dict[str, Any]]:
    return [
        {
            "refund_id": _refund_id(order, order.returned),
            "order_line_id": _line_id(order, place),
            "quantity": line.quantity,
            "amount_cents": line.unit_price_cents * line.quantity,
        }
        for order in orders
        if order.returned
        for place, line in enumerate(order.returned.lines)
    ]


def _front(line: history.Line, images: dict[str, NewImage]) -> UUID | None:
    front = line.product.pictures_of(line.color.name)[0].file
    return images[front].id if front in images else None


def _refund_rows(orders: Iterable[history.Order]) -> list[dict[str, Any]]:
    return [
        {
            "id": _refund_id(order, order.returned),
            "return_id": _return_id(order),
            "order_id": _order_id(order),
            "payment_intent_id": f"demo_{_order_id(order).hex}",
            "amount_cents": order.returned.amount_cents,
            "reason": order.returned.reason,
            "status": "succeeded",
            "stripe_refund_id": f"demo_{_order_id(order).hex}",
            "created_at": order.returned.at,
        }
        for order in orders
        if order.returned
    ]


def _movement_rows(movements: Iterable[stockroom.Movement]) -> list[dict[str, Any]]:
    manager = ACCOUNTS[1]
    return [
        {
            "id": _id("movement", place, *movement.shelf, at=movement.at),
            "created_at": movement.at,
            "variant_id": _variant_id_of(movement.shelf),
            "quantity": movement.quantity,
            "reason": movement.reason,
            "order_id": _order_id(movement.order) if movement.order else None,
            "note": movement.note,
            "actor_id": None if movement.reason == "sale" else _id("user", manager.email),
            "actor_email": "" if movement.reason == "sale" else manager.email,
        }
        for place, movement in enumerate(movements)
    ]


def _event_rows(events: Iterable[visits.Event]) -> list[dict[str, Any]]:
    ids = {product.slug: _product_id(product) for product in catalogue.products()}
    return [
        {
            "id": _id("event", place, at=event.at),
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
    return _id("variant", shelf.slug, shelf.color, shelf.size)
