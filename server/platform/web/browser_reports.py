"""What browsers report: JavaScript errors (POST /browser-errors) and violations of the content security policy
(POST /csp-reports).

Both are open to everyone and end in the log, so they share one limit, which needs neither session nor database, and
only text of a known form is logged.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import structlog
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from server.platform.core import errors
from server.platform.core.limits import network
from server.platform.web import browser_errors, csp_reports
from server.platform.web.proxies import TrustedProxies
from server.platform.web.rest import nothing, read_body, refusal

log = structlog.get_logger()

ERRORS_PATH, VIOLATIONS_PATH = "/browser-errors", csp_reports.PATH
MAX_BYTES = 16_000
MAX_REPORTS = 5
"""In one request; browsers send several violations in a batch."""
LINES_PER_MINUTE = 60
"""Of the whole process. Reports over it are only counted."""
LINES_OF_ONE_NETWORK = 20
"""Of those, so that one sender does not silence the others."""

Fields = Mapping[str, Any]


class BrowserReports:
    """The endpoints, with their count of lines in the current minute."""

    def __init__(self, proxies: TrustedProxies, clock: Callable[[], float] = time.monotonic) -> None:
        self._proxies = proxies
        self._clock = clock
        self._minute = 0.0
        self._lines = Counter[str]()
        self._dropped = 0

    def routes(self) -> list[BaseRoute]:
        """Both endpoints."""
        return [
            Route(ERRORS_PATH, self.errors, methods=["POST"]),
            Route(VIOLATIONS_PATH, self.violations, methods=["POST"]),
        ]

    async def errors(self, request: Request) -> Response:
        """Responds 204, whatever it was, or 413 to a body over MAX_BYTES."""
        return await self._record(request, "browser.error", browser_errors.read)

    async def violations(self, request: Request) -> Response:
        """As `errors`."""
        return await self._record(request, "csp.violation", csp_reports.read)

    async def _record(self, request: Request, event: str, read: Callable[[bytes], Iterable[Fields]]) -> Response:
        try:
            body = await read_body(request, MAX_BYTES)
        except errors.StoreError as error:
            return refusal(error)
        peer = request.client.host if request.client else ""
        sender = network(self._proxies.client_address(peer, request.headers.getlist("x-forwarded-for")))
        for fields in list(read(body))[:MAX_REPORTS]:
            self._write(sender, event, fields)
        return nothing()

    def _write(self, sender: str, event: str, fields: Fields) -> None:
        if self._clock() - self._minute >= 60:
            if self._dropped:
                log.warning("browser.reports_dropped", count=self._dropped)
            self._minute, self._dropped = self._clock(), 0
            self._lines.clear()
        if self._lines[sender] >= LINES_OF_ONE_NETWORK or self._lines.total() >= LINES_PER_MINUTE:
            self._dropped += 1
            return
        self._lines[sender] += 1
        log.warning(event, **fields)
