"""Public pages as HTML: head, data, and the screen rendered by the client's own code."""

import re
from asyncio import gather
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from html import escape
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode
from uuid import UUID

import orjson

from server.catalog import listing
from server.catalog.cache import CachedResponse, CatalogCache
from server.catalog.live import LiveCatalog
from server.config import Settings
from server.content.pages import BEGINNING
from server.content.published import PublishedPages
from server.graphql_endpoint import GraphQLEndpoint, GraphQLRequest
from server.pages.shell import Shell, ShopOfNow
from server.platform.core import metrics
from server.platform.core.context import Context
from server.platform.core.viewer import Viewer
from server.platform.pages.assets import Assets
from server.platform.pages.renderer import Renderer, RenderResult
from server.platform.web.compression import gzip

ATTEMPTS = 8
CACHE_BYTES, ENDLESS_CACHE_BYTES = 24_000_000, 8_000_000
"""Some fifteen hundred pages, and five hundred of endless addresses, which push out none of the others."""
MOST_ENDLESS = 6
"""Pages of endless addresses that are made at once; more are sent without being rendered."""
UNDRAWN_SECONDS = 30.0
"""How long a page that could not be rendered is cached before rendering is tried again."""
PARAMETERS = {"q", "size", "color", "from", "to", "stock", "sale", "sort", "after", "variant", "quantity"}
"""Query parameters that a screen reads; others do not make a different page."""
NOWHERE = "/nothing-hangs-here"
"""Stands for every unknown path, since they all look the same."""
NOSCRIPT = re.compile(r"<noscript>.*?</noscript>", re.DOTALL)
MODULES = re.compile(r'<(?:script type="module"[^>]*></script|link rel="modulepreload"[^>]*)>\s*')


@dataclass
class PageRendering:
    """A page being rendered: the data it has and the last result."""

    url: str
    status: int
    answers: list[dict[str, Any]]
    shop: ShopOfNow
    owner: Viewer | None = None
    """The only account that may see it; None for a public page."""
    is_endless: bool = False
    """Whether it is rendered when others have had their turn."""
    drawn: RenderResult | None = None
    whole: bool = True
    """Whether every operation was answered and the screen is rendered."""
    undrawn: bool = False
    """Whether rendering has failed."""
    unavailable: bool = False
    stale: float | None = None
    """Seconds for which its data may have been outdated; None when it is current."""

    @property
    def complete(self) -> bool:
        """Whether it may be cached, if only briefly: rendering may have failed, but all data is there."""
        return self.whole or (self.undrawn and not self.unavailable)


