"""Everything that the shop stores about one person, table by table, as JSON for the data export."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart.models import Cart, CartLine
from server.catalog.models import Product, ProductColor, Variant
from server.identity.factors import held
from server.identity.models import Address, EmailVerification, KnownDevice, Session, User
from server.mail.models import Mail
from server.orders.checkouts import ADDRESS_FIELDS
from server.orders.models import Checkout, Order, OrderLine
from server.orders.queries import returns_by_order
from server.payments.models import Refund
from server.platform.core import money
from server.platform.core.viewer import Viewer
from server.wishlist.models import StockAlert, WishlistItem

Facts = dict[str, Any]


async def account(session: AsyncSession, user: User) -> Facts:
    """The account's own facts. Of the password only whether there is one; a replaced e-mail is known for a week."""
    previous = select(EmailVerification.previous_email).where(EmailVerification.user_id == user.id)
    return {
        "name": user.name,
        "email": user.email,
        "emailVerifiedAt": _time(user.email_verified_at),
        "previousEmail": await session.scalar(previous),
        "hasPassword": user.password_hash is not None,
        "googleAccount": user.google_sub,
        "role": user.role,
        "adminRequestedAt": _time(user.admin_requested_at),
        "createdAt": _time(user.created_at),
    }


async def addresses(session: AsyncSession, user: User) -> list[Facts]:
    """The saved addresses, oldest first."""
    rows = await session.scalars(select(Address).where(Address.user_id == user.id).order_by(Address.id))
    return [{**_address(vars(row)), "isDefault": row.is_default, "createdAt": _time(row.created_at)} for row in rows]


async def sessions(session: AsyncSession, viewer: Viewer) -> list[Facts]:
    """Signed-in browsers, without their tokens."""
    rows = await session.scalars(select(Session).where(Session.user_id == viewer.user_id).order_by(Session.created_at))
    return [
        {
            "isCurrent": row.id == viewer.session_id,
            "userAgent": row.user_agent,
            "ip": row.ip,
            "createdAt": _time(row.created_at),
            "lastSeenAt": _time(row.last_seen_at),
            "expiresAt": _time(row.expires_at),
            "method": row.method,
            "secondFactor": row.second_factor,
            "authenticatedAt": _time(row.authenticated_at),
            "activeAt": _time(row.active_at),
        }
        for row in rows
    ]


async def known_devices(session: AsyncSession, user: User) -> list[Facts]:
    """Browsers that have signed in before, without their device cookies."""
    rows = await session.scalars(
        select(KnownDevice).where(KnownDevice.user_id == user.id).order_by(KnownDevice.created_at)
    )
    return [
        {
            "knowsPassword": row.knows_password,
            "firstSignInAt": _time(row.created_at),
            "lastSignInAt": _time(row.last_used_at),
            "expiresAt": _time(row.expires_at),
        }
        for row in rows
    ]


async def second_factors(session: AsyncSession, user: User) -> Facts:
    """Which second factors there are, without their secrets."""
    own = await held.of_user(session, user.id)
    return {
        "passkeys": [
            {"name": row.name, "createdAt": _time(row.created_at), "lastUsedAt": _time(row.last_used_at)}
            for row in own.passkeys
        ],
        "hasCodes": own.has_codes,
        "recoveryCodesLeft": own.recovery_codes,
    }


async def cart(session: AsyncSession, user: User) -> list[Facts]:
    """The cart's lines in the order of adding."""
    own = (
        select(CartLine, Variant.size, ProductColor.name.label("color"), Product.name)
        .join(Cart, Cart.id == CartLine.cart_id)
        .join(Variant, Variant.id == CartLine.variant_id)
        .join(ProductColor, ProductColor.id == Variant.color_id)
        .join(Product, Product.id == Variant.product_id)
        .where(Cart.user_id == user.id)
        .order_by(CartLine.added_at)
    )
    return [
        {
            "product": row.name,
            "color": row.color,
            "size": row.size,
            "quantity": row.CartLine.quantity,
            "priceWhenAdded": money.decimal_text(row.CartLine.seen_price_cents),
            "addedAt": _time(row.CartLine.added_at),
        }
        for row in await session.execute(own)
    ]


async def wishlist(session: AsyncSession, user: User) -> list[Facts]:
    """The wishlist, with products that are no longer on sale."""
    own = (
        select(Product.name, ProductColor.name.label("color"), WishlistItem.added_at)
        .join(WishlistItem, WishlistItem.product_id == Product.id)
        .outerjoin(ProductColor, ProductColor.id == WishlistItem.color_id)
        .where(WishlistItem.user_id == user.id)
        .order_by(WishlistItem.added_at)
    )
    return [
        {"product": row.name, "color": row.color, "addedAt": _time(row.added_at)} for row in await session.execute(own)
    ]


