"""Checks before a shop opens: its keys, its ports, its data."""

import http.client
import socket
from urllib.parse import urlsplit

from server.config import LEAST_SECRET_KEY, Settings, listed
from server.media.store_identity import image_folder, place_of
from server.platform.core.emails import is_deliverable
from server.platform.core.hosts import unreadable_hosts
from server.platform.core.sealing import Sealer
from server.platform.processes.console import CommandRefused
from server.run.database import DatabaseContents

MAX_WEBHOOK_SECRETS = 2
"""The current one, and during a change also the old one."""


def check_settings(settings: Settings) -> None:
    """Raises CommandRefused for settings that cannot open a shop together."""
    _check_public(settings)
    _check_mail(settings)
    _check_stripe(settings)
    _check_database(settings)
    if unreadable := unreadable_hosts(listed(settings.allowed_hosts)):
        raise CommandRefused(f"ALLOWED_HOSTS takes names such as shop.example:8080, and not: {', '.join(unreadable)}.")


def _check_public(settings: Settings) -> None:
    """A shop beyond loopback has no stand-ins, and is reached over HTTPS."""
    if missing := settings.missing_for_public():
        raise CommandRefused(
            f"HOST={settings.host} and PUBLIC_URL={settings.public_url} can be reached from outside this machine, "
            f"where payments, Google and mail must be real, and the proxies in front known. "
            f"Missing: {', '.join(missing)}."
        )
    if not settings.is_loopback and not settings.is_https:
        raise CommandRefused(
            f"PUBLIC_URL={settings.public_url} can be reached from outside this machine, so it has to begin with "
            "https://: over http, sessions and addresses could be read on the way."
        )


def _check_mail(settings: Settings) -> None:
    if "mail_from" in settings.model_fields_set and not is_deliverable(settings.contact_email):
        raise CommandRefused(
            "MAIL_FROM has to be an e-mail address, with or without a name, as in Shop <shop@shop.example>."
        )


def _check_stripe(settings: Settings) -> None:
    """All three settings of an account, or none."""
    stripe = {
        "STRIPE_SECRET_KEY": settings.stripe_secret_key.get_secret_value(),
        "STRIPE_PUBLISHABLE_KEY": settings.stripe_publishable_key,
        "STRIPE_WEBHOOK_SECRET": settings.stripe_webhook_secret.get_secret_value(),
    }
    absent = [name for name, value in stripe.items() if not value]
    if 0 < len(absent) < len(stripe):
        raise CommandRefused(f"Stripe needs all three of its settings. Missing: {', '.join(absent)}.")
    if len(settings.stripe.webhook_secrets) > MAX_WEBHOOK_SECRETS:
        raise CommandRefused(
            "STRIPE_WEBHOOK_SECRET takes one secret, or the old one and the new one divided by a comma."
        )


def _check_database(settings: Settings) -> None:
    """DATABASE_URL stands for the others."""
    if settings.database_transaction_pooler and not settings.database_direct_url:
        raise CommandRefused(
            "Through a pooler that hands out connections by transaction no NOTIFY arrives: "
            "DATABASE_DIRECT_URL has to name the way around it."
        )
    if (settings.database_direct_url or settings.database_reader_url) and not settings.database_url:
        raise CommandRefused("DATABASE_DIRECT_URL and DATABASE_READER_URL go with a DATABASE_URL.")


def check_contents(settings: Settings, contents: DatabaseContents) -> None:
    """Raises CommandRefused when the database holds what these settings cannot go with."""
    _check_demo(settings, contents)
    _check_key(settings, contents)


def _check_demo(settings: Settings, contents: DatabaseContents) -> None:
    """The password of demo accounts is public: they are for a shop with stand-ins."""
    if contents.is_demo and not settings.uses_stand_ins:
        raise CommandRefused(
            "The database holds the demo accounts, whose password is public, and this shop takes real payments. "
            "Give it a database or a SHOP_DATA of its own."
        )


def _check_key(settings: Settings, contents: DatabaseContents) -> None:
    """The key is the one with which the secrets in the database were sealed."""
    secret, file = settings.secret_key.get_secret_value(), settings.key_file
    if not secret:
        if file.exists() and len(file.read_bytes()) < LEAST_SECRET_KEY:
            raise CommandRefused(
                f"{file} has fewer than {LEAST_SECRET_KEY} characters: put the shop's own back, or remove the file to "
                "have a new one made if no account has one-time codes."
            )
        if contents.sealed and not file.exists():
            raise CommandRefused(
                f"{file} is gone, and accounts of this database have one-time codes that were sealed with it: put the "
                "file back, or give its content as SECRET_KEY."
            )
    if contents.sealed and not Sealer(secret, file).can_open(contents.sealed.value, owner=contents.sealed.owner.bytes):
        name = "SECRET_KEY" if secret else str(file)
        raise CommandRefused(
            f"{name} is not the key with which the one-time codes of this database were sealed: give the shop's own."
        )


def check_picture_folder(settings: Settings, contents: DatabaseContents) -> None:
    """Raises CommandRefused when the folder is gone in which the database names pictures."""
    folder = image_folder(settings)
    if contents.has_pictures and not settings.images_url and not folder.exists():
        raise CommandRefused(
            f"{folder} is gone, and the database names pictures in it: put the folder back, have SHOP_DATA or "
            "IMAGES_URL lead to it, or make an empty one to open without them."
        )


def check_pictures(settings: Settings, contents: DatabaseContents) -> None:
    """Raises CommandRefused when another process of this shop keeps its pictures elsewhere, as on a host of its own."""
    check_picture_folder(settings, contents)
    own = place_of(settings)
    if contents.picture_places - {own}:
        place = "in the bucket of IMAGES_URL" if settings.images_url else f"in {image_folder(settings)}"
        raise CommandRefused(
            f"This process keeps pictures {place}, and another process of the same database keeps them somewhere else, "
            "so that each would lack what the other was given. With more than one host, give all of them the same "
            "IMAGES_URL=s3://bucket/prefix, or one SHOP_DATA that they share."
        )


def check_port(host: str, port: int, setting: str) -> None:
    """Raises CommandRefused when the port cannot be bound."""
    try:
        [(family, kind, protocol, _, address), *_] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen()
    except (OSError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise CommandRefused(
            f"Port {port} of {host} cannot be used: {reason}. Choose a free one, as in: {setting}=8500 just start"
        ) from error


def is_listening(host: str, port: int) -> bool:
    """Whether a server accepts connections there."""
    try:
        with socket.create_connection((host, port), timeout=1):
            return True
    except OSError:
        return False


def is_ready(host: str, port: int) -> bool:
    """Whether the server's /readyz responds 200."""
    return _status(host, port, "/readyz", timeout=2) == 200


def ask_for_first_page(host: str, port: int, public_url: str) -> None:
    """Has the home page drawn and cached, so that the first visitor does not wait for it. It may fail."""
    _status(host, port, "/", timeout=10, host_header=urlsplit(public_url).netloc)


def _status(host: str, port: int, path: str, timeout: float, host_header: str = "") -> int | None:
    """The status of the response; None without one."""
    connection = http.client.HTTPConnection(host, port, timeout=timeout)
    try:
        connection.request("GET", path, headers={"Host": host_header} if host_header else {})
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
