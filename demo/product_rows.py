"""Rows of the demo's products, colors, images and variants, with ids that never change."""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from demo import catalogue, history, measurements
from server.catalog.discounts import percentage
from server.catalog.fields import texts_of
from server.media.service import NewImage

GRAMS = {"shirts": 300, "trousers": 550, "jeans": 750}
EPOCH = datetime(2024, 1, 1, tzinfo=UTC)


def demo_id(*names: object, at: datetime = EPOCH) -> UUID:
    """A UUID of version 7 that is always the same for the same names and moment."""
    digest = int.from_bytes(sha256("\x1f".join(map(str, names)).encode()).digest()[:10], "big")
    value = int(at.timestamp() * 1000) << 80 | digest
    return UUID(int=value & ~(0xF000 << 64) & ~(0xC000 << 48) | 0x7000 << 64 | 0x8000 << 48)


def id_of_product(product: catalogue.Product) -> UUID:
    """The product's id."""
    return demo_id("product", product.slug)


def id_of_color(product: catalogue.Product, color: str) -> UUID:
    """The id of one of the product's colors."""
    return demo_id("color", product.slug, color)


def id_of_variant(product: catalogue.Product, color: str, size: str) -> UUID:
    """The id of one of the product's variants."""
    return demo_id("variant", product.slug, color, size)


def sku_of(product: catalogue.Product, color: str, size: str) -> str:
    """The SKU of one of the product's variants."""
    return f"{product.details.number}-{color.replace(' ', '').upper()}-{size}"


def product_rows(offer: history.Range, orders: list[history.Order]) -> list[dict[str, Any]]:
    """Rows of all products, with the day each came into the shop and the units it has sold."""
    sold: Counter[str] = Counter()
    for order in orders:
        for line in order.lines:
            sold[line.product.slug] += line.quantity
    return [
        {
            "id": id_of_product(product),
            **texts_of(product),
            "details": _details(product.details),
            "measurements": measurements.of_product(product),
            "gender": product.gender,
            "subcategory": product.subcategory,
            "weight_grams": GRAMS[product.subcategory],
            "price_cents": product.price_cents,
            "discounted_price_cents": product.discounted_price_cents,
            "discount_percentage": percentage(product.price_cents, product.discounted_price_cents),
            "popularity": sold[product.slug],
            "created_at": arrived,
            "updated_at": arrived,
        }
        for product, arrived in offer.arrivals
    ]


def _details(details: catalogue.Details) -> list[dict[str, str]]:
    rows = (
        ("Cloth", details.cloth),
        ("Fit", details.fit),
        ("Closing", details.closing),
        ("Care", details.care),
        ("Made in", details.made_in),
        ("Number", details.number),
    )
    return [{"label": label, "text": value} for label, value in rows]


def color_rows(products: Iterable[catalogue.Product]) -> list[dict[str, Any]]:
    """Rows of all colors."""
    return [
        {
            "id": id_of_color(product, color.name),
            "product_id": id_of_product(product),
            "name": color.name,
            "hex": color.hex,
            "position": place,
        }
        for product in products
        for place, color in enumerate(product.colors)
    ]


def picture_rows(products: Iterable[catalogue.Product], images: dict[str, NewImage]) -> list[dict[str, Any]]:
    """Rows of all images that have been drawn."""
    return [
        {
            "product_id": id_of_product(product),
            "color_id": id_of_color(product, picture.color),
            "image_id": images[picture.file].id,
            "alt": picture.alt,
            "position": place,
        }
        for product in products
        for place, picture in enumerate(product.pictures)
        if picture.file in images
    ]


def variant_rows(products: Iterable[catalogue.Product]) -> list[dict[str, Any]]:
    """Rows of all variants."""
    return [
        {
            "id": id_of_variant(product, color, size),
            "product_id": id_of_product(product),
            "color_id": id_of_color(product, color),
            "size": size,
            "sku": sku_of(product, color, size),
            "stock": stock,
        }
        for product in products
        for (color, size), stock in product.stock.items()
    ]
