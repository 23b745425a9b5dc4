"""Middleware around every route: request log with security headers, same-site rule, context."""

import os
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache

import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.platform.core import errors, metrics, security, tracing
from server.platform.core.context import Context
from server.platform.core.db import DatabaseUnavailable, is_unavailable
from server.platform.core.site import Site
from server.platform.web.headers import decoded
from server.platform.web.known_requests import RESPONSE
from server.platform.web.media_types import prefers_html
from server.platform.web.refusals import defect_at, refuse

log = structlog.get_logger()

SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
TRY_AGAIN_LATER = 1013
CLIENT_LEFT = 499
"""Appears only in the log: the client has closed the connection."""
PARTS = frozenset({"graphql", "api", "images", "assets", "uploads", "livez", "readyz"})
"""First parts of paths that the metrics distinguish."""
QUIET_PATHS = ("/assets/", "/images/", "/livez", "/readyz")
MAX_LOGGED_PATH = 200
"""A path may be as long as a request's head; the log keeps so many characters of it."""


RawHeaders = list[tuple[bytes, bytes]]


class RequestLog:
    """Gives each request an id, for its log lines and its response, and answers unexpected errors with a bare 500.

    It adds security headers as well, one set for pages and one for everything else, unless the route has set its own.
    """

    def __init__(self, app: ASGIApp, pages: Mapping[str, str] | None = None, others: Mapping[str, str] | None = None):
        self._app = app
        self._of_pages, self._of_others = _raw(pages or {}), _raw(others or {})
        self._took = cache(metrics.REQUESTS.labels)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request or WebSocket connection."""
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        with tracing.span(scope["method"], "server"):
            await self._http(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id = _new_id()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        began = time.perf_counter()
        status = 0

        async def send_marked(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": self._headers(message.get("headers", ()), request_id)}
            await send(message)

        try:
            await self._app(scope, receive, send_marked)
        except ClientDisconnect:
            status = status or CLIENT_LEFT
        except Exception as error:
            if status:
                raise
            if is_unavailable(error):
                log.warning("database.away", error=type(error).__name__)
                await refuse(errors.Unavailable(), scope, receive, send_marked)
            else:
                log.error("request.failed", method=scope["method"], path=_logged_path(scope), exc_info=True)
                await defect_at(scope["path"])(scope, receive, send_marked)
        finally:
            seconds = time.perf_counter() - began
            route = _route(scope)
            self._took(route, status).observe(seconds)
            name = route if " " in route else f"{scope['method']} {route}"
            tracing.describe(name, http__route=route, http__response__status_code=status)
            if not scope["path"].startswith(QUIET_PATHS):
                ms = round(seconds * 1000, 1)
                log.info("request", method=scope["method"], path=_logged_path(scope), status=status, ms=ms)

    def _headers(self, raw_headers: Iterable[tuple[bytes, bytes]], request_id: str) -> RawHeaders:
        """Those of a response with ours. The names of raw headers are in lower case (ASGI)."""
        by_name = dict(raw_headers)
        is_page = by_name.get(b"content-type", b"").startswith(b"text/html")
        ours = [each for each in (self._of_pages if is_page else self._of_others) if each[0] not in by_name]
        return [*raw_headers, *ours, (b"x-request-id", request_id.encode())]

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        structlog.contextvars.bind_contextvars(request_id=_new_id())
        began = time.perf_counter()
        may_answer = "websocket.http.response" in scope.get("extensions", {})

        async def send_noted(message: Message) -> None:
            nonlocal may_answer
            may_answer = may_answer and message["type"] != "websocket.accept"
            await send(message)

        try:
            await self._app(scope, receive, send_noted)
        except Exception as error:
            away = is_unavailable(error)
            if away:
                log.warning("database.away", error=type(error).__name__)
            else:
                log.error("socket.failed", path=_logged_path(scope), exc_info=True)
            with suppress(RuntimeError):
                if away and may_answer:
                    await refuse(errors.Unavailable(), scope, receive, send)
                else:
                    await send({"type": "websocket.close", "code": TRY_AGAIN_LATER})
        finally:
            log.info("socket", path=_logged_path(scope), seconds=round(time.perf_counter() - began, 1))


class SameSite:
    """Refuses state-changing requests from other sites' pages, and bodies that a plain HTML form could send.

    At the paths in `own_reads` it refuses their reads as well, except a browser's for a page: what such a request may
    ask for costs more than a page, or is the viewer's alone.
    """

    def __init__(
        self,
        app: ASGIApp,
        site: Site,
        exempt: frozenset[str],
        raw_bodies: frozenset[str],
        own_reads: frozenset[str] = frozenset(),
    ) -> None:
        self._app = app
        self._site = site
        self._exempt = exempt
        self._raw_bodies = raw_bodies
        self._own_reads = own_reads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request or WebSocket connection."""
        refused = self._refusal(scope) if scope["type"] == "http" else None
        if refused is not None:
            await refuse(refused, scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope) -> errors.StoreError | None:
        is_read = scope["method"] in SAFE_METHODS
        if scope["path"] in self._exempt or (is_read and scope["path"] not in self._own_reads):
            return None
        headers = decoded(scope)
        if is_read and prefers_html(headers.get("accept")):
            return None
        if not security.is_same_site(headers, self._site):
            return errors.Forbidden("This request did not come from the shop's own pages.")
        if is_read:
            return None
        has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
        wants_json = has_body or scope["method"] == "POST"
        if wants_json and scope["path"] not in self._raw_bodies and not security.is_json(headers):
            return errors.InvalidInput({"content-type": "Send application/json."})
        return None


