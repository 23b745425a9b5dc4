"""The specification's REST calls for products."""

import asyncio
import base64
import binascii
from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from pydantic import Field
from starlette.responses import Response

from server.catalog import drafts, fields, listing, lists, queries, search, service
from server.config import Settings
from server.media import service as media
from server.media.errors import UnusableImage
from server.media.service import ImageProcessor, NewImage
from server.platform.core import money
from server.platform.core.context import Context, reading, transaction
from server.platform.core.errors import InvalidInput, NotFound
from server.platform.core.viewer import Access
from server.platform.web.rest import Body, Call, answer, list_answer, route

REST_TEXTS = [each.name for each in fields.PUBLIC_TEXTS if each.is_in_rest]
FOUND_AT_MOST = 20
LARGEST_PRODUCT = 40_000_000


class ImageBody(Body):
    """An uploaded image. `type` is ignored: the content decides."""

    data: str = ""
    originalName: str = ""
    type: str = ""


class ProductBody(Body):
    """A product form, whose numbers may be numbers or text. Missing fields get the form's own messages."""

    name: str | None = None
    subtitle: str | None = None
    description: str | None = None
    price: float | str | None = None
    discountedPrice: float | str | None = None
    discountPercentage: float | str | None = None
    category: str | None = None
    gender: str | None = None
    stock: float | str | None = None
    colors: list[str] | None = None
    sizes: list[str] | None = None
    images: list[ImageBody] | None = Field(default=None)

    def draft(self, image_ids: list[UUID]) -> drafts.ProductDraft:
        """The draft for the service, with the ids of its images."""
        texts: dict[str, Any] = {name: getattr(self, name) or "" for name in REST_TEXTS}
        gender, _, subcategory = (self.category or "").lower().partition("_")
        return drafts.ProductDraft(
            **texts,
            price_cents=_cents(self.price),
            discounted_price_cents=None if self.discountedPrice in (None, "") else _cents(self.discountedPrice) or 0,
            discount_percentage=None if self.discountPercentage in (None, "") else _whole(self.discountPercentage),
            gender=(self.gender or "").lower(),
            subcategory=subcategory if gender == (self.gender or gender).lower() else "",
            stock=_whole(self.stock),
            colors=[drafts.NewColor(hex_value) for hex_value in dict.fromkeys(self.colors or ())],
            sizes=self.sizes or (),
            pictures=[drafts.NewPicture(image_id) for image_id in image_ids],
        )


async def find(call: Call) -> Response:
    """Products that match the text `q`, best first."""
    index = await listing.catalog_index(call.context)
    words = search.understood(index, call.request.query_params.get("q", "")).words
    if not words:
        return answer([])
    page = await listing.page(
        call.context, lists.ProductCriteria(), lists.ProductListSort.RELEVANCE, FOUND_AT_MOST, searched=words
    )
    return answer([_found_json(row) for row in page.rows])


async def in_category(call: Call) -> Response:
    """Products of a category, by `limit` and `offset`."""
    path = call.request.path_params
    categories = await listing.categories(call.context)
    return await _list(call, lists.category_filter(categories, path["category"], path["subcategory"]))


async def everything(call: Call) -> Response:
    """All products, or those of the parameter `category`."""
    category = call.request.query_params.get("category", "all")
    if category == "all":
        return await _list(call, lists.ProductCriteria())
    return await _list(call, lists.category_filter(await listing.categories(call.context), category))


async def show(call: Call) -> Response:
    """One product. Raises NotFound when it is not on sale."""
    async with reading(call.context) as session:
        row = await queries.product(session, call.path_id())
    if row is None:
        raise NotFound("This product")
    return answer(product_json(row))


async def create(call: Call) -> Response:
    """Creates a product with the images in the body; responds 201 with it. Raises InvalidInput."""
    body = await call.body(ProductBody)
    uploads = sorted(body.images or (), key=lambda image: "prod" not in image.originalName)
    draft = body.draft([uuid4() for _ in uploads])
    most = call.context.resources.get(Settings).limits.max_product_images
    drafts.validate(draft, await listing.categories(call.context), most)
    images = await _keep(call.context, draft, uploads)
    try:
        async with transaction(call.context) as session:
            await media.add(session, images)
            product_id = await service.create_product(session, draft, most, actor=call.context.viewer)
    except BaseException:
        await call.context.resources.get(ImageProcessor).discard(images)
        raise
    return await _changed(call.context, product_id, 201)


