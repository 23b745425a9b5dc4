"""Products in the GraphQL schema. Everything but `related` is plain data, built from rows."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Annotated, TypeAlias
from uuid import UUID

import strawberry

from server.catalog import listing, lists, queries
from server.catalog import measurements as measuring
from server.catalog import search as searching
from server.catalog.colors import FAMILIES
from server.catalog.index.index import Position, microseconds, moment
from server.catalog.models import SIZES
from server.config import MAX_CART_LINES
from server.core import errors as refusals
from server.core.context import Context, reading
from server.core.cursors import datetime_key, decode_cursor, encode_cursor, exact_key, integer_key, page_size
from server.core.money import CURRENCY
from server.gql.pagination import After, Connection, First, edges_of, page_info
from server.gql.permissions import Anyone
from server.gql.scalars import Money
from server.gql.types import Info, asks_for, enum_value
from server.media.graphql import Image
from server.shop import service as shop


@strawberry.enum(description="Whom it is cut for.")
class Gender(Enum):
    MEN = enum_value("men", "Men.")
    WOMEN = enum_value("women", "Women.")


@strawberry.enum(description="Kind of clothing. Trousers are made for women only.")
class Subcategory(Enum):
    SHIRTS = enum_value("shirts", "Shirts and blouses.")
    JEANS = enum_value("jeans", "Jeans.")
    TROUSERS = enum_value("trousers", "Trousers of other cloth than denim.")


@strawberry.enum(description="Clothing size.")
class Size(Enum):
    XS = enum_value("XS", "Extra small.")
    S = enum_value("S", "Small.")
    M = enum_value("M", "Medium.")
    L = enum_value("L", "Large.")
    XL = enum_value("XL", "Extra large.")
    XXL = enum_value("XXL", "Double extra large.")


@strawberry.enum(description="Where a garment is measured. A table has those of its kind.")
class MeasurementPoint(Enum):
    COLLAR = enum_value("collar", "All the way round, buttoned.")
    SHOULDER = enum_value("shoulder", "From seam to seam across the back.")
    CHEST = enum_value("chest", "All the way round, below the armholes.")
    BUST = enum_value("bust", "The same, of women's garments.")
    WAIST = enum_value("waist", "All the way round.")
    SLEEVE = enum_value("sleeve", "From the shoulder's seam to the end.")
    LENGTH = enum_value("length", "From the neck's base to the hem.")
    FRONT_RISE = enum_value("front_rise", "From the crotch to the waistband's upper edge.")
    THIGH = enum_value("thigh", "Across one leg, below the crotch.")
    INSEAM = enum_value("inseam", "From the crotch to the hem.")
    HEM = enum_value("hem", "Across the end of one leg.")


@strawberry.enum(description="Order of a product list; the newer product comes first among equals.")
class ProductSort(Enum):
    RELEVANCE = enum_value(
        "relevance", "Of a search: what is called so first, then what is only told so, best sold first. Else FEATURED."
    )
    FEATURED = enum_value("featured", "Best sold first.")
    NEWEST = enum_value("newest", "Latest arrival first.")
    PRICE_ASCENDING = enum_value("price_ascending", "Cheapest first, by what is charged now.")
    PRICE_DESCENDING = enum_value("price_descending", "Dearest first, by what is charged now.")


SIZES_BY_NAME = {size.value: size for size in Size}
GENDERS = {gender.value: gender for gender in Gender}
POINTS_BY_NAME = {point.value: point for point in MeasurementPoint}
SUBCATEGORIES = {subcategory.value: subcategory for subcategory in Subcategory}


@strawberry.type(description="Numbers that a form may want to tell beforehand; the server enforces them.")
class ShopLimits:
    addresses: int = strawberry.field(description="Most addresses an account may keep.")
    cart_lines: int = strawberry.field(description="Most lines a cart may have.")
    images_per_product: int = strawberry.field(description="Most pictures a product may have.")
    image_bytes: int = strawberry.field(description="Largest picture file that the upload takes, in bytes.")


@strawberry.type
class CatalogShopFields:
    """The catalogue's fields of the type Shop."""

    name: str = strawberry.field(description='The shop\'s name: "Minimal".')
    email: str = strawberry.field(description='Where its people read mail: "shop@minimal.test".')
    currency: str = strawberry.field(description='ISO 4217 code of every amount: "USD".')
    sizes: list[Size] = strawberry.field(description="All sizes, smallest first.")
    image_types: list[str] = strawberry.field(description="Picture types that the upload takes, as MIME types.")
    limits: ShopLimits = strawberry.field(description="Numbers that a form may want to tell beforehand.")
    cancel_minutes: int = strawberry.field(description="How long after paying a shopper can cancel an order.")
    return_days: int = strawberry.field(description="How long after paying a shopper can ask for a return.")
    stripe_publishable_key: str = strawberry.field(description="Publishable key for the embedded card form.")
    google_client_id: str = strawberry.field(description="OAuth client for Google sign-in.")


