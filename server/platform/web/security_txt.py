"""/.well-known/security.txt: where to report a vulnerability (RFC 9116)."""

from datetime import timedelta

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from server.platform.core import clock
from server.platform.core.site import Site

PATH = "/.well-known/security.txt"
VALID_DAYS = 90
"""Counted from the day of the request, so it does not expire while the shop runs."""


class SecurityText:
    """The file's content; `contact` is an e-mail address or a URL."""

    def __init__(self, site: Site, contact: str) -> None:
        self._contact = f"mailto:{contact}" if "://" not in contact else contact
        self._canonical = site.public_url + PATH

    async def endpoint(self, _request: Request) -> Response:
        """Plain text that caches may store for an hour."""
        today = clock.now().replace(hour=0, minute=0, second=0, microsecond=0)
        lines = (
            f"Contact: {self._contact}",
            f"Expires: {today + timedelta(days=VALID_DAYS):%Y-%m-%dT%H:%M:%SZ}",
            "Preferred-Languages: en",
            f"Canonical: {self._canonical}",
        )
        return PlainTextResponse("\n".join(lines) + "\n", headers={"cache-control": "public, max-age=3600"})