async def stock_alerts(session: AsyncSession, user: User) -> list[Facts]:
    """Open alerts: requested while signed in, or for the account's verified address."""
    theirs = StockAlert.user_id == user.id
    if user.email_verified_at is not None:
        theirs = or_(theirs, StockAlert.email == user.email)
    own = (
        select(Product.name, ProductColor.name.label("color"), Variant.size, StockAlert)
        .join(Variant, Variant.id == StockAlert.variant_id)
        .join(ProductColor, ProductColor.id == Variant.color_id)
        .join(Product, Product.id == Variant.product_id)
        .where(theirs)
        .order_by(StockAlert.id)
    )
    return [
        {
            "product": row.name,
            "color": row.color,
            "size": row.size,
            "email": row.StockAlert.email,
            "askedAt": _time(row.StockAlert.created_at),
            "mailedAt": _time(row.StockAlert.mailed_at),
        }
        for row in await session.execute(own)
    ]


async def orders(session: AsyncSession, user: User) -> list[Facts]:
    """All orders, oldest first, each with its lines and refunds."""
    rows = (await session.scalars(select(Order).where(Order.user_id == user.id).order_by(Order.created_at))).all()
    ids = [row.id for row in rows]
    lines = _grouped(
        (line.order_id, _line(line))
        for line in await session.scalars(
            select(OrderLine).where(OrderLine.order_id.in_(ids)).order_by(OrderLine.position)
        )
    )
    refunds = _grouped(
        (refund.order_id, _refund(refund))
        for refund in await session.scalars(select(Refund).where(Refund.order_id.in_(ids)).order_by(Refund.created_at))
    )
    returns = await returns_by_order(session, ids)
    return [
        {
            **_order(row),
            "lines": lines.get(row.id, []),
            "refunds": refunds.get(row.id, []),
            "returns": [
                {"reason": each.reason, "status": each.status, "requestedAt": _time(each.created_at)}
                for each in returns.get(row.id, [])
            ],
        }
        for row in rows
    ]


async def unfinished_payments(session: AsyncSession, user: User) -> list[Facts]:
    """Checkouts that led to no order."""
    ordered = select(Order.checkout_id).where(Order.checkout_id == Checkout.id).exists()
    begun = select(Checkout).where(Checkout.user_id == user.id, ~ordered).order_by(Checkout.created_at)
    return [
        {
            "startedAt": _time(row.created_at),
            "status": row.status,
            "email": row.email,
            "totalAmount": money.decimal_text(row.total_cents),
            "currency": row.currency.upper(),
            "shippingAddress": _address(row.shipping_address),
        }
        for row in await session.scalars(begun)
    ]


async def mails(session: AsyncSession, user: User) -> list[Facts]:
    """Mails to the account's address in the last month, after which the shop deletes them.

    Only for a verified address: otherwise anyone could enter another person's address into a profile and read what that
    person was sent.
    """
    if user.email_verified_at is None:
        return []
    rows = await session.scalars(select(Mail).where(Mail.recipient == user.email).order_by(Mail.created_at))
    return [{"subject": row.subject, "writtenAt": _time(row.created_at), "sentAt": _time(row.sent_at)} for row in rows]


def _order(order: Order) -> Facts:
    return {
        "number": order.quoted,
        "createdAt": _time(order.created_at),
        "paidAt": _time(order.paid_at),
        "canceledAt": _time(order.canceled_at),
        "paymentStatus": order.payment_status,
        "paymentReference": order.payment_intent_id,
        "email": order.email,
        "totalAmount": money.decimal_text(order.total_cents),
        "refundedAmount": money.decimal_text(order.refunded_cents),
        "currency": order.currency.upper(),
        "shippingAddress": _address(order.shipping_address),
    }


def _line(line: OrderLine) -> Facts:
    return {
        "product": line.name,
        "color": line.color,
        "size": line.size,
        "sku": line.sku,
        "quantity": line.quantity,
        "price": money.decimal_text(line.unit_price_cents),
    }


def _refund(refund: Refund) -> Facts:
    return {
        "amount": money.decimal_text(refund.amount_cents),
        "reason": refund.reason,
        "status": refund.status,
        "createdAt": _time(refund.created_at),
    }


def _address(row: dict[str, Any]) -> Facts:
    values = {name: row.get(name, "") for name in ADDRESS_FIELDS}
    values["postalCode"], values["countryCode"] = values.pop("postal_code"), values.pop("country_code")
    return values


def _grouped(pairs: Iterable[tuple[UUID | None, Facts]]) -> dict[UUID | None, list[Facts]]:
    groups: dict[UUID | None, list[Facts]] = {}
    for key, facts in pairs:
        groups.setdefault(key, []).append(facts)
    return groups


def _time(moment: datetime | None) -> str | None:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z") if moment else None