# The whole type: this domain's part of it, and what domains above add.
if TYPE_CHECKING:
    Shop: TypeAlias = CatalogShopFields

WholeShop = Annotated["Shop", strawberry.lazy("server.schema")]


@strawberry.type(description="A group of products that a shopper browses, such as men's jeans.")
class Category:
    id: strawberry.ID = strawberry.field(description="gender_subcategory: `men_jeans`.")
    gender: Gender = strawberry.field(description="Whom it is cut for.")
    subcategory: Subcategory = strawberry.field(description="Kind of clothing.")
    label: str = strawberry.field(description='What a menu says: "Jeans".')
    product_count: int = strawberry.field(description="Products on offer.")
    measurement_points: list[MeasurementPoint] = strawberry.field(
        description="What its garments are measured at, in the order of the table."
    )

    @classmethod
    def of(cls, gender: str, subcategory: str, products: int) -> "Category":
        """A category with its number of products on sale."""
        return cls(
            id=strawberry.ID(f"{gender}_{subcategory}"),
            gender=GENDERS[gender],
            subcategory=SUBCATEGORIES[subcategory],
            label=subcategory.capitalize(),
            product_count=products,
            measurement_points=[POINTS_BY_NAME[point] for point in measuring.POINTS[f"{gender}_{subcategory}"]],
        )


@strawberry.type(description="A color that a product comes in.")
class Color:
    id: strawberry.ID = strawberry.field(description="Opaque; no two products share it.")
    name: str = strawberry.field(description='In the product\'s own words: "Indigo".')
    hex: str = strawberry.field(description="Six digits with #: `#2f4e7d`.")
    images: list[Image] = strawberry.field(description="This color's pictures, front first, then those of all colors.")


@strawberry.type(description="A product in one color and one size: what is put in a cart.")
class Variant:
    id: strawberry.ID = strawberry.field(description="Hand it to `addToCart`.")
    sku: str = strawberry.field(description="Stock-keeping unit, as the label says.")
    size: Size = strawberry.field(description="Its size.")
    color: Color = strawberry.field(description="Its color.")
    stock: int = strawberry.field(description="Pieces that can be bought now.")
    in_stock: bool = strawberry.field(description="Whether a piece can be bought now.")


@strawberry.type(description="A fact about a product, such as its cloth or its care.")
class ProductDetail:
    label: str = strawberry.field(description='"Care".')
    text: str = strawberry.field(description='"Wash at 40 °C."')


@strawberry.type(description="How long a measurement is in one size.")
class SizeLength:
    size: Size = strawberry.field(description="The size.")
    micrometers: int = strawberry.field(description="Thousandths of a millimeter: 25400 is one inch.")


@strawberry.type(description="One row of the table of measurements, of the finished garment.")
class Measurement:
    point: MeasurementPoint = strawberry.field(description="Where it is measured.")
    lengths: list[SizeLength] = strawberry.field(description="Smallest size first; sizes not measured are left out.")

    @classmethod
    def rows(cls, lengths: measuring.Lengths, category: str, sizes: Sequence[str]) -> "list[Measurement]":
        """The table of measurements of a product in this category, made in these sizes."""
        return [
            cls(
                point=POINTS_BY_NAME[point],
                lengths=[SizeLength(size=SIZES_BY_NAME[size], micrometers=length) for size, length in row],
            )
            for point, row in measuring.shown(lengths, category, sizes)
        ]


