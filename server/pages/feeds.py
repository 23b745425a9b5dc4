"""Sitemap, product feed and robots.txt."""

import re
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import datetime
from functools import partial
from typing import cast
from uuid import UUID
from xml.sax.saxutils import escape

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from server.catalog import listing, queries
from server.catalog.index.index import Position
from server.catalog.lists import ProductCriteria, ProductListSort
from server.catalog.queries import ProductRow, Schedule, VariantRow
from server.content.pages import path_of
from server.content.published import PublishedPages
from server.media import service as media
from server.pages import addresses
from server.platform.core.context import Context
from server.platform.core.money import decimal_text
from server.platform.core.reader import ALWAYS, Reader
from server.shop import service as shop

BATCH = 200
SITEMAP_LIMIT = 50_000
"""The protocol's limit for one file; the newest products come first."""
CLOSED = ["/api/", "/graphiql", "/graphql", *addresses.CLOSED]
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
"""Characters that XML does not allow in any form."""
LONGEST_ID, LONGEST_TITLE, LONGEST_DESCRIPTION, LONGEST_COLOR = 50, 150, 5_000, 100
"""Characters that Google Merchant Center reads: https://support.google.com/merchants/answer/7052112."""
MOST_PICTURES = 10
"""Additional pictures of an item that it reads."""


class Feeds:
    """Streams the catalogue from the database in batches, so that memory use does not grow with it."""

    def __init__(self, origin: str) -> None:
        self._origin = origin

    def routes(self) -> list[BaseRoute]:
        """The routes of all three."""
        return [
            Route("/robots.txt", self.robots),
            Route("/sitemap.xml", self.sitemap),
            Route("/feed.xml", self.feed),
        ]

    async def robots(self, _request: Request) -> Response:
        """What crawlers may not visit, and where the sitemap is."""
        lines = ["User-agent: *", *(f"Disallow: {path}" for path in CLOSED), "", f"Sitemap: {self._origin}/sitemap.xml"]
        return PlainTextResponse("\n".join(lines) + "\n", headers={"cache-control": "public, max-age=3600"})

    async def sitemap(self, request: Request) -> Response:
        """Every public page, by the sitemaps.org protocol."""
        context = cast(Context, request.state.context)
        categories = await listing.categories(context)
        written = await context.resources.get(PublishedPages).publications(context.sessions)
        places = [self._place(path) for path in (*addresses.INDEXED, *categories.paths)]
        places += [self._place(path_of(key), each.published_at) for key, each in written.items()]
        head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        products = _products(request, self._address_of, SITEMAP_LIMIT - len(places))
        return await _stream(head + "".join(places), products, "</urlset>\n")

    async def feed(self, request: Request) -> Response:
        """Every variant on sale, in Google Merchant Center's format."""
        name = (await shop.current(cast(Context, request.state.context))).name
        head = (
            '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">'
            f"<channel><title>{_text(name)}</title><link>{_text(self._origin)}/</link><description>Clothing</description>\n"
        )
        return await _stream(head, _products(request, partial(self._items_of, name)), "</channel></rss>\n")

    def _address_of(self, product: ProductRow, schedule: Schedule) -> str:
        return self._place(f"/product/{product.id}", schedule.updated_at)

    def _place(self, path: str, changed_at: datetime | None = None) -> str:
        changed = f"<lastmod>{changed_at.isoformat(timespec='seconds')}</lastmod>" if changed_at else ""
        return f"<url><loc>{_text(self._origin + path)}</loc>{changed}</url>\n"

    def _items_of(self, brand: str, product: ProductRow, schedule: Schedule) -> str:
        return "".join(self._item(brand, product, schedule, variant) for variant in product.variants)

    def _item(self, brand: str, product: ProductRow, schedule: Schedule, variant: VariantRow) -> str:
        fields = "".join(
            f"<{name}>{_text(value)}</{name}>"
            for name, value in self._fields(brand, product, schedule, variant)
            if value is not None
        )
        return f"<item>{fields}</item>\n"

    def _fields(
        self, brand: str, product: ProductRow, schedule: Schedule, variant: VariantRow
    ) -> Iterator[tuple[str, str | None]]:
        color = next(color.name for color in product.colors if color.id == variant.color_id)
        sale = product.discounted_price_cents
        pictures = self._pictures_of(product, variant)
        yield "g:id", variant.sku if len(variant.sku) <= LONGEST_ID else variant.id
        yield "g:item_group_id", product.id
        yield "title", _title(product.name, f", {color[:LONGEST_COLOR]}, {variant.size}")
        yield "description", product.description[:LONGEST_DESCRIPTION]
        yield "link", f"{self._origin}/product/{product.id}?variant={variant.id}"
        yield "g:image_link", pictures[0] if pictures else None
        yield from (("g:additional_image_link", picture) for picture in pictures[1 : 1 + MOST_PICTURES])
        yield "g:availability", "in_stock" if variant.stock else "out_of_stock"
        yield "g:price", f"{decimal_text(product.price_cents)} USD"
        yield "g:sale_price", None if sale is None else f"{decimal_text(sale)} USD"
        yield "g:sale_price_effective_date", None if sale is None else _window(product.created_at, schedule)
        yield "g:condition", "new"
        yield "g:brand", brand
        yield "g:identifier_exists", "no"
        category = product.category_facts
        yield "g:product_type", f"{category.department.name} > {category.name}"
        yield "g:gender", category.department.gender
        yield "g:age_group", category.department.age_group
        yield "g:color", color[:LONGEST_COLOR]
        yield "g:size", variant.size

    def _pictures_of(self, product: ProductRow, variant: VariantRow) -> list[str]:
        pictures = product.pictures_of(variant.color_id)
        return [self._origin + media.path_of(picture.image_id, picture.width) for picture in pictures]


