"""HTML for every URL of the shop. Unknown ones get the same page with status 404, which the client then shows."""

import gzip
from collections.abc import Callable
from functools import partial
from html import escape
from typing import cast

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from server.catalog.cache import CachedResponse
from server.catalog.category_queries import redirect_of
from server.catalog.live import LiveCatalog
from server.config import Settings
from server.content.published import PublishedPages
from server.graphql_endpoint import GraphQLEndpoint
from server.media.errors import StorageUnavailable
from server.pages import theme
from server.pages.addresses import BACK_OFFICE, CATEGORY, FORM, MAILED, OWN, PRIVATE, PUBLIC, is_page
from server.pages.feeds import Feeds
from server.pages.older_builds import OlderBuilds
from server.pages.policy import outside
from server.pages.rendering import NOWHERE, RenderedPages, url_of, url_with_query
from server.pages.shell import Shell, ShopOfNow
from server.pages.workbench import Workbench
from server.platform.core.context import Context, reading
from server.platform.core.db import is_unavailable
from server.platform.core.errors import Unavailable
from server.platform.core.security import hint_name
from server.platform.pages import assets
from server.platform.pages.assets import response
from server.platform.pages.renderer import Renderer
from server.platform.web.compression import accepts
from server.platform.web.cookies import apply_cookies
from server.platform.web.known_requests import KnownRequests
from server.platform.web.rest import kept_since, refusal

SIGN_IN_SCREENS = {"/signin", "/signup"}
NOT_BUILT = "The client has not been built. Run `just build`, or `just start`, which does it by itself."


class Pages:
    """Serves the built client with what the server adds to its HTML."""

    def __init__(
        self,
        settings: Settings,
        graphql: GraphQLEndpoint,
        catalog: LiveCatalog,
        published: PublishedPages,
        known: KnownRequests,
        renderer: Renderer | None = None,
    ) -> None:
        self._settings = settings
        self._known = known
        self._catalog = catalog
        self._assets = assets.built()
        self._older = OlderBuilds.of(settings)
        self._shell = _with_outside(self._assets.text("index.html"), settings)
        self._back_office = _with_outside(self._assets.text("back-office.html"), settings)
        workbench = self._assets.text("graphiql.html")
        self._workbench = Workbench(settings, workbench) if workbench else None
        self.views = RenderedPages(
            settings, graphql, catalog, published, self._assets, self._shell or Shell(""), renderer
        )

    def routes(self) -> list[BaseRoute]:
        """The client's URLs; the last route takes every remaining path."""
        return [
            Route("/assets/{name}", self.asset),
            *(Route(f"/{name}", self._assets.serve) for name in assets.FIXED),
            *Feeds(self._settings.public_url).routes(),
            Route("/.well-known/change-password", change_password),
            Route("/graphiql", self.workbench),
            Route(theme.PATH, theme.stylesheet),
            Route("/{path:path}", self.screen),
        ]

    async def asset(self, request: Request) -> Response:
        """An asset file of this build, or of another one of this shop."""
        name = request.path_params["name"]
        try:
            return response(request, await self._assets.find(name) or await self._older.find(name))
        except StorageUnavailable as error:
            return refusal(error)

    async def screen(self, request: Request) -> Response:
        """The HTML of a screen: rendered where it is public, redirected where the viewer has no use for it."""
        context = cast(Context | None, getattr(request.state, "context", None))
        if context is None:
            # A path for which no session is looked up, such as below /images/.
            return PlainTextResponse("Not found", 404)
        if request.url.path in SIGN_IN_SCREENS and context.viewer is not None:
            return RedirectResponse("/", 303)
        if self._shell is None or self._back_office is None:
            response = _not_built()
        elif BACK_OFFICE.fullmatch(request.url.path):
            response = await self._private(request, context, self._back_office)
        elif PRIVATE.fullmatch(request.url.path):
            response = await self._private(request, context, self._shell)
        elif FORM.fullmatch(request.url.path):
            response = await self._form(request, context, self._shell)
        elif OWN.fullmatch(request.url.path):
            response = await self._own(request, context) or await self._private(request, context, self._shell)
        else:
            response = await self._public(request, context)
        if MAILED.fullmatch(request.url.path):
            response.headers["referrer-policy"] = "no-referrer"
        apply_cookies(context, response)
        return response

    async def _private(self, request: Request, context: Context, shell: Shell) -> Response:
        body = shell.undrawn(await ShopOfNow.read(context))
        return _packed(_takes_gzip(request), body, 200, {"cache-control": "no-cache"})

    async def _own(self, request: Request, context: Context) -> Response | None:
        # A browser that signed out while the server was unreachable has deleted the hint but still sends the session.
        has_hint = hint_name(self._settings) in request.cookies
        if not has_hint:
            return None
        body = await self.views.own(request.url.path, context)
        return (
            None if body is None else _packed(_takes_gzip(request), body, 200, {"cache-control": "private, no-store"})
        )

    async def _public(self, request: Request, context: Context) -> Response:
        path, query = request.url.path, request.url.query
        if path.startswith(CATEGORY) and not self._is_page(path) and (target := await _redirect(context, path)):
            return RedirectResponse(f"{target}?{query}" if query else target, 301, {"cache-control": "no-cache"})
        url = url_of(path, query) if self._is_page(path) else NOWHERE
        view = await self.views.page(url, context)
        takes_gzip = _takes_gzip(request)
        if url != NOWHERE and context.viewer is None:
            self._known.remember(request.scope, b"", partial(self._known_page, path, self.views.known(url), takes_gzip))
        # The same for every visitor, unless the response sets a cookie.
        return _page(view, takes_gzip, "private" if context.cookies else "public")

    async def _form(self, request: Request, context: Context, shell: Shell) -> Response:
        """A form for visitors, which the service worker does not cache. It is of use without its data."""
        url, takes_gzip = url_with_query(request.url.path, request.url.query), _takes_gzip(request)
        view = await self.views.page(url, context)
        if view.unavailable:
            return await self._private(request, context, shell)
        if context.viewer is None:
            self._known.remember(request.scope, b"", partial(_known_form, self.views.known(url), takes_gzip))
        return _page(view, takes_gzip, "private")

    def _is_page(self, path: str) -> bool:
        """Before the index is complete, any category may be there."""
        follower = self._catalog.follower
        return is_page(path, follower.index.categories) if follower.is_complete else PUBLIC.fullmatch(path) is not None

    def _known_page(self, path: str, find: Callable[[], CachedResponse | None], takes_gzip: bool) -> Response | None:
        view = find() if self._is_page(path) else None
        return None if view is None else _page(view, takes_gzip, "public")

    async def workbench(self, request: Request) -> Response:
        """GraphiQL's page; 404 where introspection is off."""
        if not self._settings.introspection:
            return await self.screen(request)
        return _not_built() if self._workbench is None else await self._workbench.page(request)


