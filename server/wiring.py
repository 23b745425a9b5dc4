"""What the domains bring to the app: resources, jobs, work that recurs, routes."""

from collections.abc import Awaitable, Callable

from server.analytics import facts
from server.analytics import routes as analytics
from server.analytics.behaviour import events
from server.analytics.behaviour import routes as behaviour
from server.analytics.reports.pool import Warehouse
from server.cart import routes as cart
from server.catalog import discounts
from server.catalog import pictures as catalog_pictures
from server.catalog import routes as catalog
from server.catalog.cache import CatalogCache
from server.config import Settings
from server.core import garbage, limits
from server.core.db import Gate
from server.core.jobs import Env, Handler
from server.core.notify import Listener
from server.core.resources import Resources
from server.identity import routes as identity
from server.identity import service as identity_service
from server.identity.gateway import GoogleVerifier
from server.identity.passwords import Passwords
from server.live.service import Newsroom
from server.mail import service as mail
from server.mail.gateway import Smtp
from server.media import routes as media
from server.media.service import Pictures
from server.orders import routes as orders
from server.payments import routes as payments
from server.payments import service as payments_service
from server.payments.gateway import StripeGateway
from server.pricing.delivery import TariffMemory
from server.privacy import routes as privacy
from server.shop.service import ShopMemory
from server.stockroom import imports
from server.stockroom import routes as stockroom
from server.wishlist import alerts
from server.wishlist import routes as wishlist

JOBS: tuple[dict[str, Handler], ...] = (
    {**identity_service.HANDLERS, **payments_service.HANDLERS, **alerts.HANDLERS},
    mail.HANDLERS,
    imports.HANDLERS,
    facts.HANDLERS,
)
"""One worker each: a slow mail server holds up nothing but mail, counting anew holds up nothing at all."""

HOUR = 3600.0
PERIODIC: list[tuple[float, Callable[[Env], Awaitable[None]]]] = [
    (2.0, payments_service.sweep),
    (1.0, discounts.turn),
    (60.0, facts.check),
    (garbage.SECONDS, garbage.collect),
    (HOUR, events.tidy),
    (HOUR, identity_service.tidy),
    (HOUR, mail.tidy),
    (HOUR, payments_service.tidy),
    (HOUR, catalog_pictures.tidy),
    (10.0, alerts.sweep),
    (HOUR, alerts.tidy),
    (HOUR, imports.tidy),
    (HOUR, limits.tidy),
]

API_ROUTES = [
    *identity.routes,
    *catalog.routes,
    *cart.routes,
    *orders.routes,
    *payments.routes,
    *analytics.routes,
]
OTHER_ROUTES = [
    *media.routes,
    *stockroom.routes,
    *orders.documents,
    *privacy.routes,
    *wishlist.routes,
    *behaviour.routes,
]
RAW_BODIES = frozenset({"/uploads/images", "/uploads/products", "/unsubscribe"})


def resources(settings: Settings, gate: Gate) -> Resources:
    """One of each gateway and store for this process."""
    return Resources(
        settings,
        CatalogCache(),
        Warehouse(settings.database_url, gate),
        ShopMemory(settings),
        TariffMemory(),
        Newsroom(),
        Passwords(),
        GoogleVerifier(settings.google.client_id, settings.google.certs_url),
        Smtp(settings.mail_server, settings.mail_from),
        orders.ORDERS_OF_USERS,
        Pictures.of(settings),
        payment_gateway(settings),
    )


def payment_gateway(settings: Settings) -> StripeGateway:
    """The account of the settings, or the stand-in."""
    return StripeGateway(
        settings.stripe.secret_key,
        settings.stripe.webhook_secret,
        return_url=f"{settings.public_url}/payment/return?session_id={{CHECKOUT_SESSION_ID}}",
        api_base=settings.stripe.api,
    )


def listen(listener: Listener, made: Resources) -> None:
    """Who wants to hear of other processes' commits."""
    cache = made.get(CatalogCache)
    listener.on("catalog", cache.changed, cache.connection_lost)
    memory = made.get(ShopMemory)
    listener.on("shop_settings", memory.changed, memory.connection_lost)
    tariff = made.get(TariffMemory)
    listener.on("tariff", tariff.changed, tariff.connection_lost)
    newsroom = made.get(Newsroom)
    for channel, heard in newsroom.channels.items():
        listener.on(channel, heard)
