"""Objects of two shoppers and of the shop, which attackers request by id."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.models import SavedReport
from server.catalog.category_models import Department, SizeSystem
from server.catalog.models import Product, ProductColor, Variant
from server.content.models import PAGE, Document
from server.identity.models import Address, Passkey, Session, User
from server.identity.sessions import token_hash
from server.inventory.models import Import
from server.media.models import Image
from server.orders.models import (
    Checkout,
    CheckoutLine,
    Order,
    OrderLine,
    Return,
    ReturnLine,
    Shipment,
    ShipmentLine,
)
from server.payments.models import Refund
from server.platform.core.db import begin
from server.platform.core.models import FailedJob
from server.pricing.models import DeliveryCountry, DeliveryRate, DeliveryZone, DiscountCode, TaxRate
from server.pricing.promotions import PercentOff, Promotion
from server.wishlist.models import StockAlert, WishlistItem
from tests.api.conftest import ADDRESS, PRICE, SOLD, Shop

KNOWN_FAILURE = "NotSent: SMTPConnectError"
"""Of the failed job that is there from the beginning."""

PIECES = 3


@dataclass(frozen=True)
class Belongings:
    """Ids of what one shopper owns. `checkout` is the provider's id of the session that `reservation` has, and
    `paid_checkout` that of the one that became `shipped_order`."""

    user: UUID
    address: UUID
    spare_address: UUID
    session: UUID
    spare_session: UUID
    order: UUID
    order_line: UUID
    shipped_order: UUID
    shipped_line: UUID
    shipment: UUID
    return_: UUID
    refund: UUID
    passkey: UUID
    reservation: UUID
    checkout: str
    paid_checkout: str


@dataclass(frozen=True)
class World:
    shop: Shop
    shopper: Belongings
    other: Belongings
    color: UUID
    other_color: UUID
    image: UUID
    import_: UUID
    job: UUID
    zone: UUID
    report: UUID
    page: UUID
    code: str
    uploads: Sequence[UUID] = ()
    """Pictures that each admin has sent to the store."""


ONE_SIZE = {"name": "Circumference", "values": [{"name": "52", "labels": []}]}


async def furnish(shop: Shop) -> World:
    """Adds to a shop of `tests.api` what is missing there."""
    async with begin(shop.sessions) as session:
        owned = {
            name: await _belongings(session, shop, await _user(session, getattr(shop.people, name)))
            for name in ("shopper", "other")
        }
        image = Image(sha256="0" * 64, width=900, height=1200, size_bytes=1, placeholder="data:,")
        brought = Import(
            actor_id=shop.people.admin, actor_email="admin@shop.test", file_name="spring.csv", content=b"sku\n"
        )
        brought.state = "ready"
        failed = FailedJob(
            id=uuid4(),
            kind="mail",
            payload={"mail_id": str(uuid4())},
            attempts=1,
            error=KNOWN_FAILURE,
            created_at=datetime.now(UTC),
        )
        zone = DeliveryZone(name="Islands", is_rest=True)
        code = DiscountCode(code="SPRING10", promotion=Promotion(PercentOff(10)))
        color = (await session.scalars(select(ProductColor))).one()
        other_color = await _other_color(session, color)
        report = SavedReport(name="Weekly", definition="by=DAY", owner_id=shop.people.admin, owner_name="Alan Turing")
        empty = Department(key="babies", name="Babies", heading="For Babies", slug="babies", position=3)
        rings = SizeSystem(key="rings", name="Rings", axes=[ONE_SIZE], sizes=["52"])
        tax = TaxRate(country="DE", basis_points=1_900)
        page = _page()
        session.add_all([empty, rings, image, brought, failed, zone, code, report, page, tax])
        await session.flush()
        session.add(DeliveryCountry(country="GB", zone_id=zone.id))
        session.add(DeliveryRate(zone_id=zone.id, minimum=0, price_cents=900))
    return World(
        shop=shop,
        shopper=owned["shopper"],
        other=owned["other"],
        color=color.id,
        other_color=other_color.id,
        image=image.id,
        import_=brought.id,
        job=failed.id,
        zone=zone.id,
        report=report.id,
        page=page.id,
        code=code.code,
    )


def _page() -> Document:
    content = {"title": "Cotton", "description": "", "blocks": [{"kind": "free_text", "text": "Soft."}]}
    live = {"published": content, "published_at": datetime.now(UTC)}
    return Document(kind=PAGE, key="cotton", draft=content, updated_by="owner@shop.test", **live)


async def _other_color(session: AsyncSession, color: ProductColor) -> ProductColor:
    """Of another product, which is sold out."""
    product = Product(
        name="Linen Trousers",
        title="Linen Trousers",
        subtitle="Wide linen",
        description="Long.",
        gender="women",
        subcategory="trousers",
        price_cents=4_500,
    )
    session.add(product)
    await session.flush()
    other = ProductColor(product_id=product.id, name="Sand", hex="#d8c9a8", position=0)
    session.add(other)
    await session.flush()
    session.add(Variant(product_id=product.id, color_id=other.id, size="M", sku="TR-M", stock=0))
    return other


async def _user(session: AsyncSession, user_id: UUID) -> User:
    return (await session.scalars(select(User).where(User.id == user_id))).one()


async def _belongings(session: AsyncSession, shop: Shop, user: User) -> Belongings:
    now = datetime.now(UTC)
    address = (await session.scalars(select(Address.id).where(Address.user_id == user.id))).one()
    spare = Address(user_id=user.id, name=user.name, address1="2 Back Street", city="London", country="GB", phone="2")
    elsewhere, spare_session = (
        Session(token_hash=token_hash(f"{where} of {user.id}"), user_id=user.id, expires_at=now + timedelta(hours=20))
        for where in ("phone", "tablet")
    )
    order, line = await _order(session, shop, user, now)
    shipped, shipped_line = await _order(session, shop, user, now - timedelta(days=2), shipped=2)
    parcel = Shipment(order_id=shipped.id, carrier="UPS", tracking_number="1Z 9", tracking_url="")
    returned = Return(order_id=shipped.id, reason="Too small.")
    refund = Refund(
        order_id=shipped.id, payment_intent_id=f"pi_{shipped.id}", amount_cents=500, reason="Late.", asked_by="a@b.co"
    )
    refund.status = "failed"
    checkout, paid = (
        Checkout(
            user_id=user.id,
            email=user.email,
            fingerprint="as it was",
            currency="USD",
            shipping_address=ADDRESS,
            total_cents=PRICE,
            status=status,
            stripe_session_id=f"cs_{status}_{user.id.hex}",
            client_secret="secret",
            expires_at=now + timedelta(minutes=30),
            check_at=now + timedelta(minutes=30),
        )
        for status in ("open", "completed")
    )
    passkey = Passkey(user_id=user.id, credential_id=user.id.bytes, public_key=b"", name="Phone")
    session.add_all([spare, elsewhere, spare_session, passkey, parcel, returned, refund, checkout, paid])
    await session.flush()
    shipped.checkout_id = paid.id
    # Their sessions have shown that passkey, or every sensitive act would be refused for want of it.
    await session.execute(update(Session).where(Session.user_id == user.id).values(second_factor="passkey"))
    session.add_all(
        [
            ShipmentLine(shipment_id=parcel.id, order_line_id=shipped_line.id, quantity=2),
            ReturnLine(return_id=returned.id, order_line_id=shipped_line.id, quantity=1),
            WishlistItem(user_id=user.id, product_id=shop.people.product),
            StockAlert(user_id=user.id, email=user.email, variant_id=shop.people.variants[0]),
            CheckoutLine(
                checkout_id=checkout.id,
                variant_id=shop.people.variants[1],
                product_id=shop.people.product,
                position=0,
                quantity=1,
                size="M",
                sku="OX-M",
                **SOLD,
            ),
        ]
    )
    return Belongings(
        user=user.id,
        address=address,
        spare_address=spare.id,
        session=elsewhere.id,
        spare_session=spare_session.id,
        order=order.id,
        order_line=line.id,
        shipped_order=shipped.id,
        shipped_line=shipped_line.id,
        shipment=parcel.id,
        return_=returned.id,
        refund=refund.id,
        passkey=passkey.id,
        reservation=checkout.id,
        checkout=str(checkout.stripe_session_id),
        paid_checkout=str(paid.stripe_session_id),
    )


async def _order(
    session: AsyncSession, shop: Shop, user: User, paid_at: datetime, *, shipped: int = 0
) -> tuple[Order, OrderLine]:
    order = Order(
        user_id=user.id,
        email=user.email,
        payment_status="paid",
        total_cents=PIECES * PRICE,
        currency="USD",
        shipping_address=ADDRESS,
        paid_at=paid_at,
        payment_intent_id=f"pi_{user.id.hex}_{shipped}",
        fulfilment="partly_shipped" if shipped else "unfulfilled",
    )
    session.add(order)
    await session.flush()
    line = OrderLine(
        order_id=order.id,
        position=0,
        product_id=shop.people.product,
        variant_id=shop.people.variants[0],
        size="S",
        sku="OX-S",
        quantity=PIECES,
        **SOLD,
    )
    line.shipped = shipped
    session.add(line)
    await session.flush()
    return order, line
