"""Settings, read once from the environment."""

from dataclasses import dataclass
from email.utils import parseaddr
from functools import cached_property
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from server.limits import Limits
from server.platform.core.hosts import is_loopback
from server.platform.core.sealing import KEY_FILE
from server.platform.core.setting_types import (
    MAX_PORT,
    Amount,
    BucketUrl,
    Count,
    HttpUrl,
    OptionalPort,
    Origin,
    Port,
    SmtpUrl,
    TimeZone,
)

STAND_IN_STRIPE_SECRET_KEY = "sk_test_minimal"  # noqa: S105 - opens nothing but the stand-in
STAND_IN_STRIPE_PUBLISHABLE_KEY = "pk_test_minimal"
STAND_IN_STRIPE_WEBHOOK_SECRET = "whsec_minimal"  # noqa: S105
STAND_IN_GOOGLE_CLIENT_ID = "minimal-demo.apps.googleusercontent.com"
MAX_CART_LINES = 90
"""The payment provider accepts 100 lines, delivery and tax among them."""
DEFAULT_PIECES_PER_VARIANT = 10
Network = IPv4Network | IPv6Network
NO_PROXY = "none"
MAX_CANCEL_MINUTES, MAX_RETURN_DAYS, MAX_LOW_STOCK = 43_200, 365, 1_000
LEAST_SECRET_KEY = 32
"""Characters."""
GOOGLE_CERTS = "https://www.googleapis.com/oauth2/v1/certs"


@dataclass(frozen=True)
class Stripe:
    """Access to the payment provider; `api` is None for Stripe itself, else the stand-in's URL."""

    secret_key: str
    publishable_key: str
    webhook_secrets: tuple[str, ...]
    api: str | None


@dataclass(frozen=True)
class Google:
    """The client whose sign-ins are accepted, and where Google's certificates are."""

    client_id: str
    certs_url: str


