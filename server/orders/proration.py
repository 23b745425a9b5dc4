"""Divides an order's total among its lines and delivery, to the cent.

Single items of a line may differ by a cent where the line's amount does not divide evenly; refunded in any order, they
add up to the line's amount.
"""

from collections.abc import Mapping
from uuid import UUID

from server.orders.models import Order, OrderLine


def of_line(order: Order, line: OrderLine) -> int:
    """Cents paid for all items of a line, with its shares of discount and added tax."""
    tax = 0 if order.tax_included else line.tax_cents
    return line.unit_price_cents * line.quantity - line.discount_cents + tax


def of_pieces(paid_for_all: int, quantity: int, refunded: int, more: int) -> int:
    """Cents for `more` items of a line, of whose `quantity` items `given` have been refunded before."""
    return paid_for_all * (refunded + more) // quantity - paid_for_all * refunded // quantity


def of_delivery(order: Order, lines: Mapping[UUID, OrderLine]) -> int:
    """Cents paid for delivery, with its share of an added tax."""
    if order.tax_included:
        return order.shipping_cents
    return order.shipping_cents + order.tax_cents - sum(line.tax_cents for line in lines.values())
