"""Creates the provider's session of a checkout, from its lines, discount, delivery and tax."""

from uuid import UUID

from server.config import Settings
from server.media import service as media
from server.orders.checkouts import ReservedCheckout
from server.orders.models import Checkout
from server.payments.gateway import (
    NewSession,
    ProviderSession,
    SessionDiscount,
    SessionLineItem,
    SessionShipping,
    StripeGateway,
)
from server.platform.core import money
from server.platform.core.db import autocommit
from server.platform.core.jobs import JobEnvironment

PICTURE_WIDTH = 180


async def session_of(env: JobEnvironment, reservation: ReservedCheckout) -> ProviderSession:
    """The session of a checkout, the same one each time: the idempotency key is the checkout's."""
    checkout, pictures = reservation.checkout, await _image_urls(env, reservation)
    goods = [
        SessionLineItem(
            name=line.name,
            description=f"{line.color}, {line.size}",
            unit_cents=line.unit_price_cents,
            quantity=line.quantity,
            image_url=pictures.get(line.image_id) if line.image_id else None,
        )
        for line in reservation.lines
    ]
    new = NewSession(
        reference=checkout.id,
        items=[*goods, *_added_tax(checkout)],
        currency=checkout.currency,
        email=checkout.email,
        expires_at=checkout.expires_at,
        reduction=_reduction(checkout),
        shipping=_shipping(checkout),
    )
    return await env.resources.get(StripeGateway).create_session(new, key=f"checkout:{checkout.id}")


def _added_tax(checkout: Checkout) -> list[SessionLineItem]:
    """The tax as a line item, unless it is zero or included in prices."""
    if checkout.tax_included or checkout.tax_cents == 0:
        return []
    return [
        SessionLineItem(checkout.tax_name, f"{money.percent(checkout.tax_basis_points)} tax", checkout.tax_cents, 1)
    ]


def _reduction(checkout: Checkout) -> SessionDiscount | None:
    code, cents = checkout.discount_code, checkout.discount_cents
    return SessionDiscount(code, cents) if code and cents else None


def _shipping(checkout: Checkout) -> SessionShipping | None:
    """None for a shop without delivery zones, where delivery is free."""
    if not checkout.delivery_name:
        return None
    name = f"Delivery, {checkout.delivery_name}"
    return SessionShipping(name, checkout.shipping_cents, checkout.delivery_min_days, checkout.delivery_max_days)


async def _image_urls(env: JobEnvironment, reservation: ReservedCheckout) -> dict[UUID, str]:
    """URLs of the lines' images, where the provider's page can load them: Stripe's cannot from loopback."""
    settings = env.resources.get(Settings)
    if not (settings.is_https or settings.stand_in_payments):
        return {}
    async with autocommit(env.sessions) as session:
        rows = await media.images_by_id(session, [line.image_id for line in reservation.lines if line.image_id])
    return {
        row.id: f"{settings.public_url}{media.path_of(row.id, row.width, PICTURE_WIDTH, 'jpg')}"
        for row in rows.values()
    }