class Settings(BaseSettings):
    """The settings of a shop. The defaults make a working demo shop on loopback."""

    model_config = SettingsConfigDict(env_file=".env", env_file_encoding="utf-8", extra="ignore")

    host: str = "127.0.0.1"
    """Address that the server listens on."""
    port: Port = 8000
    """Port that the server listens on."""
    public_url: Origin = ""
    """Address that shoppers type. Links in mails and payment returns start with it. Default: http://localhost:PORT."""
    shop_data: Path = Path(".shop")
    """Folder of the embedded database, the pictures and the stand-ins' ledger."""
    database_url: str = ""
    """A PostgreSQL 18 or newer of your own, as postgresql://user:password@host/name. Default: the embedded one."""
    database_reader_url: str = ""
    """A read replica, or a balancer of several, but no pooler. Reads that may be a second old go there while it lags no
    more than that. Default: the primary serves every read."""
    database_direct_url: str = ""
    """The same database without the pooler that DATABASE_URL leads to, for LISTEN, advisory locks of a session,
    migrations and the commands. Default: DATABASE_URL."""
    database_pool_size: Count = 15
    """Connections to the database that a process keeps."""
    database_max_overflow: Amount = 5
    """Further connections that it opens while it is busy."""
    database_transaction_pooler: bool = False
    """Whether DATABASE_URL leads to a pooler that hands out connections by transaction, such as PgBouncer. Nothing of a
    session is relied on then, and statement_timeout and lock_timeout have to be settings of the role."""
    database_prepared_statements: bool = Field(default_factory=lambda given: not given["database_transaction_pooler"])
    """Whether statements are prepared by name. Default: not through a pooler; one that knows them, as PgBouncer does
    from 1.21 on, saves a third of the database's work by it."""
    images_url: BucketUrl = ""
    """Where pictures are kept, as an object-store URL (s3://bucket/prefix). Default: SHOP_DATA/images."""
    direct_uploads: bool = False
    """Whether the back office sends pictures straight to that bucket, by signed URLs. The bucket's CORS rules have to
    allow PUT from PUBLIC_URL; a picture that it refuses is sent to the shop."""

    media_base_url: Origin = ""
    """Origin from which pages fetch pictures, as in https://cdn.example: a CDN that asks the shop for /images/.
    Default: the shop itself."""

    backup_url: BucketUrl = ""
    """Where `server archive` keeps continuous backups, as in s3://bucket/prefix. Default: none are made."""
    backup_key: SecretStr = SecretStr("")
    """Encrypts them: 32 random characters or more. Without it they cannot be read, so keep it somewhere else too."""
    backup_hours: Count = 24
    """Hours between two copies of the whole database."""
    backup_days: Count = 14
    """Days of which every moment can be restored."""

    reports_socket: str = ""
    """Path of the socket where `server reports` answers questions about analytics. `server start` makes one; without it
    the web process answers them."""

    metrics_port: OptionalPort = 0
    """Port of this process on which Prometheus asks GET /metrics; 0: none. `server start` gives the next ones to its
    worker and its reports process."""
    metrics_host: str = "127.0.0.1"
    """Address of that port: nobody but Prometheus should reach it."""

    otel_exporter_otlp_endpoint: HttpUrl = ""
    """Where traces go, as in http://collector:4318, by OTLP over HTTP. Default: none are made."""

    stripe_secret_key: SecretStr = SecretStr("")
    stripe_publishable_key: str = ""
    stripe_webhook_secret: SecretStr = SecretStr("")
    """The three of a Stripe account. Without them the stand-in takes the payments. While the webhook's secret is being
    changed, both are given, divided by a comma."""
    google_client_id: str = ""
    """OAuth client of Google sign-in. Without it the stand-in offers personas."""
    smtp_url: SmtpUrl = SecretStr("")
    """smtp://user:password@host:587 or smtps://…; without it mail goes to the stand-in's mailbox."""
    mail_from: str = "Minimal <shop@minimal.test>"
    """Sender of every mail; answers to it are read, and the contact page names it."""
    security_contact: str = ""
    """Where vulnerabilities are reported, an e-mail or a URL, for security.txt. Default: the address in MAIL_FROM."""
    outside_port: OptionalPort = 0
    """Port of the stand-ins. Default: PORT + 1."""
    outside_smtp_port: OptionalPort = 0
    """Port on which the stand-in takes mail. Default: OUTSIDE_PORT + 1000, out of the way of a neighbouring shop."""

    trusted_proxies: str = ""
    """Networks of the reverse proxies whose X-Forwarded-For is believed, as in 10.0.0.0/8, 127.0.0.1; or none."""
    proxy_hops: int = Field(default=1, ge=1, le=10)
    """How many of these proxies a request passes."""
    allowed_hosts: str = ""
    """Further names that the shop answers to beside PUBLIC_URL's, divided by commas, each with a port or without."""
    introspection: bool = Field(default_factory=lambda given: _are_loopback(given["host"], given["public_url"]))
    """Whether GraphiQL and schema introspection are open to everybody, and errors suggest similar names. Default: only
    where nobody but this machine can reach the shop."""

    secret_key: SecretStr = SecretStr("")
    """Encrypts the secrets of one-time codes: 32 random characters or more, the same on every host. Default: made at
    its first use and kept in SHOP_DATA/secret.key."""
    admin_second_factor_required: bool = False
    """Whether the back office is closed to admins who have not set up a passkey or one-time codes."""

    max_pieces_per_variant: Count = DEFAULT_PIECES_PER_VARIANT
    """Most of one variant per order."""

    cancel_minutes: int = Field(default=120, ge=0, le=MAX_CANCEL_MINUTES)
    """How long after payment a shopper may cancel an order."""
    return_days: int = Field(default=30, ge=0, le=MAX_RETURN_DAYS)
    """How long after payment a shopper may ask for a return."""

    seller: str = "Minimal"
    """Name and address of who sells, as an invoice has to show them; lines are divided by |."""
    low_stock_threshold: int = Field(default=5, ge=0, le=MAX_LOW_STOCK)
    """At so few pieces or fewer a variant counts as low on stock."""
    time_zone: TimeZone = "UTC"
    """IANA name of the zone whose days are the shop's, in reports, filters, invoices and files."""
    prices_include_tax: bool = False
    """Whether the catalogue's prices have the tax in them, or it is added at checkout."""

    limits: Limits = Limits()
    """Limits of requests, of accounts and of what is kept, in JSON; none has to be changed to run a shop."""

    demo: bool = Field(default=True)
    """Whether an empty shop on loopback is filled with the demo catalogue and accounts."""

    @model_validator(mode="after")
    def _derive(self) -> Self:
        self.outside_port = self.outside_port or self.port + 1
        self.outside_smtp_port = self.outside_smtp_port or self.outside_port + 1000
        self.public_url = self.public_url or f"http://localhost:{self.port}"
        for name, port in {"OUTSIDE_PORT": self.outside_port, "OUTSIDE_SMTP_PORT": self.outside_smtp_port}.items():
            if port > MAX_PORT:
                raise ValueError(f"{name} would be {port} here, and the last port is {MAX_PORT}: give it another.")
        if self.direct_uploads and not self.images_url.startswith("s3://"):
            raise ValueError("DIRECT_UPLOADS needs a bucket of S3 in IMAGES_URL.")
        if 0 < len(self.secret_key.get_secret_value()) < LEAST_SECRET_KEY:
            raise ValueError(f"SECRET_KEY has at least {LEAST_SECRET_KEY} characters.")
        return self

    @field_validator("trusted_proxies")
    @classmethod
    def _are_networks(cls, value: str) -> str:
        _networks(value)
        return value

    @cached_property
    def proxy_networks(self) -> tuple[Network, ...]:
        """`trusted_proxies`, parsed."""
        return _networks(self.trusted_proxies)

    @property
    def direct_url(self) -> str:
        """The database's URL for what needs a session of its own."""
        return self.database_direct_url or self.database_url

    @property
    def pooling(self) -> dict[str, bool]:
        """How DATABASE_URL may be used, as `create_engine` takes it."""
        return {
            "transaction_pooler": self.database_transaction_pooler,
            "prepared_statements": self.database_prepared_statements,
        }

    @property
    def key_file(self) -> Path:
        """Where the key is kept that is made without a SECRET_KEY."""
        return self.shop_data / KEY_FILE

    @cached_property
    def outside_url(self) -> str:
        """The stand-ins' URL, as a browser on this machine reaches it."""
        return f"http://localhost:{self.outside_port}"

    @property
    def is_https(self) -> bool:
        """Whether browsers reach the shop over HTTPS."""
        return self.public_url.startswith("https://")

    @property
    def stand_in_payments(self) -> bool:
        """Whether the stand-in takes the payments."""
        return not self.stripe_secret_key.get_secret_value()

    @property
    def stand_in_google(self) -> bool:
        """Whether the stand-in offers the Google sign-in."""
        return not self.google_client_id

    @property
    def stand_in_mail(self) -> bool:
        """Whether the stand-in receives the mails."""
        return not self.smtp_url.get_secret_value()

    @cached_property
    def stripe(self) -> Stripe:
        """The Stripe account of the settings, or the stand-in."""
        if self.stand_in_payments:
            return Stripe(
                STAND_IN_STRIPE_SECRET_KEY,
                STAND_IN_STRIPE_PUBLISHABLE_KEY,
                (STAND_IN_STRIPE_WEBHOOK_SECRET,),
                f"http://127.0.0.1:{self.outside_port}",
            )
        return Stripe(
            self.stripe_secret_key.get_secret_value(),
            self.stripe_publishable_key,
            tuple(listed(self.stripe_webhook_secret.get_secret_value())),
            None,
        )

    @cached_property
    def google(self) -> Google:
        """The Google client of the settings, or the stand-in."""
        if self.stand_in_google:
            return Google(STAND_IN_GOOGLE_CLIENT_ID, f"http://127.0.0.1:{self.outside_port}/google/certs")
        return Google(self.google_client_id, GOOGLE_CERTS)

    @property
    def mail_server(self) -> str:
        """SMTP URL of the settings, or of the stand-in."""
        if self.stand_in_mail:
            return f"smtp://127.0.0.1:{self.outside_smtp_port}"
        return self.smtp_url.get_secret_value()

    @property
    def contact_email(self) -> str:
        """The address in `mail_from`, without the name."""
        return parseaddr(self.mail_from)[1]

    @property
    def uses_stand_ins(self) -> bool:
        """Whether any outside service is a stand-in."""
        return self.stand_in_payments or self.stand_in_google or self.stand_in_mail

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the shop."""
        return _are_loopback(self.host, self.public_url)

    def missing_for_public(self) -> list[str]:
        """Names of settings that a shop beyond loopback still needs to start; empty when it has all."""
        if self.is_loopback:
            return []
        required = {
            "STRIPE_SECRET_KEY": self.stripe_secret_key.get_secret_value(),
            "STRIPE_PUBLISHABLE_KEY": self.stripe_publishable_key,
            "STRIPE_WEBHOOK_SECRET": self.stripe_webhook_secret.get_secret_value(),
            "GOOGLE_CLIENT_ID": self.google_client_id,
            "SMTP_URL": self.smtp_url.get_secret_value(),
            "TRUSTED_PROXIES": self.trusted_proxies,
        }
        if self.images_url:
            # With several hosts each would generate a key of its own, and refuse codes set up on another.
            required["SECRET_KEY"] = self.secret_key.get_secret_value()
        return [name for name, value in required.items() if not value]


def _are_loopback(host: str, public_url: str) -> bool:
    """Whether both the host and the public URL are this machine's; an empty URL is."""
    return is_loopback(host) and (not public_url or is_loopback(urlsplit(public_url).hostname or ""))


def listed(value: str) -> list[str]:
    """The items of a comma-separated setting."""
    return [each.strip() for each in value.split(",") if each.strip()]


def _networks(value: str) -> tuple[Network, ...]:
    """Raises ValueError for what is neither an address nor a network."""
    if value.strip().lower() == NO_PROXY:
        return ()
    return tuple(ip_network(each, strict=False) for each in listed(value))