def _not_built() -> Response:
    return HTMLResponse(f"<!doctype html><title>Minimal</title><p>{NOT_BUILT}", 503)


async def change_password(_request: Request) -> Response:
    """The well-known URL to which password managers send users: https://w3c.github.io/webappsec-change-password-url/."""
    return RedirectResponse("/account", 302)


def _known_form(find: Callable[[], CachedResponse | None], takes_gzip: bool) -> Response | None:
    view = find()
    return None if view is None else _page(view, takes_gzip, "private")


async def _redirect(context: Context, path: str) -> str | None:
    """Where what stood at a path is now; None when nothing did, or the database cannot be reached."""
    try:
        async with reading(context) as session:
            return await redirect_of(session, path)
    except Exception as error:
        if not is_unavailable(error):
            raise
        return None


def _page(view: CachedResponse, takes_gzip: bool, kept_by: str) -> Response:
    headers = {"cache-control": f"{kept_by}, no-cache"}
    if view.stale is not None:
        headers.update(kept_since(view.stale))
    if view.unavailable:
        headers["retry-after"] = str(Unavailable().retry_after)
    return _packed(takes_gzip, view.body, 503 if view.unavailable else view.status, headers)


def _takes_gzip(request: Request) -> bool:
    return accepts(request.headers.get("accept-encoding", ""), "gzip")


def _packed(takes_gzip: bool, body: bytes, status: int, headers: dict[str, str]) -> Response:
    """Gzipped HTML in a coding that the client accepts."""
    headers["vary"] = "accept-encoding"
    if not takes_gzip:
        return HTMLResponse(gzip.decompress(body), status, headers)
    return HTMLResponse(body, status, {**headers, "content-encoding": "gzip"})


def _with_outside(html: str | None, settings: Settings) -> Shell | None:
    if html is None:
        return None
    scripts = outside(settings)
    tags = ""
    if scripts.stripe_script:
        tags += f'<meta name="stripe-script" content="{escape(scripts.stripe_script)}">'
    if scripts.google_script:
        tags += f'<meta name="google-identity-script" content="{escape(scripts.google_script)}">'
    if not settings.introspection:
        tags += '<meta name="graphiql" content="closed">'
    return Shell(html.replace("<!--outside-scripts-->", tags))
