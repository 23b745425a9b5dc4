"""Settings in, Starlette app out: routes, middleware, and the context of each request."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence

from sqlalchemy import text
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.types import Receive, Scope, Send

from server import wiring
from server.catalog.live import LiveCatalog
from server.config import Settings, listed
from server.content.published import PublishedPages
from server.graphql_endpoint import METHODS as GRAPHQL_METHODS
from server.graphql_endpoint import GraphQLEndpoint, ReportsClient
from server.identity import browser_sessions
from server.media.store_identity import place_of
from server.orders import shoppers
from server.pages.addresses import SCREENS
from server.pages.policy import headers_of_all, headers_of_pages
from server.pages.routes import Pages
from server.payments.gateway import StripeGateway
from server.platform.core import disk as disk_space
from server.platform.core import errors, logs, security
from server.platform.core.context import Context
from server.platform.core.db import autocommit, is_unavailable
from server.platform.core.jobs import every
from server.platform.core.lazy_imports import load
from server.platform.core.statements import connection
from server.platform.pages.renderer import Renderer
from server.platform.web import browser_reports, security_txt
from server.platform.web.browser_reports import BrowserReports
from server.platform.web.headers import cookies, header, headers
from server.platform.web.hosts import AllowedHosts
from server.platform.web.known_requests import KnownRequests
from server.platform.web.methods import OtherMethods
from server.platform.web.middleware import SAFE_METHODS, RequestLog, SameSite, WithContext
from server.platform.web.proxies import TrustedProxies
from server.platform.web.readiness import Readiness
from server.platform.web.refusals import GRAPHQL_PATH, refusal_at, refuse
from server.platform.web.rest import answer
from server.platform.web.security_txt import SecurityText
from server.platform.web.visitors import KnownSession, SessionDirectory, Visitors
from server.schema_files import SchemaFiles
from server.shop_process import ShopProcess
from server.socket import GraphQLSocket

WEBHOOK_PATH = "/api/payment/webhook"
PATHS_WITHOUT_VIEWER = (
    *("/assets/", "/images/", "/livez", "/readyz", "/favicon.svg", "/robots.txt", "/sw.js", "/early.js"),
    *(security_txt.PATH, browser_reports.ERRORS_PATH, browser_reports.VIOLATIONS_PATH),
)
"""Path prefixes whose responses do not depend on the viewer: no session is looked up."""


UNATTENDED = b"x-unattended"
"""Header of requests that a page sends by itself: they are no activity of the person."""


class WebProcess(ShopProcess):
    """A process that answers HTTP, with the catalogue in memory."""

    role = "web"

    def __init__(
        self, settings: Settings, reports: ReportsClient | None = None, renderer: Renderer | None = None
    ) -> None:
        super().__init__(settings, pictures=place_of(settings))
        self.follower = wiring.keep_catalog(self.listener, self.resources)
        wiring.follow_news(self.listener, self.resources)
        self._session_cookie = security.cookie_name(settings)
        self._device_cookie = security.device_cookie_name(settings)
        self._browser_cookie = security.browser_cookie_name(settings)
        self.known = KnownRequests(self._session_cookie)
        self.graphql = GraphQLEndpoint(settings, reports, self.known)
        catalog, published = self.resources.get(LiveCatalog), self.resources.get(PublishedPages)
        self.pages = Pages(settings, self.graphql, catalog, published, self.known, renderer)
        self.readiness = Readiness(self._can_reach_database, lambda: self.follower.is_complete)
        self.proxies = TrustedProxies(settings.proxy_networks, settings.proxy_hops)
        self.visitors = Visitors(
            SessionDirectory(self._known_sessions),
            cookie=self._session_cookie,
            proxies=self.proxies,
            webhook_path=WEBHOOK_PATH,
            verify_webhook=self.resources.get(StripeGateway).verify_webhook,
        )

    @contextlib.asynccontextmanager
    async def running(self, _app: Starlette) -> AsyncIterator[None]:
        """Follows the catalogue while the app serves."""
        watching_disk = every(disk_space.CHECK_EVERY, self.env, disk_space.check)
        try:
            async with self.doing(self.follower.run(self.sessions), watching_disk, self._prepare()):
                yield
        finally:
            await self.pages.views.renderer.close()

    async def _prepare(self) -> None:
        """Waits until this process is ready; prepares the client's operations and loads small libraries."""
        await self.pages.views.renderer.open()
        while not self.follower.is_complete:  # noqa: ASYNC110 - nothing waits for this
            await asyncio.sleep(1)
        await self.graphql.prepare()
        await load(*wiring.LOADED_EARLY)

    async def context(self, scope: Scope) -> Context:
        """The request's context with its viewer. A session cookie without a session is deleted."""
        cookie_values = cookies(scope)
        context = Context(
            site=self.settings,
            sessions=self.sessions,
            resources=self.resources,
            ip=self.proxies.client_address(_peer(scope), headers(scope, b"x-forwarded-for")),
            user_agent=(header(scope, b"user-agent") or b"").decode("latin-1")[:300],
            device=cookie_values.get(self._device_cookie),
        )
        context.browser = cookie_values.get(self._browser_cookie) or None
        token = cookie_values.get(self._session_cookie)
        if token:
            try:
                async with connection(self.sessions) as session:
                    is_active = header(scope, UNATTENDED) is None
                    context.viewer = await browser_sessions.viewer_of(context, session, token, is_active=is_active)
            except Exception as error:
                context.unknown = is_unavailable(error)
                if not context.unknown:
                    raise
                return context
            if context.viewer is None:
                context.cookies.append(security.session_cookie(self.settings, None))
            else:
                context.token = token
        return context

    async def _known_sessions(self, hashes: Sequence[bytes]) -> dict[bytes, KnownSession]:
        async with autocommit(self.sessions) as session:
            sessions = await shoppers.of_sessions(session, hashes)
        return {each.token_hash: KnownSession(each.user_id, each.is_buying) for each in sessions}

    async def _can_reach_database(self) -> bool:
        try:
            async with autocommit(self.sessions) as session:
                await session.execute(text("SELECT 1"))
        except Exception as error:
            if not is_unavailable(error):
                raise
            return False
        return True


