"""Products and what they consist of, in the GraphQL schema: made of rows, as far as it is selected."""

from collections.abc import Callable, Sequence
from dataclasses import MISSING
from datetime import datetime
from enum import Enum
from typing import Annotated, Any, ClassVar, NewType, TypeVar, cast
from uuid import UUID

import strawberry
from graphql import EnumValueNode, GraphQLError, StringValueNode, ValueNode

from server.catalog import listing, queries
from server.catalog import measurements as measuring
from server.catalog import sizes as sizing
from server.catalog.categories import CategoryFacts, CategoryPage
from server.catalog.fields import PUBLIC_TEXTS, ProductField
from server.media.graphql import Image
from server.media.service import ImageRow
from server.platform.core.context import Context
from server.platform.core.cursors import page_size
from server.platform.gql.pagination import First
from server.platform.gql.scalars import Money
from server.platform.gql.types import Info, Node, enum_value

Size = NewType("Size", str)


def _size_in(value: object) -> str:
    if isinstance(value, str):
        return value
    raise GraphQLError('A size is a text, like "M".')


def _size_literal(node: ValueNode, _variables: dict[str, Any] | None = None) -> str:
    """Sizes were an enum: documents of before have them without quotes."""
    if isinstance(node, StringValueNode | EnumValueNode):
        return node.value
    return _size_in(None)


SIZE_SCALAR = strawberry.scalar(
    name="Size",
    description='The name of a size, as labels have it: "M", "38", "W30 L32"; a plain M is read as well. Those of a '
    "category, in order, are in `category.sizeSystem`.",
    serialize=str,
    parse_value=_size_in,
    parse_literal=_size_literal,
)


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


Kind = TypeVar("Kind", bound=type)


def with_texts(texts: Sequence[ProductField]) -> Callable[[Kind], Kind]:
    """Adds declared texts to a type, behind its own fields. Its objects have them in `row`."""

    def extended(kind: Kind) -> Kind:
        for each in texts:
            setattr(kind, each.name, strawberry.field(resolver=_text_of_row(each.name), description=each.description))
        return kind

    return extended


def _text_of_row(name: str) -> Callable[[Any], str]:
    def text(self: Any) -> str:
        return cast(str, getattr(self.row, name))

    return text


def with_text_inputs(texts: Sequence[ProductField]) -> Callable[[Kind], Kind]:
    """Adds declared texts to an input, before its own members. Those that may be empty may be left out."""

    def extended(kind: Kind) -> Kind:
        kind.__annotations__ = {**{each.name: str for each in texts}, **kind.__annotations__}
        for each in texts:
            default = MISSING if each.is_required else ""
            setattr(kind, each.name, strawberry.field(description=each.description, default=default))
        return kind

    return extended


POINTS_BY_NAME = {point.value: point for point in MeasurementPoint}


@strawberry.type(description="Whom garments are cut for: the first part of the menu.")
class Department:
    key: str = strawberry.field(description="Never changes; filters take it: `men`.")
    name: str = strawberry.field(description='What a menu says: "Men".')
    heading: str = strawberry.field(description='Above its page: "Men\'s Collection".')
    path: str = strawberry.field(description='Of its page: "/category/men"; the front page while it is hidden.')


@strawberry.type(description="A kind of clothing; more than one department may have it.")
class ProductKind:
    key: str = strawberry.field(description="Never changes; filters take it: `jeans`.")
    name: str = strawberry.field(description='What a menu says: "Jeans".')


@strawberry.type(description="What a size is called in another market.")
class SizeLabel:
    market: str = strawberry.field(description='"UK".')
    name: str = strawberry.field(description='"5".')


@strawberry.type(description="A value of an axis: a size, or a waist beside a length.")
class SizeValue:
    name: str = strawberry.field(description='"38", "W30".')
    labels: list[SizeLabel] = strawberry.field(description="What it is called in other markets.")


@strawberry.type(description="What is chosen at once.")
class SizeAxis:
    name: str = strawberry.field(description='"Size", "Waist".')
    values: list[SizeValue] = strawberry.field(description="From small to large.")


@strawberry.type(
    description="What the products of a category are made in. Of two axes, a size is a value of each: `W30 L32`."
)
class SizeSystem:
    key: str = strawberry.field(description="Never changes: `letters`.")
    name: str = strawberry.field(description='"Letters", "Shoes".')
    market: str = strawberry.field(description='Whose names its sizes have: "EU"; empty when all have the same.')
    axes: list[SizeAxis] = strawberry.field(description="One or two.")
    sizes: list[Size] = strawberry.field(description="All sizes, from small to large; of two axes each with each.")

    @classmethod
    def of(cls, facts: sizing.SizeSystem) -> "SizeSystem":
        """From the system's row."""
        return cls(
            key=facts.key,
            name=facts.name,
            market=facts.market,
            axes=[_size_axis(each) for each in facts.axes],
            sizes=[Size(each) for each in facts.sizes],
        )