@strawberry.type(description="A piece of clothing.")
class Product:
    id: strawberry.ID = strawberry.field(description="Opaque; the address of its page is `/product/{id}`.")
    name: str = strawberry.field(description='"Oxford Shirt".')
    title: str = strawberry.field(description="Used as alternative text of its pictures.")
    subtitle: str = strawberry.field(description="One line under the name.")
    description: str = strawberry.field(description="A paragraph of plain text.")
    details: list[ProductDetail] = strawberry.field(description="Facts, in the order that a table shows them.")
    measurements: list[Measurement] = strawberry.field(
        description="Of the finished garment, in the order of its kind's table; empty when nobody has measured it."
    )
    gender: Gender = strawberry.field(description="Whom it is cut for.")
    subcategory: Subcategory = strawberry.field(description="Kind of clothing.")
    category: str = strawberry.field(description="gender_subcategory, such as `men_jeans`.")
    price: Money = strawberry.field(description="Before any discount.")
    discounted_price: Money | None = strawberry.field(
        description="Set only when a discount counts: above 0 and below `price`."
    )
    discount_percentage: int | None = strawberry.field(description="Whole percent off; set with `discountedPrice`.")
    charged_price: Money = strawberry.field(description="What one piece costs now.")
    stock: int = strawberry.field(description="Pieces that can be bought now, over all variants.")
    sizes: list[Size] = strawberry.field(description="Sizes it is made in, smallest first, sold out or not.")
    all_colors: strawberry.Private[list[Color]]
    variants: list[Variant] = strawberry.field(description="Every color in every size, in that order.")
    images: list[Image] = strawberry.field(description="All pictures, in the order of its colors.")
    created_at: datetime = strawberry.field(description="When it came into the shop.")
    is_retired: bool = strawberry.field(description="No longer sold; seen by admins only.")

    @strawberry.field(description="In the order of the shop; the first is preselected.")
    def colors(
        self,
        first: Annotated[
            int | None, strawberry.argument(description="How many at most, 1 to 100; all of them by default.")
        ] = None,
    ) -> list[Color]:
        return self.all_colors if first is None else self.all_colors[: page_size(first)]

    @strawberry.field(
        description="What goes with it: same gender, other kinds first, then the best sold. Costs one statement."
    )
    async def related(self, info: Info, first: First = 4) -> list["Product"]:
        context: Context = info.context
        index = await listing.catalog_index(context)
        ids = index.related(UUID(self.id), self.gender.value, self.subcategory.value, page_size(first))
        found = await asyncio.gather(*(context.load(queries.products_by_id, each) for each in ids))
        return [Product.of(row) for row in found if row and row.retired_at is None]

    @classmethod
    def of(cls, row: queries.ProductRow) -> "Product":
        """From the query's row."""
        images = {picture: _image(picture, row.title) for picture in row.pictures}
        colors = {
            color.id: Color(
                id=strawberry.ID(color.id),
                name=color.name,
                hex=color.hex,
                images=[images[picture] for picture in row.pictures_of(color.id)],
            )
            for color in row.colors
        }
        return cls(
            id=strawberry.ID(row.id),
            name=row.name,
            title=row.title,
            subtitle=row.subtitle,
            description=row.description,
            details=[ProductDetail(label=each["label"], text=each["text"]) for each in row.details],
            measurements=Measurement.rows(row.measurements, row.category, row.sizes),
            gender=GENDERS[row.gender],
            subcategory=SUBCATEGORIES[row.subcategory],
            category=row.category,
            price=Money(row.price_cents),
            discounted_price=_money(row.discounted_price_cents),
            discount_percentage=row.discount_percentage,
            charged_price=Money(row.charged_cents),
            stock=row.stock,
            sizes=[SIZES_BY_NAME[size] for size in row.sizes],
            all_colors=list(colors.values()),
            variants=[
                Variant(
                    id=strawberry.ID(variant.id),
                    sku=variant.sku,
                    size=SIZES_BY_NAME[variant.size],
                    color=colors[variant.color_id],
                    stock=variant.stock,
                    in_stock=variant.stock > 0,
                )
                for variant in row.variants
            ],
            images=list(images.values()),
            created_at=row.created_at,
            is_retired=row.retired_at is not None,
        )

    def variant(self, variant_id: UUID) -> Variant | None:
        """One of its variants; None when it has no variant with this id."""
        return next((variant for variant in self.variants if variant.id == str(variant_id)), None)


def _image(picture: queries.PictureRow, title: str) -> Image:
    return Image.of(picture.image_id, picture.width, picture.height, picture.placeholder, picture.alt or title)


def _money(cents: int | None) -> Money | None:
    return None if cents is None else Money(cents)


@strawberry.type(description="How many products come in a size.")
class SizeFacet:
    size: Size = strawberry.field(description="The size.")
    count: int = strawberry.field(description="Products that would be left.")


