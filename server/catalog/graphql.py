"""Products in the GraphQL schema. Everything but `related` is plain data, built from rows."""

from typing import TYPE_CHECKING, Annotated, TypeAlias
from uuid import UUID

import strawberry
from strawberry.utils.await_maybe import AwaitableOrValue

from server.catalog import listing, queries
from server.catalog import search as searching
from server.catalog.connections import (
    ProductConnection,
    ProductFilter,
    ProductListRequest,
    ProductSort,
    product_connection,
    products_by_ids,
)
from server.catalog.index.index import CatalogIndex
from server.catalog.queries import ProductRow
from server.catalog.types import CATEGORIES_ASSUMED, Category, Product, Size, Variant
from server.config import MAX_CART_LINES, Settings
from server.media.formats import ACCEPTED
from server.platform.core.context import Context, reading
from server.platform.core.money import CURRENCY
from server.platform.gql.cost import LIST_SIZE
from server.platform.gql.pagination import After, First
from server.platform.gql.permissions import Anyone
from server.platform.gql.types import Info
from server.shop import service as shop
from server.shop.settings import ShopSettings


@strawberry.type(description="Numbers that a form may want to tell beforehand; the server enforces them.")
class ShopLimits:
    addresses: int = strawberry.field(description="Most addresses an account may keep.")
    cart_lines: int = strawberry.field(description="Most lines a cart may have.")
    pieces_per_variant: int = strawberry.field(description="Most pieces of one variant per order.")
    images_per_product: int = strawberry.field(description="Most pictures a product may have.")
    image_bytes: int = strawberry.field(description="Largest picture file that the upload takes, in bytes.")


@strawberry.type
class CatalogShopFields:
    """The catalogue's fields of the type Shop."""

    context: strawberry.Private[Context]
    """Of the request, for fields that other domains add: without `info` a writer can have them (`gql/writers`)."""
    name: str = strawberry.field(description='The shop\'s name, as its owner has it: "Minimal".')
    email: str = strawberry.field(description='Where its people read mail: "shop@minimal.test".')
    currency: str = strawberry.field(description='ISO 4217 code of every amount: "USD".')
    image_types: list[str] = strawberry.field(description="Picture types that the upload takes, as MIME types.")
    limits: ShopLimits = strawberry.field(description="Numbers that a form may want to tell beforehand.")
    cancel_minutes: int = strawberry.field(description="How long after paying a shopper can cancel an order.")
    return_days: int = strawberry.field(description="How long after paying a shopper can ask for a return.")
    time_zone: str = strawberry.field(
        description='The zone of the shop\'s days and hours, by its IANA name: "America/New_York".'
    )
    stripe_publishable_key: str = strawberry.field(description="Publishable key for the embedded card form.")
    google_client_id: str = strawberry.field(description="OAuth client for Google sign-in.")

    @strawberry.field(
        description="All sizes that products are made in, smallest first. Those of one category: `sizeSystem`."
    )
    async def sizes(self, info: Info) -> list[Size]:
        return [Size(name) for name in (await listing.categories(info.context)).size_choices.names]


# The whole type: this domain's part of it, and what domains above add.
if TYPE_CHECKING:
    Shop: TypeAlias = CatalogShopFields


WholeShop = Annotated["Shop", strawberry.lazy("server.schema")]


@strawberry.type(description="What a search finds, and what could be searched next.")
class SearchResult:
    search: strawberry.Private[searching.Search]
    suggestions: list[str] = strawberry.field(description="At most five texts to search for next.")
    corrected: str | None = strawberry.field(
        description="What was searched instead when there is no such word as was typed; null otherwise."
    )

    @strawberry.field(description="Products that have every word, in pages like any list of products.")
    async def products(
        self,
        info: Info,
        filter: Annotated[ProductFilter | None, strawberry.argument(description="Narrows what is found.")] = None,
        sort: Annotated[ProductSort, strawberry.argument(description="In which order.")] = ProductSort.RELEVANCE,
        first: First = 8,
        after: After = None,
    ) -> ProductConnection:
        return await product_connection(info, ProductListRequest(filter, sort, first, after, self.search))


