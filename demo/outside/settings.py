"""The settings of the process, from its arguments and its environment."""

import os
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

from demo.outside import keys

LOOPBACK_NAMES = ("localhost", "127.0.0.1")


@dataclass(frozen=True)
class Settings:
    """The stand-ins' settings."""

    port: int
    smtp_port: int
    data: Path
    shop: str
    settings_from_stdin: bool = False
    """Whether they load only when standard input ends; earlier requests wait."""
    stripe_key: str = keys.STRIPE_SECRET_KEY
    webhook_secret: str = keys.STRIPE_WEBHOOK_SECRET
    google_client_id: str = keys.GOOGLE_CLIENT_ID

    @property
    def url(self) -> str:
        """Their own base URL."""
        return f"http://localhost:{self.port}"

    @property
    def webhook_url(self) -> str:
        """The shop's URL for webhooks."""
        return f"{self.shop}{keys.WEBHOOK_PATH}"

    @cached_property
    def shop_origins(self) -> tuple[str, ...]:
        """Origins of the shop's pages. A loopback address has two names, and a developer types either."""
        address = urlsplit(self.shop)
        if address.hostname not in LOOPBACK_NAMES:
            return (f"{address.scheme}://{address.netloc}",)
        port = f":{address.port}" if address.port else ""
        return tuple(f"{address.scheme}://{name}{port}" for name in LOOPBACK_NAMES)

    @cached_property
    def own_hosts(self) -> frozenset[str]:
        """Host headers that are accepted."""
        return frozenset(f"{name}:{self.port}" for name in LOOPBACK_NAMES)

    @cached_property
    def own_origins(self) -> frozenset[str]:
        """Origins of their own pages."""
        return frozenset(f"http://{host}" for host in self.own_hosts)


def read(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> Settings:
    """Arguments win over the environment. Ends the process, as argparse does, when a number is none."""
    shop_port = int(environment.get("PORT") or 8000)
    parser = ArgumentParser(prog="python -m demo.outside", description="Stand-ins for Stripe, Google and mail.")
    parser.add_argument("--port", type=int, default=environment.get("OUTSIDE_PORT") or shop_port + 1)
    parser.add_argument("--smtp-port", type=int, default=environment.get("OUTSIDE_SMTP_PORT") or 0)
    parser.add_argument("--data", type=Path, default=environment.get("SHOP_DATA") or ".shop", help="the shop's folder")
    parser.add_argument("--settings-from-stdin", action="store_true", help="listen, and load when standard input ends")
    parser.add_argument("--shop", default=environment.get("PUBLIC_URL") or f"http://localhost:{shop_port}")
    options = parser.parse_args(arguments)
    return Settings(
        port=options.port,
        smtp_port=options.smtp_port or options.port + 1,
        data=options.data / "outside",
        shop=options.shop.rstrip("/"),
        settings_from_stdin=options.settings_from_stdin,
        stripe_key=environment.get("STANDIN_STRIPE_KEY") or keys.STRIPE_SECRET_KEY,
        webhook_secret=environment.get("STANDIN_WEBHOOK_SECRET") or keys.STRIPE_WEBHOOK_SECRET,
        google_client_id=environment.get("STANDIN_GOOGLE_CLIENT_ID") or keys.GOOGLE_CLIENT_ID,
    )