@strawberry.type(description="How many products come in a family of colors: Blue, Black and so on.")
class ColorFacet:
    name: str = strawberry.field(description='Hand it to `filter.colors`: "Blue".')
    hex: str = strawberry.field(description="A color that stands for the family.")
    count: int = strawberry.field(description="Products that would be left.")


@strawberry.type(description="From the cheapest to the dearest.")
class PriceRange:
    lowest: Money = strawberry.field(description="What the cheapest costs now.")
    highest: Money = strawberry.field(description="What the dearest costs now.")


@strawberry.type(description="What the filter could be narrowed to, each counted without its own choice.")
class ProductFacets:
    sizes: list[SizeFacet] = strawberry.field(
        description="Smallest first; those that would leave nothing are left out."
    )
    colors: list[ColorFacet] = strawberry.field(
        description="Dark to bright; those that would leave nothing are left out."
    )
    price_range: PriceRange | None = strawberry.field(
        description="Among the matches without a price filter; null when there are none."
    )
    in_stock: int = strawberry.field(description="Products that `inStock` would leave.")
    on_sale: int = strawberry.field(description="Products that `onSale` would leave.")

    @classmethod
    def of(cls, found: lists.Facets) -> "ProductFacets":
        """From the index's counts."""
        return cls(
            sizes=[
                SizeFacet(size=SIZES_BY_NAME[size], count=found.sizes[size]) for size in SIZES if size in found.sizes
            ],
            colors=[
                ColorFacet(name=name, hex=stands_for, count=found.families[name])
                for name, stands_for in FAMILIES.items()
                if name in found.families
            ],
            price_range=(
                PriceRange(lowest=Money(found.lowest_cents), highest=Money(found.highest_cents))
                if found.lowest_cents is not None and found.highest_cents is not None
                else None
            ),
            in_stock=found.in_stock,
            on_sale=found.on_sale,
        )


@strawberry.type(description="A page of products, read in one statement. `totalCount` and `facets` cost none.")
class ProductConnection(Connection[Product]):
    facets: ProductFacets = strawberry.field(description="What the filter could be narrowed to.")


@strawberry.input(
    description="Narrows a list of products. Members combine with and, values within a member with or; "
    "null, false and empty lists narrow nothing."
)
class ProductFilter:
    gender: Gender | None = strawberry.field(default=None, description="Whom it is cut for.")
    subcategory: Subcategory | None = strawberry.field(default=None, description="Kind of clothing.")
    on_sale: bool | None = strawberry.field(default=None, description="Only products whose discount counts now.")
    in_stock: bool | None = strawberry.field(
        default=None, description="Only products with a piece left (in one of the given sizes and colors)."
    )
    sizes: list[Size] | None = strawberry.field(default=None, description="Made in one of these sizes.")
    colors: list[str] | None = strawberry.field(
        default=None, description='Families as `facets.colors` names them: "Blue".'
    )
    price_from: Money | None = strawberry.field(default=None, description="Charged now: at least this.")
    price_to: Money | None = strawberry.field(default=None, description="Charged now: at most this.")

    def narrowed(self) -> lists.ProductCriteria:
        """The criteria for the index. Raises InvalidInput for an unknown color family."""
        unknown = [name for name in self.colors or () if name not in FAMILIES]
        if unknown:
            raise refusals.InvalidInput({"colors": f"There is no color {unknown[0]!r}: {', '.join(FAMILIES)}."})
        return lists.ProductCriteria(
            gender=self.gender.value if self.gender else None,
            subcategory=self.subcategory.value if self.subcategory else None,
            on_sale=bool(self.on_sale),
            in_stock=bool(self.in_stock),
            sizes=tuple(size.value for size in self.sizes or ()),
            families=tuple(self.colors or ()),
            price_from=self.price_from,
            price_to=self.price_to,
        )


@dataclass(frozen=True)
class _PageRequest:
    """The page of products that a query asks for."""

    filter: ProductFilter | None
    sort: ProductSort
    first: int
    after: str | None
    search: searching.Search | None = None
    """None for a list without a search."""


