"""Rows of the demo's orders, shipments, returns and refunds."""

from collections.abc import Iterable
from dataclasses import asdict
from datetime import timedelta
from typing import Any
from uuid import UUID

from demo import history, parcels
from demo.product_rows import demo_id, id_of_product, id_of_variant, sku_of
from server.media.service import NewImage
from server.orders import carriers
from server.platform.core import money


def id_of_order(order: history.Order) -> UUID:
    """The order's id."""
    return demo_id("order", order.shopper.email, order.at.isoformat(), at=order.at)


def order_row(number: int, order: history.Order, sent: list[parcels.Parcel]) -> dict[str, Any]:
    """Without a payment's id: the provider knows nothing of these, and nothing asks it for them."""
    refunded = order.returned.amount_cents if order.returned else 0
    status = "paid" if not refunded else "refunded" if refunded == order.total_cents else "partially_refunded"
    return {
        "id": id_of_order(order),
        "number": number,
        "user_id": demo_id("user", order.shopper.email),
        "email": order.shopper.email,
        "payment_status": status,
        "fulfilment": parcels.fulfilment(order, sent),
        "total_cents": order.total_cents,
        "refunded_cents": refunded,
        "currency": money.CURRENCY,
        "shipping_address": asdict(order.shopper.homes[0]),
        "created_at": order.at,
        "paid_at": order.at,
    }


def _line_id(order: history.Order, place: int) -> UUID:
    return demo_id("line", id_of_order(order), place, at=order.at)


def line_rows(
    orders: Iterable[history.Order], images: dict[str, NewImage], sent: dict[UUID, list[parcels.Parcel]]
) -> list[dict[str, Any]]:
    """Rows of all lines, with what of them was shipped."""
    return [
        {
            "id": _line_id(order, place),
            "order_id": id_of_order(order),
            "position": place,
            "product_id": id_of_product(line.product),
            "variant_id": id_of_variant(line.product, line.color.name, line.size),
            "name": line.product.name,
            "color": line.color.name,
            "size": line.size,
            "sku": sku_of(line.product, line.color.name, line.size),
            "image_id": _front(line, images),
            "quantity": line.quantity,
            "unit_price_cents": line.unit_price_cents,
            "list_price_cents": line.product.price_cents,
            "shipped": sum(parcel.pieces.get(place, 0) for parcel in sent[id_of_order(order)]),
        }
        for order in orders
        for place, line in enumerate(order.lines)
    ]


def _shipment_id(order_id: UUID, parcel: parcels.Parcel) -> UUID:
    return demo_id("parcel", order_id, parcel.number, at=parcel.at)


def shipment_rows(sent: dict[UUID, list[parcels.Parcel]]) -> list[dict[str, Any]]:
    """Rows of all shipments, by order id."""
    return [
        {
            "id": _shipment_id(order_id, parcel),
            "order_id": order_id,
            "carrier": parcel.carrier,
            "tracking_number": parcel.number,
            "tracking_url": carriers.followed_at(parcel.carrier, parcel.number),
            "created_at": parcel.at,
            "delivered_at": parcel.delivered_at,
        }
        for order_id, load in sent.items()
        for parcel in load
    ]


def shipment_line_rows(orders: Iterable[history.Order], sent: dict[UUID, list[parcels.Parcel]]) -> list[dict[str, Any]]:
    """Rows of the shipments' items."""
    return [
        {
            "shipment_id": _shipment_id(id_of_order(order), parcel),
            "order_line_id": _line_id(order, place),
            "quantity": quantity,
        }
        for order in orders
        for parcel in sent[id_of_order(order)]
        for place, quantity in parcel.pieces.items()
    ]


def _return_id(order: history.Order) -> UUID:
    return demo_id("return", id_of_order(order), at=order.at)


def return_rows(orders: Iterable[history.Order]) -> list[dict[str, Any]]:
    """What came back in the past: asked for, accepted, received and refunded."""
    return [
        {
            "id": _return_id(order),
            "order_id": id_of_order(order),
            "status": "refunded",
            "reason": order.returned.reason,
            "answer": parcels.ACCEPTED,
            "created_at": max(order.returned.at - timedelta(days=5), order.at + timedelta(days=5, hours=6)),
            "answered_at": max(order.returned.at - timedelta(days=4), order.at + timedelta(days=5, hours=12)),
            "received_at": order.returned.at,
            "refunded_at": order.returned.at,
        }
        for order in orders
        if order.returned
    ]


def return_line_rows(orders: Iterable[history.Order]) -> list[dict[str, Any]]:
    """Rows of the items that came back."""
    return [
        {
            "return_id": _return_id(order),
            "order_line_id": _line_id(order, place),
            "quantity": line.quantity,
            "received": line.quantity,
            "restocked": line.quantity,
        }
        for order in orders
        if order.returned
        for place, line in enumerate(order.returned.lines)
    ]


def wish_row(wish: parcels.Wish) -> dict[str, Any]:
    """The row of a return that is not completed."""
    return {
        "id": _return_id(wish.order),
        "order_id": id_of_order(wish.order),
        "status": wish.status,
        "reason": wish.reason,
        "answer": parcels.ACCEPTED if wish.answered_at else "",
        "created_at": wish.at,
        "answered_at": wish.answered_at,
        "received_at": None,
        "refunded_at": None,
    }


def wish_line_row(wish: parcels.Wish) -> dict[str, Any]:
    """The row of its item."""
    line = {"order_line_id": _line_id(wish.order, 0), "quantity": 1, "received": None, "restocked": 0}
    return {"return_id": _return_id(wish.order), **line}


def _refund_id(order: history.Order, back: history.Return) -> UUID:
    return demo_id("refund", id_of_order(order), at=back.at)


def refund_line_rows(orders: Iterable[history.Order]) -> list[dict[str, Any]]:
    """Rows of the items that were refunded."""
    return [
        {
            "refund_id": _refund_id(order, order.returned),
            "order_line_id": _line_id(order, place),
            "quantity": line.quantity,
            "amount_cents": line.unit_price_cents * line.quantity,
        }
        for order in orders
        if order.returned
        for place, line in enumerate(order.returned.lines)
    ]


def _front(line: history.Line, images: dict[str, NewImage]) -> UUID | None:
    front = line.product.pictures_of(line.color.name)[0].file
    return images[front].id if front in images else None


def refund_rows(orders: Iterable[history.Order]) -> list[dict[str, Any]]:
    """Rows of the refunds of returned items."""
    return [
        {
            "id": _refund_id(order, order.returned),
            "return_id": _return_id(order),
            "order_id": id_of_order(order),
            "payment_intent_id": f"demo_{id_of_order(order).hex}",
            "amount_cents": order.returned.amount_cents,
            "reason": order.returned.reason,
            "status": "succeeded",
            "stripe_refund_id": f"demo_{id_of_order(order).hex}",
            "created_at": order.returned.at,
        }
        for order in orders
        if order.returned
    ]
