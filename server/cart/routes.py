"""The specification's REST calls for the cart."""

from typing import Any

from starlette.responses import Response

from server.cart import service
from server.cart.queries import CartContents
from server.cart.queries import PricedCartLine as CartLine
from server.config import Settings
from server.media import service as media
from server.platform.core import money
from server.platform.core.context import connection, reading, transaction
from server.platform.core.text import Line, parse_id
from server.platform.core.viewer import Access
from server.platform.web.rest import Body, Call, answer, route


class AddBody(Body):
    """What the client adds. `price` is accepted and ignored: the server sets prices."""

    productId: Line
    quantity: int = 1
    size: Line | None = None
    color: Line | None = None


class QuantityBody(Body):
    """The new quantity of a line."""

    quantity: int


async def show(call: Call) -> Response:
    """The viewer's cart."""
    async with reading(call.context) as session:
        basket = await service.get(session, call.context.signed_in.user_id)
    return answer(cart_json(basket))


async def add(call: Call) -> Response:
    """Adds a product; responds 201 with the cart."""
    body = await call.body(AddBody)
    user_id, most = call.context.signed_in.user_id, call.context.resources.get(Settings).max_pieces_per_variant
    async with connection(call.context) as session:
        product_id = parse_id(body.productId, "This product")
        variant_id = await service.variant_for(session, product_id, body.size, body.color)
        basket = await service.add_line(session, user_id, variant_id, body.quantity, most)
    return answer(cart_json(basket), 201)


async def set_quantity(call: Call) -> Response:
    """Sets the quantity of a line, named by its variant's or product's id."""
    body = await call.body(QuantityBody)
    user_id, most = call.context.signed_in.user_id, call.context.resources.get(Settings).max_pieces_per_variant
    async with transaction(call.context) as session:
        variant_id = await service.variant_known_as(session, user_id, call.path_id())
        basket = await service.set_quantity(session, user_id, variant_id, body.quantity, most)
    return answer(cart_json(basket))


async def remove(call: Call) -> Response:
    """Removes a line, named by its variant's or product's id."""
    user_id = call.context.signed_in.user_id
    async with transaction(call.context) as session:
        variant_id = await service.variant_known_as(session, user_id, call.path_id())
        basket = await service.remove_line(session, user_id, variant_id)
    return answer(cart_json(basket))


def cart_json(basket: CartContents) -> dict[str, Any]:
    """The specification's cart, extended by what distinguishes variants."""
    return {"items": [_item_json(line) for line in basket.lines]}


def _item_json(line: CartLine) -> dict[str, Any]:
    picture = line.picture
    discounted = line.unit_price_cents < line.price_cents
    return {
        "productId": {
            "_id": str(line.product_id),
            "name": line.name,
            "image": media.path_of(picture.id, picture.width) if picture else line.fallback_image,
            "price": money.json_number(line.price_cents),
            "discountedPrice": money.json_number(line.unit_price_cents) if discounted else None,
        },
        "quantity": line.quantity,
        "variantId": str(line.variant_id),
        "size": line.size,
        "color": line.color,
        "problem": line.problem.value if line.problem else None,
    }


routes = [
    route("GET", "/cart", show, allows=Access.SIGNED_IN),
    route("POST", "/cart", add, allows=Access.SIGNED_IN),
    route("PUT", "/cart/{id}", set_quantity, allows=Access.SIGNED_IN),
    route("DELETE", "/cart/{id}", remove, allows=Access.SIGNED_IN),
]