class RenderedPages:
    """Rendered public pages, cached while they show the catalogue of now."""

    def __init__(
        self,
        settings: Settings,
        graphql: GraphQLEndpoint,
        catalog: LiveCatalog,
        published: PublishedPages,
        assets: Assets,
        shell: Shell,
        renderer: Renderer | None = None,
    ) -> None:
        self._origin = settings.public_url
        self._graphql = graphql
        self._assets = assets
        self._shell = shell
        self._catalog = catalog
        self._published = published
        self._endless_under_way = 0
        self.cache = CatalogCache(catalog, "pages", max_bytes=CACHE_BYTES)
        self.endless_cache = CatalogCache(catalog, "pages of endless addresses", max_bytes=ENDLESS_CACHE_BYTES)
        self.renderer = renderer or Renderer()

    async def page(self, url: str, context: Context) -> CachedResponse:
        """The gzipped HTML with its status; `unavailable` without the database and a cached copy."""
        visitor = replace(context, viewer=None, token=None, cookies=[], _loaders={})
        if not self._is_endless(url):
            return await self.cache.answer(key_of(url), lambda: self._make(url, visitor), context.sessions)
        return await self.endless_cache.answer(
            key_of(url), lambda: self._make_of_endless(url, visitor), context.sessions
        )

    def known(self, url: str) -> Callable[[], CachedResponse | None]:
        """Looks up the cached page of now, without the address, which may be long."""
        cache = self.endless_cache if self._is_endless(url) else self.cache
        return partial(cache.current, key_of(url))

    def _is_endless(self, url: str) -> bool:
        """Whether clients can request any number of its kind: with a query, or of no product on sale or page."""
        if "?" in url:
            return True
        exists = {"/product/": self._is_on_sale, BEGINNING: self._published.is_published}
        return any(url.startswith(start) and not check(url.removeprefix(start)) for start, check in exists.items())

    def _is_on_sale(self, name: str) -> bool:
        try:
            return UUID(name) in self._catalog.follower.index
        except ValueError:
            return False

    async def own(self, path: str, context: Context) -> bytes | None:
        """The gzipped HTML of an account's own page, never cached; None when it is not rendered.

        Public pages have priority: this renders only while no other page waits.
        """
        if context.viewer is None or not self.renderer.idle:
            return None
        view = await self._draw(PageRendering(path, 200, [], await ShopOfNow.read(context), context.viewer), context)
        return _packed(await self._document(view)) if view.whole else None

    async def _make_of_endless(self, url: str, visitor: Context) -> CachedResponse:
        """Renders only so many at once: a flood of them would hold up the pages that the shop has."""
        if self._endless_under_way >= MOST_ENDLESS:
            metrics.PAGES_UNDRAWN.inc()
            return CachedResponse(self._shell.undrawn(await ShopOfNow.read(visitor)), complete=False)
        self._endless_under_way += 1
        try:
            return await self._make(url, visitor, is_endless=True)
        finally:
            self._endless_under_way -= 1

    async def _make(self, url: str, visitor: Context, *, is_endless: bool = False) -> CachedResponse:
        listing.show_beside(visitor, "settings")
        shop = await ShopOfNow.read(visitor)
        view = PageRendering(url, 404 if url == NOWHERE else 200, [], shop, is_endless=is_endless)
        view = await self._draw(view, visitor)
        body = _packed(await self._document(view))
        seconds = min(shop.rest_of_year, UNDRAWN_SECONDS) if view.undrawn else shop.rest_of_year
        return CachedResponse(body, view.unavailable, view.complete, view.status, seconds=seconds, stale=view.stale)

    async def _draw(self, view: PageRendering, context: Context) -> PageRendering:
        """Renders, executes the operations that the screen asked for, and repeats until nothing is missing."""
        for _ in range(ATTEMPTS):
            view.drawn = await self.renderer.draw(
                view.url,
                view.answers,
                _remembered(view.owner),
                year=view.shop.year,
                name=view.shop.name,
                is_endless=view.is_endless,
            )
            if view.drawn is None or not (view.drawn.asked or view.drawn.waits):
                view.undrawn = view.drawn is None
                view.whole = not view.undrawn
                return view
            results = await gather(*(self._ask(question, context) for question in view.drawn.asked))
            if not all(answer.complete and not answer.unavailable for answer in results):
                view.unavailable = any(answer.unavailable for answer in results)
                view.whole = False
                return view
            ages = [answer.stale for answer in results if answer.stale is not None]
            view.stale = max([*ages, view.stale or 0.0]) if ages else view.stale
            view.answers += map(_answered, view.drawn.asked, results)
        self.renderer.failed(view.url, "Unfinished")
        view.whole, view.undrawn = False, True
        return view

    async def _ask(self, question: dict[str, Any], context: Context) -> CachedResponse:
        return await self._graphql.answer(
            GraphQLRequest(question["query"], question["variables"], question["operation"]), context
        )

    async def _document(self, view: PageRendering) -> str:
        name = view.shop.name
        title = view.drawn.title if view.drawn else name
        head = await self.renderer.head(
            view.url, title, view.status, view.answers, self._origin, name=name, is_endless=view.is_endless
        )
        tags = head["tags"] if head else f"<title>{escape(name)}</title>"
        view.status = head["status"] if head else view.status
        data = _data("apollo-state", view.answers) + _data("drawn-for", _remembered(view.owner))
        page = self._shell.html(view.shop).replace("<!--app-state-->", data, 1)
        if view.whole and view.drawn:
            sources = [f"src/{source}.tsx" for source in view.drawn.sources]
            styles = dict.fromkeys(file for source in sources for file in self._assets.of_source(source))
            page = NOSCRIPT.sub("", page, count=1)
            page = page.replace("</head>", _stylesheets(styles) + "</head>", 1)
            page = page.replace('<div id="root"></div>', f'<div id="root">{view.drawn.html}</div>', 1)
            page = MODULES.sub("", page)
            tags += _first_picture(view.drawn) + _modules(self._assets.modules("index.html", sources[0]))
        return page.replace("<!--head-->", tags, 1)


def url_of(path: str, query: str) -> str:
    """The screen's address with what it reads of the query alone, in one order: so one page has one address."""
    return _url(path, sorted((name, value) for name, value in parse_qsl(query) if name in PARAMETERS))


def url_with_query(path: str, query: str) -> str:
    """The address of a screen whose links carry the query along: all of it, in its order."""
    return _url(path, parse_qsl(query, keep_blank_values=True))


def _url(path: str, parameters: list[tuple[str, str]]) -> str:
    return quote(path) + ("?" + urlencode(parameters) if parameters else "")


def key_of(url: str) -> bytes:
    """What the page is cached under."""
    return sha256(url.encode()).digest()


def _answered(question: dict[str, Any], answer: CachedResponse) -> dict[str, Any]:
    data = orjson.loads(answer.body)["data"]
    return {"operation": question["operation"], "variables": question["variables"], "data": data}


def _remembered(owner: Viewer | None) -> dict[str, Any] | None:
    """The account as the browser's session stores it (client/src/session/storage.ts)."""
    if owner is None:
        return None
    until = int(owner.expires_at.timestamp() * 1000)
    who = {"id": str(owner.user_id), "name": owner.name, "email": owner.email, "role": owner.role.value}
    return {**who, "expiresAt": until}


def _packed(html: str) -> bytes:
    return gzip(html.encode())


def _data(name: str, value: Any) -> str:
    """JSON as an inert script element. `<` is escaped, so that no text can close the element."""
    if not value:
        return ""
    data = orjson.dumps(value).decode().replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{data}</script>'


def _first_picture(drawn: RenderResult) -> str:
    """The preload tag; its attributes come escaped from the HTML."""
    if drawn.picture is None:
        return ""
    srcset, sizes = drawn.picture["srcset"], drawn.picture["sizes"]
    link = '<link rel="preload" as="image" type="image/avif" fetchpriority="high"'
    return f'{link} imagesrcset="{srcset}" imagesizes="{sizes}">'


def _modules(files: Iterable[str]) -> str:
    """The page's scripts, which `early.js` runs after the first paint, since the HTML is readable without them."""
    return f'<meta name="modules" content="{" ".join(f"/{file}" for file in files)}">'


def _stylesheets(files: Iterable[str]) -> str:
    return "".join(f'<link rel="stylesheet" crossorigin href="/{file}">' for file in files if file.endswith(".css"))