async def _connection(info: Info, wanted: _PageRequest) -> ProductConnection:
    criteria = (wanted.filter or ProductFilter()).narrowed()
    sort, first = lists.ProductListSort(wanted.sort.value), page_size(wanted.first)
    after = _position(wanted.after, sort)
    if wanted.search and not wanted.search.words:
        return _connection_of(listing.ListedPage([], [], False), sort, after, 0, lists.Facets())
    words = wanted.search.words if wanted.search else ()
    index = await listing.catalog_index(info.context)
    page = await listing.page(info.context, criteria, sort, first, after, words)
    total = index.total(criteria, words) if asks_for(info, "totalCount") else 0
    facets = index.facets(criteria, words) if asks_for(info, "facets") else lists.Facets()
    return _connection_of(page, sort, after, total, facets)


def _connection_of(
    page: listing.ListedPage, sort: lists.ProductListSort, after: Position | None, total: int, facets: lists.Facets
) -> ProductConnection:
    nodes = [Product.of(row) for row in page.rows]
    cursors = [_cursor(position, sort) for position in page.positions]
    return ProductConnection(
        nodes=nodes,
        edges=edges_of(nodes, cursors),
        page_info=page_info(cursors, has_next=page.has_next, has_previous=after is not None),
        total_count=total,
        facets=ProductFacets.of(facets),
    )


def _cursor(position: Position, sort: lists.ProductListSort) -> str:
    key: object = position.value
    if sort is lists.ProductListSort.NEWEST:
        key = moment(position.value)
    elif sort is lists.ProductListSort.RELEVANCE:
        key = f"{position.rank}.{position.value}"
    return encode_cursor(sort.value, key, position.id)


def _position(cursor: str | None, sort: lists.ProductListSort) -> Position | None:
    """Raises InvalidInput for a cursor of another order or another list."""
    place = decode_cursor(cursor, exact_key(sort.value), _RANKED_KEYS.get(sort, _number), UUID)
    return place and Position(*place[1], place[2])


def _number(part: str) -> tuple[int, int]:
    return 0, integer_key(bits=32)(part)


def _microseconds(part: str) -> tuple[int, int]:
    return 0, microseconds(datetime_key(part))


def _rank_and_number(part: str) -> tuple[int, int]:
    rank, _, number = part.partition(".")
    return integer_key(bits=8)(rank), integer_key(bits=32)(number)


_RANKED_KEYS: dict[lists.ProductListSort, Callable[[str], tuple[int, int]]] = {
    lists.ProductListSort.NEWEST: _microseconds,
    lists.ProductListSort.RELEVANCE: _rank_and_number,
}


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
        return await _connection(info, _PageRequest(filter, sort, first, after, self.search))


@strawberry.type
class CatalogQuery:
    """The catalogue's fields of Query."""

    @strawberry.field(description="What the whole shop has in common.", permission_classes=[Anyone])
    async def shop(self, info: Info) -> WholeShop:
        settings, decided = info.context.settings, await shop.current(info.context)
        return CatalogShopFields(
            name="Minimal",
            email=decided.contact_email,
            currency=CURRENCY,
            sizes=list(Size),
            image_types=["image/jpeg", "image/png", "image/webp"],
            limits=ShopLimits(
                addresses=settings.max_addresses,
                cart_lines=MAX_CART_LINES,
                images_per_product=settings.max_product_images,
                image_bytes=settings.max_image_bytes,
            ),
            cancel_minutes=decided.cancel_minutes,
            return_days=decided.return_days,
            stripe_publishable_key=settings.stripe.publishable_key,
            google_client_id=settings.google.client_id,
        )

    @strawberry.field(description="The five categories, in the order of the menu.", permission_classes=[Anyone])
    async def categories(self, info: Info) -> list[Category]:
        index = await listing.catalog_index(info.context)
        return [Category.of(gender, kind, index.in_category(gender, kind)) for gender, kind in lists.CATEGORIES]

    @strawberry.field(
        description="A product; null when it does not exist or is no longer sold.", permission_classes=[Anyone]
    )
    async def product(
        self,
        info: Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="As lists and the page's address have it.")],
    ) -> Product | None:
        try:
            product_id = UUID(id)
        except ValueError:
            return None
        async with reading(info.context) as session:
            row = await queries.product(session, product_id)
        return Product.of(row) if row else None

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
    ) -> ProductConnection:
        return await _connection(info, _PageRequest(filter, sort, first, after))

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
        index = await listing.catalog_index(info.context)
        search = searching.understood(index, query)
        return SearchResult(search=search, suggestions=searching.suggestions(index, search), corrected=search.corrected)