ALIVE = PlainTextResponse("alive")
"""/livez: the process responds."""


def create_app(settings: Settings, reports: ReportsClient | None = None, renderer: Renderer | None = None) -> Starlette:
    """All that a shop answers as one ASGI app. Raises ValueError when a field or route does not declare its access."""
    undeclared = [route.name for route in (*wiring.API_ROUTES, *wiring.OTHER_ROUTES) if not hasattr(route, "allows")]
    if undeclared:
        raise ValueError(f"No access is declared for {', '.join(undeclared)}.")
    logs.configure()
    shop = WebProcess(settings, reports, renderer)
    graphql = shop.graphql
    data_routes: list[BaseRoute] = [
        Route(GRAPHQL_PATH, graphql.endpoint, methods=GRAPHQL_METHODS),
        *SchemaFiles(settings, graphql.schema).routes(),
        Route("/livez", ALIVE, methods=["GET"]),
        Route("/readyz", shop.readiness.endpoint),
        Route(
            security_txt.PATH,
            SecurityText(settings, settings.security_contact or settings.contact_email).endpoint,
        ),
        *BrowserReports(shop.proxies).routes(),
        *wiring.OTHER_ROUTES,
    ]
    api_routes = [*wiring.API_ROUTES, OtherMethods(wiring.API_ROUTES), Route("/{path:path}", _NoSuchCall())]
    routes: list[BaseRoute] = [
        *data_routes,
        WebSocketRoute(GRAPHQL_PATH, GraphQLSocket(settings, graphql.schema).endpoint),
        Mount("/api", routes=api_routes),
        OtherMethods(data_routes),
        *shop.pages.routes(),
    ]
    exempt = {f"/api{route.path}" for route in wiring.API_ROUTES if getattr(route, "cross_site", False)}
    exempt.add(browser_reports.VIOLATIONS_PATH)
    app = Starlette(
        routes=routes,
        lifespan=shop.running,
        exception_handlers={HTTPException: _http_error},
        middleware=[
            Middleware(RequestLog, pages=headers_of_pages(settings), others=headers_of_all(settings)),
            Middleware(AllowedHosts, site=settings, further=listed(settings.allowed_hosts)),
            Middleware(
                SameSite,
                site=settings,
                exempt=frozenset(exempt),
                raw_bodies=wiring.RAW_BODIES,
                own_reads=frozenset({GRAPHQL_PATH}),
            ),
            Middleware(
                WithContext,
                make=shop.context,
                skip=PATHS_WITHOUT_VIEWER,
                anyway=_is_for_everybody,
                fixed={"/livez": ALIVE},
                direct={(method, GRAPHQL_PATH): graphql.endpoint for method in GRAPHQL_METHODS},
            ),
        ],
    )
    app.state.shop = shop
    return app


def _is_for_everybody(scope: Scope) -> bool:
    """Whether a response can do without the viewer: a screen, or a request that may ask only for the catalogue."""
    if scope["type"] != "http":
        return False
    method, path = scope["method"], scope["path"]
    if path == GRAPHQL_PATH:
        return method in GRAPHQL_METHODS
    return method in SAFE_METHODS and SCREENS.fullmatch(path) is not None


class _NoSuchCall:
    """Below /api, whatever the method."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await refuse(errors.NotFound("This call"), scope, receive, send)


async def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    if isinstance(error, HTTPException) and status == 405:
        allowed = (error.headers or {})["Allow"]
        return refusal_at(request.url.path, errors.MethodNotAllowed(frozenset(allowed.split(", "))))
    messages = {404: "Not found", 413: "This is too large."}
    return answer({"message": messages.get(status, "This request cannot be read.")}, status)


def _peer(scope: Scope) -> str:
    return scope["client"][0] if scope.get("client") else ""