def _size_axis(axis: sizing.SizeAxis) -> SizeAxis:
    return SizeAxis(
        name=axis.name,
        values=[
            SizeValue(name=value.name, labels=[SizeLabel(market=each.market, name=each.name) for each in value.labels])
            for value in axis.values
        ],
    )


@strawberry.type(description="A group of products that a shopper browses, such as men's jeans: a kind in a department.")
class Category(Node):
    id: strawberry.ID = strawberry.field(description="Opaque.")
    key: str = strawberry.field(description="Never changes; inputs take it: `men_jeans`.")
    name: str = strawberry.field(description='What a menu says: "Jeans".')
    heading: str = strawberry.field(description='Above its page: "Men\'s Collection".')
    path: str = strawberry.field(
        description='Of its page: "/category/men/jeans"; of its department\'s while it is hidden.'
    )
    department: Department = strawberry.field(description="Whom it is cut for.")
    kind: ProductKind = strawberry.field(description="Kind of clothing.")
    is_hidden: bool = strawberry.field(
        description="In no menu and without a page, while its products stay on sale. `categories` has none of these."
    )
    measurement_points: list[MeasurementPoint] = strawberry.field(
        description="What its garments are measured at, in the order of the table."
    )
    facts: strawberry.Private[CategoryFacts]

    @strawberry.field(description="What its products are made in.")
    def size_system(self) -> SizeSystem:
        return SizeSystem.of(self.facts.size_system)

    @strawberry.field(description="Words below the heading of its page; empty for none.")
    async def description(self, info: Info) -> str:
        return (await self._page(info)).description

    @strawberry.field(description="Beside those words; null for none.")
    async def image(self, info: Info) -> Image | None:
        image = (await self._page(info)).image
        return category_image(image, self.department.name, self.name)

    async def _page(self, info: Info) -> CategoryPage:
        return (await listing.categories(info.context)).page_of(self.key)

    @strawberry.field(description="Products on offer.")
    async def product_count(self, info: Info) -> int:
        department, kind = self.department.key, self.kind.key
        count: int = await listing.ask(info.context, lambda index: index.in_category(department, kind))
        return count

    @classmethod
    def of(cls, facts: CategoryFacts) -> "Category":
        """From the category's row."""
        department, kind = facts.department, facts.kind
        return cls(
            id=strawberry.ID(facts.key),
            key=facts.key,
            name=facts.name,
            heading=facts.heading,
            path=facts.shown_path,
            department=Department(
                key=department.key, name=department.name, heading=department.heading, path=department.shown_path
            ),
            kind=ProductKind(key=kind.key, name=kind.name),
            is_hidden=facts.is_hidden,
            measurement_points=[POINTS_BY_NAME[point] for point in facts.points],
            facts=facts,
        )


CATEGORIES_ASSUMED = 100
"""For the cost of a document: shops have more categories than a list without pagination has objects."""


@strawberry.type(description="A color that a product comes in.")
class Color:
    id: strawberry.ID = strawberry.field(description="Opaque; no two products share it.")
    name: str = strawberry.field(description='In the product\'s own words: "Indigo".')
    hex: str = strawberry.field(description="Six digits with #: `#2f4e7d`.")
    family: str = strawberry.field(description='As `facets.colors` names it: "Blue".')
    product: strawberry.Private[queries.ProductRow]

    @strawberry.field(description="This color's pictures, front first, then those of all colors.")
    def images(self) -> list[Image]:
        return [image_of(picture, self.product.title) for picture in self.product.pictures_of(self.id)]

    @classmethod
    def of(cls, row: queries.ColorRow, product: queries.ProductRow) -> "Color":
        """From a color of the product's row."""
        return cls(id=strawberry.ID(row.id), name=row.name, hex=row.hex, family=row.family, product=product)


@strawberry.type(description="A product in one color and one size: what is put in a cart.")
class Variant(Node):
    id: strawberry.ID = strawberry.field(description="Hand it to `addToCart`.")
    sku: str = strawberry.field(description="Stock-keeping unit, as the label says.")
    size: Size = strawberry.field(description="Its size.")
    color: Color = strawberry.field(description="Its color.")
    stock: int = strawberry.field(description="Pieces that can be bought now.")
    in_stock: bool = strawberry.field(description="Whether a piece can be bought now.")

    @classmethod
    def of(cls, row: queries.VariantRow, color: Color) -> "Variant":
        """From a variant of the product's row."""
        return cls(
            id=strawberry.ID(row.id),
            sku=row.sku,
            size=Size(row.size),
            color=color,
            stock=row.stock,
            in_stock=row.stock > 0,
        )


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
    def rows(cls, lengths: measuring.Lengths, points: Sequence[str], sizes: Sequence[str]) -> "list[Measurement]":
        """The table of measurements of a product in a category with these points, made in these sizes in order."""
        return [
            cls(
                point=POINTS_BY_NAME[point],
                lengths=[SizeLength(size=Size(size), micrometers=length) for size, length in row],
            )
            for point, row in measuring.shown(lengths, points, sizes)
        ]


def _id_of_row(self: "BaseProduct") -> strawberry.ID:
    return strawberry.ID(str(self.row.id))