MakeContext = Callable[[Scope], Awaitable[Context]]
Endpoint = Callable[[Request], Awaitable[Response]]


class WithContext:
    """Makes the request's Context, with its viewer, and puts it where the edges find it.

    While the session cannot be looked up, only requests for which `anyway` is true continue; these must not
    treat an unknown viewer as a visitor. A request whose response was found in memory, or is a fixed one by its path,
    needs neither context nor route. `direct` has endpoints by method and path that need no route either: for one
    endpoint of most requests, Starlette's router and its handling of exceptions cost more than this context.
    """

    def __init__(
        self,
        app: ASGIApp,
        make: MakeContext,
        skip: tuple[str, ...],
        anyway: Callable[[Scope], bool],
        fixed: Mapping[str, ASGIApp],
        direct: Mapping[tuple[str, str], Endpoint],
    ) -> None:
        self._app = app
        self._make = make
        self._skip = skip
        self._anyway = anyway
        self._fixed = fixed
        self._direct = direct

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request or WebSocket connection. Raises DatabaseUnavailable."""
        response_app = scope.get(RESPONSE)
        if response_app is None and scope.get("method") == "GET":
            response_app = self._fixed.get(scope["path"])
        if response_app is not None:
            await response_app(scope, receive, send)
            return
        if scope["type"] in ("http", "websocket") and not scope["path"].startswith(self._skip):
            context = await self._make(scope)
            if context.unknown and not self._anyway(scope):
                raise DatabaseUnavailable
            scope.setdefault("state", {})["context"] = context
            if endpoint := self._direct.get((scope.get("method", ""), scope["path"])):
                response = await endpoint(Request(scope, receive))
                await response(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _new_id() -> str:
    return os.urandom(16).hex()


def _raw(headers: Mapping[str, str]) -> RawHeaders:
    return [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]


def _route(scope: Scope) -> str:
    """The name of a REST route, a path's first part where that is one of few, else `page`."""
    name: str | None = getattr(scope.get("endpoint"), "route_name", None)
    if name:
        return name
    first = scope["path"][1:].partition("/")[0]
    return first if first in PARTS else "page"


def _logged_path(scope: Scope) -> str:
    path: str = scope["path"]
    return path[:MAX_LOGGED_PATH]
