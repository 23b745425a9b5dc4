"""The specification's REST calls for orders, and the orders it embeds in users."""

from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import Response

from server.config import Settings
from server.identity.order_history import OrderHistoryPort
from server.media import service as media
from server.orders import queries
from server.orders.documents import contents
from server.orders.documents.rendering import Template, render
from server.orders.queries import OrderScope, PlacedOrder, SentShipment, SoldLine
from server.orders.reading import note_reading
from server.orders.states import HAVE_BEEN_PAID
from server.platform.core import money
from server.platform.core.context import reading
from server.platform.core.errors import NotFound
from server.platform.core.text import parse_id
from server.platform.core.viewer import Access
from server.platform.web.rest import Call, answer, route
from server.shop import service as shop


async def orders(call: Call) -> Response:
    """The viewer's orders, newest first, by `limit` and `offset`."""
    limit, offset = call.page()
    scope = OrderScope(call.context.signed_in.user_id)
    async with reading(call.context) as session:
        page = await queries.page(session, scope, limit=limit, offset=offset)
    return answer([order_json(order) for order in page])


async def invoice(call: Call) -> Response:
    """The invoice, for the buyer and for admins. Raises NotFound for other accounts, and while nothing was paid."""
    viewer = call.context.signed_in
    order, sent = await _read(call, "This invoice", None if viewer.is_admin else viewer.user_id)
    if order.payment_status not in HAVE_BEEN_PAID:
        raise NotFound("This invoice")
    letterhead, zone = await _letterhead(call)
    return await _document(call, order, Template.INVOICE, contents.invoice(order, sent, letterhead, zone))


async def packing_slip(call: Call) -> Response:
    """The slip of what is to be sent or has been sent, or of one shipment: `?shipment=ID`."""
    order, sent = await _read(call)
    letterhead, zone = await _letterhead(call)
    slip = contents.packing_slip(order, _shipments(call, sent), letterhead, zone)
    return await _document(call, order, Template.PACKING_SLIP, slip)


async def address_label(call: Call) -> Response:
    """The label of a parcel; with `?shipment=ID` it names carrier and tracking number."""
    order, sent = await _read(call)
    letterhead, _ = await _letterhead(call)
    label = contents.address_label(order, _shipments(call, sent), letterhead)
    return await _document(call, order, Template.ADDRESS_LABEL, label)


async def _read(
    call: Call, what: str = "This order", user_id: UUID | None = None
) -> tuple[PlacedOrder, list[SentShipment]]:
    async with reading(call.context) as session:
        order = await queries.order(session, call.path_id(), user_id=user_id)
        if order is None:
            raise NotFound(what)
        sent = await queries.shipments_by_order(session, [order.id])
    return order, sent.get(order.id, [])


def _shipments(call: Call, sent: list[SentShipment]) -> contents.Shipments:
    """Those that the query string asks for. Raises NotFound for one that is not of this order."""
    wanted = call.request.query_params.get("shipment")
    if wanted is None:
        return contents.Shipments(sent)
    chosen = [each for each in sent if each.id == parse_id(wanted)]
    if not chosen:
        raise NotFound("This parcel")
    return contents.Shipments(chosen, is_choice=True)


async def _letterhead(call: Call) -> tuple[contents.Letterhead, ZoneInfo]:
    decided = await shop.current(call.context)
    shop_url = call.context.resources.get(Settings).public_url
    return contents.Letterhead(decided.seller, decided.vat_number, shop_url), ZoneInfo(decided.time_zone)


async def _document(call: Call, order: PlacedOrder, template: Template, texts: contents.Contents) -> Response:
    await note_reading(call.context, order)
    headers = {
        "cache-control": "no-store",
        "content-disposition": f'inline; filename="minimal-{template}-{order.number}.pdf"',
    }
    return Response(await render(template, texts), headers=headers, media_type="application/pdf")


def order_json(order: PlacedOrder) -> dict[str, Any]:
    """The specification's order, extended by its number, the parts of its total, and refunds."""
    return {
        "_id": str(order.id),
        "number": order.number,
        "createdAt": order.created_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "paymentStatus": order.payment_status,
        "products": [_line_json(line) for line in order.lines],
        "subtotal": money.json_number(order.subtotal_cents),
        "discountCode": order.discount_code,
        "discount": money.json_number(order.discount_cents),
        "shipping": money.json_number(order.shipping_cents),
        "tax": money.json_number(order.tax_cents),
        "taxIncluded": order.tax_included,
        "totalAmount": money.json_number(order.total_cents),
        "refundedAmount": money.json_number(order.refunded_cents),
        "shippingAddress": address_json(order.shipping_address),
    }


def address_json(address: dict[str, Any]) -> dict[str, Any]:
    """The order's copy of an address: the fields that the specification's REST shows, under its names."""
    shown = ("name", "address1", "address2", "city", "country", "phone")
    return {**{name: address.get(name, "") for name in shown}, "postalCode": address.get("postal_code", "")}


def _line_json(line: SoldLine) -> dict[str, Any]:
    picture = line.picture
    return {
        "productId": {
            "_id": str(line.product_id) if line.product_id else None,
            "name": line.name,
            "imagePath": [media.path_of(picture.id, picture.width)] if picture else [],
        },
        "quantity": line.quantity,
        "price": money.json_number(line.unit_price_cents),
        "size": line.size,
        "color": line.color,
    }


async def _whole(session: AsyncSession, user_id: UUID) -> list[dict[str, Any]]:
    return [order_json(order) for order in await queries.page(session, OrderScope(user_id), limit=None)]


ORDERS_OF_USERS = OrderHistoryPort(ids=queries.ids_by_user, whole=_whole, have_bought=queries.have_bought)

routes = [route("GET", "/orders", orders, allows=Access.SIGNED_IN)]
documents = [
    route("GET", "/orders/{id}/invoice.pdf", invoice, allows=Access.SIGNED_IN),
    route("GET", "/orders/{id}/packing-slip.pdf", packing_slip, allows=Access.ADMIN),
    route("GET", "/orders/{id}/address-label.pdf", address_label, allows=Access.ADMIN),
]