@strawberry.interface(description="What shoppers and the back office read of a product alike.")
@with_texts(PUBLIC_TEXTS)
class BaseProduct:
    row: strawberry.Private[Any]
    """A row of the products' table or of a query, which have the same attributes."""
    id: strawberry.ID = strawberry.field(
        resolver=_id_of_row, description="Opaque; the address of its page is `/product/{id}`."
    )

    def made_in(self) -> Sequence[str]:
        """The sizes that it is made in, from small to large."""
        raise NotImplementedError

    def category_facts(self) -> CategoryFacts:
        """Its category."""
        raise NotImplementedError

    @strawberry.field(description="Facts, in the order that a table shows them.")
    def details(self) -> list[ProductDetail]:
        return [ProductDetail(label=each["label"], text=each["text"]) for each in self.row.details]

    @strawberry.field(
        description="Of the finished garment, in the order of its kind's table; empty when nobody has measured it."
    )
    def measurements(self) -> list[Measurement]:
        return Measurement.rows(self.row.measurements, self.category_facts().points, self.made_in())

    @strawberry.field(description="Where shoppers find it.")
    def category(self) -> Category:
        return Category.of(self.category_facts())

    @strawberry.field(description="Before any discount.")
    def price(self) -> Money:
        return Money(self.row.price_cents)

    @strawberry.field(description="No longer sold; seen by admins only.")
    def is_retired(self) -> bool:
        return self.row.retired_at is not None


@strawberry.type(description="A piece of clothing.")
class Product(BaseProduct, Node):
    row: strawberry.Private[queries.ProductRow]
    memo_key: ClassVar[str] = "row"

    def made_in(self) -> Sequence[str]:
        """As its row has them."""
        return self.row.sizes

    def category_facts(self) -> CategoryFacts:
        """As its row has it."""
        return self.row.category_facts

    @strawberry.field(description="Set only when a discount counts: above 0 and below `price`.")
    def discounted_price(self) -> Money | None:
        return optional_money(self.row.discounted_price_cents)

    @strawberry.field(description="Whole percent off; set with `discountedPrice`.")
    def discount_percentage(self) -> int | None:
        return self.row.discount_percentage

    @strawberry.field(description="What one piece costs now.")
    def charged_price(self) -> Money:
        return Money(self.row.charged_cents)

    @strawberry.field(description="Pieces that can be bought now, over all variants.")
    def stock(self) -> int:
        return self.row.stock

    @strawberry.field(description="Sizes it is made in, smallest first, sold out or not.")
    def sizes(self) -> list[Size]:
        return [Size(size) for size in self.row.sizes]

    @strawberry.field(description="Every color in every size, in that order.")
    def variants(self) -> list[Variant]:
        colors = {color.id: Color.of(color, self.row) for color in self.row.colors}
        return [Variant.of(variant, colors[variant.color_id]) for variant in self.row.variants]

    @strawberry.field(description="All pictures, in the order of its colors.")
    def images(self) -> list[Image]:
        return [image_of(picture, self.row.title) for picture in dict.fromkeys(self.row.pictures)]

    @strawberry.field(description="When it came into the shop.")
    def created_at(self) -> datetime:
        return self.row.created_at

    @strawberry.field(description="In the order of the shop; the first is preselected.")
    def colors(
        self,
        first: Annotated[
            int | None, strawberry.argument(description="How many at most, 1 to 100; all of them by default.")
        ] = None,
    ) -> list[Color]:
        rows = self.row.colors if first is None else self.row.colors[: page_size(first)]
        return [Color.of(color, self.row) for color in rows]

    @strawberry.field(
        description="What goes with it: same department, other kinds first, then the best sold. Costs one statement."
    )
    async def related(self, info: Info, first: First = 4) -> list["Product"]:
        context: Context = info.context
        row, many = self.row, page_size(first)
        ids = await listing.ask(context, lambda index: index.related(UUID(row.id), row.gender, row.subcategory, many))
        rows = await listing.products(context, ids)
        return [Product.of(rows[each]) for each in ids if each in rows and rows[each].retired_at is None]

    @classmethod
    def of(cls, row: queries.ProductRow) -> "Product":
        """From the query's row."""
        return cls(row=row)

    def variant(self, variant_id: UUID) -> Variant | None:
        """One of its variants; None when it has no variant with this id."""
        row = next((each for each in self.row.variants if each.id == str(variant_id)), None)
        if row is None:
            return None
        return Variant.of(row, Color.of(next(each for each in self.row.colors if each.id == row.color_id), self.row))


def image_of(picture: queries.PictureRow, title: str) -> Image:
    """An image of a product; its title is the alternative text where the image has none."""
    return Image.of(picture.image_id, picture.width, picture.height, picture.placeholder, picture.alt or title)


def category_image(row: ImageRow | None, department: str, name: str) -> Image | None:
    """The picture of a category, which shows whose and what it is."""
    if row is None:
        return None
    return Image.of(row.id, row.width, row.height, row.placeholder, f"{department}, {name}")


def optional_money(cents: int | None) -> Money | None:
    """The amount, None for none."""
    return None if cents is None else Money(cents)
