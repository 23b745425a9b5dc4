"""Host header validation.

Against DNS rebinding: another site can point its own name at this machine. The browser then takes the shop for that
site's origin, and only the Host header distinguishes them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import ClassVar
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from server.platform.core import errors
from server.platform.core.error_codes import ErrorCode
from server.platform.core.hosts import Host, is_loopback, parse_host
from server.platform.core.site import Site
from server.platform.web.refusals import refuse

HEALTH_PATHS = frozenset({"/livez", "/readyz"})
"""Exempt, since probes address a container by its IP or omit the Host header."""
DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(eq=False)
class MisdirectedRequest(errors.StoreError):
    """The request is for another host (RFC 9110, 15.5.20)."""

    status: ClassVar[int] = 421
    code: ClassVar[ErrorCode] = ErrorCode.MISDIRECTED_REQUEST
    shop_url: str

    def __str__(self) -> str:
        return f"This shop is at {self.shop_url}."


@dataclass(eq=False)
class BadHost(errors.StoreError):
    """The Host header is missing, sent twice or not a host (RFC 9112, 3.2)."""

    def __str__(self) -> str:
        return "The Host header is missing or cannot be read."


class AllowedHosts:
    """Responds 421 to requests for other hosts than the site's, loopback and `further` ones, WebSockets included.

    Where the site is not on loopback, loopback names are accepted only from clients on this machine.
    """

    def __init__(self, app: ASGIApp, site: Site, further: Iterable[str] = ()) -> None:
        self._app = app
        self._url = site.public_url
        public = urlsplit(site.public_url)
        self._default_port = DEFAULT_PORTS.get(public.scheme)
        self._public = Host(public.hostname or "", public.port or self._default_port)
        self._served: bytes | None = None
        """The last header that named the shop, from any client."""
        self._further = {parse_host(each) for each in further} - {None}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request or WebSocket handshake."""
        refused = self._refusal(scope) if scope["type"] in ("http", "websocket") else None
        if refused is None:
            await self._app(scope, receive, send)
        else:
            await refuse(refused, scope, receive, send)

    def _refusal(self, scope: Scope) -> errors.StoreError | None:
        sent = [value for name, value in scope["headers"] if name == b"host"]
        if sent == [self._served]:
            return None
        is_probe = scope["path"] in HEALTH_PATHS
        if is_probe and not sent:
            return None
        host = parse_host(sent[0].decode("latin-1")) if len(sent) == 1 else None
        if host is None:
            return BadHost()
        if self._serves(host):
            self._served = sent[0]
            return None
        peer = scope["client"][0] if scope.get("client") else ""
        if (is_loopback(host.name) and is_loopback(peer)) or (is_probe and _is_address(host.name)):
            return None
        return MisdirectedRequest(self._url)

    def _serves(self, host: Host) -> bool:
        """Whether the name is the shop's for every client."""
        if Host(host.name, host.port or self._default_port) == self._public:
            return True
        if host in self._further or Host(host.name) in self._further:
            return True
        return is_loopback(host.name) and is_loopback(self._public.name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
