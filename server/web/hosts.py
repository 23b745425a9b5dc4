"""Host header validation.

Against DNS rebinding: another site can point its own name at this machine. The browser then takes the shop for that
site's origin, and only the Host header tells them apart.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import ClassVar
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from server.config import Settings, is_loopback, listed
from server.core import errors
from server.web.refusals import refuse

HEALTH_PATHS = frozenset({"/livez", "/readyz"})
"""Exempt, since probes address a container by its IP or omit the Host header."""
DEFAULT_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"(?:\[(?P<ipv6>[0-9a-f:.]+)\]|(?P<name>[a-z0-9._-]+))(?::(?P<port>[0-9]{1,5}))?", re.ASCII)


@dataclass(eq=False)
class MisdirectedRequest(errors.StoreError):
    """The request is for another host (RFC 9110, 15.5.20)."""

    status: ClassVar[int] = 421
    code: ClassVar[str] = "MISDIRECTED_REQUEST"
    shop_url: str

    def __str__(self) -> str:
        return f"This shop is at {self.shop_url}."


@dataclass(eq=False)
class BadHost(errors.StoreError):
    """The Host header is missing, sent twice or not a host (RFC 9112, 3.2)."""

    def __str__(self) -> str:
        return "The Host header is missing or cannot be read."


@dataclass(frozen=True)
class Host:
    """A host as in a URL, in lower case; `port` is None for the scheme's default."""

    name: str
    port: int | None = None


def parse_host(value: str) -> Host | None:
    """The host in a header or setting; None for text that is not a host."""
    found = _HOST.fullmatch(value.lower())
    if found is None:
        return None
    port = found["port"]
    return Host(found["ipv6"] or found["name"], int(port) if port else None)


class AllowedHosts:
    """Responds 421 to requests for other hosts than PUBLIC_URL's, loopback and ALLOWED_HOSTS, WebSockets included.

    Where PUBLIC_URL is not loopback, loopback names are accepted only from clients on this machine.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._url = settings.public_url
        public = urlsplit(settings.public_url)
        self._default_port = DEFAULT_PORTS.get(public.scheme)
        self._public = Host(public.hostname or "", public.port or self._default_port)
        self._further = {parse_host(each) for each in listed(settings.allowed_hosts)} - {None}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request or WebSocket handshake."""
        refused = self._refusal(scope) if scope["type"] in ("http", "websocket") else None
        if refused is None:
            await self._app(scope, receive, send)
        else:
            await refuse(refused, scope, receive, send)

    def _refusal(self, scope: Scope) -> errors.StoreError | None:
        sent = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        is_probe = scope["path"] in HEALTH_PATHS
        if is_probe and not sent:
            return None
        host = parse_host(sent[0]) if len(sent) == 1 else None
        if host is None:
            return BadHost()
        peer = scope["client"][0] if scope.get("client") else ""
        if self._serves(host, peer) or (is_probe and _is_address(host.name)):
            return None
        return MisdirectedRequest(self._url)

    def _serves(self, host: Host, peer: str) -> bool:
        if Host(host.name, host.port or self._default_port) == self._public:
            return True
        if host in self._further or Host(host.name) in self._further:
            return True
        return is_loopback(host.name) and (is_loopback(self._public.name) or is_loopback(peer))


def unreadable_hosts(hosts: Iterable[str]) -> list[str]:
    """The entries that are not hosts, for checking ALLOWED_HOSTS."""
    return [each for each in hosts if parse_host(each) is None]


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