def _title(name: str, variant: str) -> str:
    """The name, shortened where the variant would not fit behind it: variants of a product have different titles."""
    longest = LONGEST_TITLE - len(variant)
    return (name if len(name) <= longest else f"{name[: longest - 1].rstrip()}…") + variant


def _window(created_at: datetime, schedule: Schedule) -> str | None:
    """The moments between which a discount applies; None for one without an end, which the format cannot express."""
    if schedule.discount_ends_at is None:
        return None
    starts_at = schedule.discount_starts_at or created_at
    return f"{starts_at:%Y-%m-%dT%H:%M:%S%z}/{schedule.discount_ends_at:%Y-%m-%dT%H:%M:%S%z}"


def _text(value: str) -> str:
    return escape(CONTROL.sub("", value))


async def _products(
    request: Request, written: Callable[[ProductRow, Schedule], str], most: int | None = None
) -> AsyncIterator[str]:
    """Products on sale, newest first, in batches of two statements each."""
    context = cast(Context, request.state.context)
    reader = context.resources.get(Reader)
    after: Position | None = None
    left = most
    while left is None or left > 0:
        size = BATCH if left is None else min(BATCH, left)
        page = await listing.page(context, ProductCriteria(), ProductListSort.NEWEST, size, after, may_lag=True)
        ids = [UUID(row.id) for row in page.rows]
        schedules, _ = await reader.read(context.sessions, ALWAYS, partial(queries.schedules_by_id, ids=ids))
        pairs = ((row, schedules.get(product_id)) for row, product_id in zip(page.rows, ids, strict=True))
        yield "".join(written(row, schedule) for row, schedule in pairs if schedule)
        if not page.has_next:
            return
        left = None if left is None else left - len(page.rows)
        after = page.after


async def _stream(head: str, products: AsyncIterator[str], tail: str) -> Response:
    """Reads the first products before the response starts, so that an error still has a status."""
    first = await anext(products)

    async def written() -> AsyncIterator[str]:
        yield head + first
        async for some in products:
            yield some
        yield tail

    headers = {"cache-control": "public, max-age=600", "cross-origin-resource-policy": "cross-origin"}
    return StreamingResponse(written(), media_type="application/xml", headers=headers)
