"""What the domains contribute to the app: resources, jobs, periodic work, routes."""

from collections.abc import Awaitable, Callable

from server.analytics import facts, popularity
from server.analytics import routes as analytics
from server.analytics.behaviour import events
from server.analytics.behaviour import routes as behaviour
from server.analytics.behaviour.intake import Intake
from server.analytics.code_sales import CODE_SALES
from server.analytics.reports.pool import ReportsPool
from server.analytics.totals import TotalsCache
from server.cart import routes as cart
from server.cart import service as cart_service
from server.catalog import discounts
from server.catalog import pictures as catalog_pictures
from server.catalog import routes as catalog
from server.catalog.follower import CHANNEL as CHANGED_PRODUCTS
from server.catalog.follower import CatalogFollower
from server.catalog.live import LiveCatalog
from server.config import Settings
from server.content import publishing
from server.content.published import CHANNEL as PUBLISHED_PAGES
from server.content.published import PublishedPages
from server.identity import routes as identity
from server.identity import service as identity_service
from server.identity.account_contents import AccountContent, AccountContentsPort
from server.identity.gateway import GoogleVerifier
from server.identity.passwords import PasswordHashing
from server.inventory import imports
from server.inventory import routes as inventory
from server.live.service import EventHub
from server.mail import service as mail
from server.mail.gateway import SmtpServer
from server.media import routes as media
from server.media import service as media_service
from server.media.service import ImageProcessor
from server.media.store_identity import image_folder
from server.operations.overview import QueuesByKind
from server.orders import routes as orders
from server.payments import reconciliation
from server.payments import routes as payments
from server.payments import service as payments_service
from server.payments.gateway import StripeGateway
from server.platform.core import limits
from server.platform.core.db import CircuitBreaker
from server.platform.core.disk import DiskSpace
from server.platform.core.jobs import JobEnvironment, JobQueue
from server.platform.core.notify import Listener
from server.platform.core.reader import Reader
from server.platform.core.resources import Resources
from server.platform.core.sealing import Sealer
from server.pricing.shipping_rates import ShippingRatesCache
from server.privacy import routes as privacy
from server.shop.service import TIME_ZONE, SettingsCache
from server.wishlist import back_in_stock, unsubscribing
from server.wishlist import routes as wishlist
from server.wishlist import service as wishlist_service

QUEUES: dict[str, JobQueue] = {
    "payments": JobQueue(payments_service.HANDLERS, concurrency=4),
    "identity": JobQueue(identity_service.HANDLERS, concurrency=2),
    "restock": JobQueue(back_in_stock.HANDLERS | unsubscribing.HANDLERS, concurrency=1),
    "mail": JobQueue(mail.HANDLERS, concurrency=10),
    "imports": JobQueue(imports.HANDLERS, concurrency=2),
    "content": JobQueue(publishing.HANDLERS, concurrency=1),
    "reports": JobQueue(facts.HANDLERS, concurrency=1),
}
"""Each has workers of its own, so that a slow mail server or a long import never delays payments."""

HOUR = 3600.0
PERIODIC: list[tuple[float, Callable[[JobEnvironment], Awaitable[None]]]] = [
    (2.0, payments_service.sweep),
    (1.0, discounts.turn),
    (60.0, facts.check),
    (5.0, popularity.apply),
    (HOUR, events.tidy),
    (HOUR, identity_service.tidy),
    (HOUR, mail.tidy),
    (HOUR, reconciliation.tidy),
    (HOUR, catalog_pictures.tidy),
    (HOUR, media_service.tidy),
    (10.0, back_in_stock.sweep),
    (HOUR, unsubscribing.tidy),
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
    *inventory.routes,
    *orders.documents,
    *privacy.routes,
    *wishlist.routes,
    *behaviour.routes,
]
ACCOUNT_CONTENTS = AccountContentsPort(
    (
        AccountContent("The cart", cart_service.clear),
        AccountContent("The wishlist", wishlist_service.clear),
        AccountContent("Requests for mails about sold-out items", back_in_stock.clear),
    )
)
"""What is removed from an account that was another person's until now."""
LOADED_EARLY = ("email_validator", "jinja2", "rapidfuzz.process", "rapidfuzz.distance")
"""What is small and used deep in code that waits for nothing: 4 MB and a tenth of a second after the start."""
RAW_BODIES = frozenset({"/uploads/images", "/uploads/products", "/unsubscribe", "/unsubscribe/link"})


def resources(settings: Settings, breaker: CircuitBreaker) -> Resources:
    """One instance of each gateway and store, for this process."""
    disk = DiskSpace(
        settings.database_url, None if settings.images_url else image_folder(settings), settings.limits.low_disk_mb
    )
    reader = Reader(settings.database_reader_url)
    reports = ReportsPool(settings.database_url, breaker, settings.database_reader_url, reader, **settings.pooling)
    return Resources(
        settings,
        disk,
        Intake(),
        reader,
        reports,
        TotalsCache(reports),
        SettingsCache(settings),
        TIME_ZONE,
        ShippingRatesCache(),
        EventHub(),
        PasswordHashing(),
        Sealer(settings.secret_key.get_secret_value(), settings.key_file),
        GoogleVerifier(settings.google.client_id, settings.google.certs_url),
        SmtpServer(settings.mail_server, settings.mail_from),
        orders.ORDERS_OF_USERS,
        CODE_SALES,
        ACCOUNT_CONTENTS,
        QueuesByKind({kind: name for name, queue in QUEUES.items() for kind in queue.handlers}),
        ImageProcessor.of(settings, disk),
        payment_gateway(settings),
    )


def payment_gateway(settings: Settings) -> StripeGateway:
    """The Stripe account of the settings, or the stand-in."""
    return StripeGateway(
        settings.stripe.secret_key,
        settings.stripe.webhook_secrets,
        return_url=f"{settings.public_url}/payment/return?session_id={{CHECKOUT_SESSION_ID}}",
        api_base=settings.stripe.api,
    )


def follow_settings(listener: Listener, resources: Resources) -> None:
    """Registers the settings that every process keeps."""
    memory = resources.get(SettingsCache)
    listener.on("shop_settings", memory.changed, memory.connection_lost)
    rates = resources.get(ShippingRatesCache)
    listener.on("tariff", rates.changed, rates.connection_lost)


def keep_catalog(listener: Listener, resources: Resources) -> CatalogFollower:
    """Makes what keeps the catalogue and answers made of it, for a process that answers GraphQL."""
    # It loads GraphQL, which a worker does without.
    from server.catalog.cache import CatalogCache

    reader = resources.get(Reader)
    catalog = LiveCatalog(CatalogFollower(reader), reader)
    for each in (catalog, catalog.follower, CatalogCache(catalog)):
        resources.add(each)
    listener.on(CHANGED_PRODUCTS, catalog.notified, catalog.connection_lost)
    for channel in ("catalog", "shop_settings", "tariff"):
        listener.on(channel, catalog.settings_changed)
    pages = PublishedPages()
    resources.add(pages)
    listener.on(PUBLISHED_PAGES, pages.changed, pages.connection_lost)
    listener.on(PUBLISHED_PAGES, lambda _payload: catalog.beside_changed("pages"))
    return catalog.follower


def follow_news(listener: Listener, resources: Resources) -> None:
    """Registers what passes news on to subscriptions."""
    hub = resources.get(EventHub)
    for channel, handler in hub.channels.items():
        listener.on(channel, handler)