@strawberry.type
class CatalogQuery:
    """The catalogue's fields of Query."""

    @strawberry.field(
        description="What the whole shop has in common.", permission_classes=[Anyone], graphql_type=WholeShop
    )
    def shop(self, info: Info) -> AwaitableOrValue[CatalogShopFields]:
        listing.show_beside(info.context, "settings")
        decided = shop.known(info.context)
        return _read_shop(info.context) if decided is None else _shop(info.context, decided)

    @strawberry.field(
        description="Categories in the order of the menu.",
        permission_classes=[Anyone],
        metadata={LIST_SIZE: CATEGORIES_ASSUMED},
    )
    async def categories(
        self,
        info: Info,
        ids: Annotated[
            list[strawberry.ID] | None, strawberry.argument(description="Only these; all when left out.")
        ] = None,
    ) -> list[Category]:
        shown = (await listing.categories(info.context)).shown
        return [Category.of(each) for each in shown if ids is None or each.key in ids]

    @strawberry.field(
        description="A product; null when it does not exist or is no longer sold.",
        permission_classes=[Anyone],
        graphql_type=Product | None,
    )
    def product(
        self,
        info: Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="As lists and the page's address have it.")],
    ) -> AwaitableOrValue[Product | None]:
        try:
            product_id = UUID(id)
        except ValueError:
            return None
        products = listing.known_products(info.context, [product_id])
        return _read_product(info.context, product_id) if products is None else _on_sale(products.get(product_id))

    @strawberry.field(
        description="Products on offer, page by page. Pages hold still while products come and go.",
        permission_classes=[Anyone],
    )
    async def products(
        self,
        info: Info,
        filter: Annotated[ProductFilter | None, strawberry.argument(description="Which; all when left out.")] = None,
        sort: Annotated[ProductSort, strawberry.argument(description="In which order.")] = ProductSort.FEATURED,
        first: First = 24,
        after: After = None,
        ids: Annotated[
            list[strawberry.ID] | None,
            strawberry.argument(
                description="These, in this order and on one page, instead of a list with filter, order and pages. At "
                "most 100; one that does not exist or is no longer sold is left out. Costs as many objects as ids."
            ),
        ] = None,
    ) -> ProductConnection:
        if ids is not None:
            return await products_by_ids(info, ids, is_alone=filter is None and after is None)
        return await product_connection(info, ProductListRequest(filter, sort, first, after))

    @strawberry.field(
        description="Products by the beginnings of words in name, title, subtitle and category, by colors, by what "
        "else their kinds are called, and by sale. Words of a color hold for one color of a product. Case and accents "
        "do not matter; a word that there is not is corrected. One character finds nothing.",
        permission_classes=[Anyone],
    )
    async def search(
        self,
        info: Info,
        query: Annotated[str, strawberry.argument(description='What was typed: "light blue linen sh".')],
    ) -> SearchResult:
        typed = query[: searching.LONGEST]

        def answered(index: CatalogIndex) -> tuple[searching.Search, list[str]]:
            search = searching.understood(index, typed)
            return search, searching.suggestions(index, search)

        search, suggestions = await listing.ask(info.context, answered)
        return SearchResult(search=search, suggestions=suggestions, corrected=search.corrected)


async def find_category(info: Info, key: str) -> Category | None:
    """A category that shoppers see."""
    facts = (await listing.categories(info.context)).by_key.get(key)
    return Category.of(facts) if facts and not facts.is_hidden else None


async def find_node(info: Info, node_id: UUID) -> Product | Variant | None:
    """A product on offer, or a variant of one."""
    product = await _read_product(info.context, node_id)
    if product is not None:
        return product
    async with reading(info.context) as session:
        product_id = await queries.product_of_variant(session, node_id)
    product = await _read_product(info.context, product_id) if product_id else None
    return product.variant(node_id) if product else None


async def _read_product(context: Context, product_id: UUID) -> Product | None:
    return _on_sale((await listing.products(context, [product_id])).get(product_id))


def _on_sale(row: ProductRow | None) -> Product | None:
    return Product.of(row) if row and row.retired_at is None else None


async def _read_shop(context: Context) -> CatalogShopFields:
    return _shop(context, await shop.current(context))


def _shop(context: Context, decided: ShopSettings) -> CatalogShopFields:
    settings = context.resources.get(Settings)
    return CatalogShopFields(
        context=context,
        name=decided.name,
        email=decided.contact_email,
        currency=CURRENCY,
        image_types=[each.media_type for each in ACCEPTED],
        limits=ShopLimits(
            addresses=settings.limits.max_addresses,
            cart_lines=MAX_CART_LINES,
            pieces_per_variant=settings.max_pieces_per_variant,
            images_per_product=settings.limits.max_product_images,
            image_bytes=settings.limits.max_image_bytes,
        ),
        cancel_minutes=decided.cancel_minutes,
        return_days=decided.return_days,
        time_zone=decided.time_zone,
        stripe_publishable_key=settings.stripe.publishable_key,
        google_client_id=settings.google.client_id,
    )