async def retire(call: Call) -> Response:
    """Takes a product off sale; responds with it."""
    product_id = call.path_id()
    async with transaction(call.context) as session:
        await service.retire_product(session, product_id, actor=call.context.viewer)
    return await _changed(call.context, product_id)


def product_json(row: queries.ProductRow) -> dict[str, Any]:
    """The specification's product."""
    images = service.sort_image_urls([media.path_of(each.image_id, each.width) for each in row.pictures])
    discounted = row.discounted_price_cents
    return {
        "_id": row.id,
        "title": row.title,
        **{name: getattr(row, name) for name in REST_TEXTS},
        "price": money.json_number(row.price_cents),
        "discountedPrice": None if discounted is None else money.json_number(discounted),
        "discountPercentage": row.discount_percentage,
        "image": images[0] if images else row.fallback_image,
        "imagePath": images,
        "colors": [color.hex for color in row.colors],
        "sizes": row.sizes,
        "category": row.category,
        "gender": row.gender,
        "stock": row.stock,
    }


def _found_json(row: queries.ProductRow) -> dict[str, Any]:
    whole = product_json(row)
    return {name: whole[name] for name in ("_id", "name", "image", "category", "price")}


async def _list(call: Call, criteria: lists.ProductCriteria) -> Response:
    limit, offset = call.page()
    ids_of_products = (await listing.catalog_index(call.context)).all(criteria, limit, offset)

    async def products(ids: Sequence[UUID]) -> list[dict[str, Any]]:
        async with reading(call.context) as session:
            rows = await queries.products_by_id(session, ids)
        there = (rows[each] for each in ids if each in rows)
        return [product_json(row) for row in there if row.retired_at is None]

    return await list_answer(ids_of_products, products)


async def _changed(context: Context, product_id: UUID, status: int = 200) -> Response:
    await listing.after_change(context)
    async with reading(context) as session:
        rows = await queries.products_by_id(session, [product_id])
    return answer(product_json(rows[product_id]), status)


async def _keep(context: Context, draft: drafts.ProductDraft, uploads: list[ImageBody]) -> list[NewImage]:
    """Stores all images or none. Raises InvalidInput, which names every image refused."""
    pictures = context.resources.get(ImageProcessor)
    images: list[NewImage] = []
    refusals: list[str] = []
    try:
        for picture, upload in zip(draft.pictures, uploads, strict=True):
            try:
                images.append(await pictures.keep(await asyncio.to_thread(_decoded, upload), picture.image_id))
            except UnusableImage as error:
                refusals.append(f"{upload.originalName[:100] or 'An image'}: {error}")
        if refusals:
            raise InvalidInput({"images": " ".join(refusals)})
    except BaseException:
        await pictures.discard(images)
        raise
    return images


def _decoded(image: ImageBody) -> bytes:
    """The bytes of a data URL. Raises UnusableImage."""
    head, comma, data = image.data.partition(",")
    if not comma or not head.startswith("data:") or not head.endswith(";base64"):
        raise UnusableImage("is not a data URL")
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise UnusableImage("is not valid base64") from error


def _cents(value: float | str | None) -> int | None:
    """None for text that is not an amount."""
    try:
        return None if value is None else money.cents(str(value).strip())
    except ValueError:
        return None


def _whole(value: float | str | None) -> int:
    """-1, which every field refuses, for text that is not an integer."""
    text = str(value).strip().removesuffix(".0")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else -1


routes = [
    route("GET", "/product/search", find, allows=Access.ANYONE),
    route("GET", "/product/{category}/{subcategory}", in_category, allows=Access.ANYONE),
    route("GET", "/product", everything, allows=Access.ADMIN),
    route("GET", "/product/{id}", show, allows=Access.ANYONE),
    route("POST", "/product", create, allows=Access.PRIMARY_ADMIN, max_body=LARGEST_PRODUCT),
    route("DELETE", "/product/{id}", retire, allows=Access.PRIMARY_ADMIN),
]
