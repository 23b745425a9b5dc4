"""Whose money an order's total is: so much of it each line's, the rest delivery's, to the cent.

Pieces of one line may cost a cent more or less than each other, where its money does not divide; whatever the order
in which they are paid back, all of them together are the line's money.
"""

from collections.abc import Mapping
from uuid import UUID

from server.orders.models import Order, OrderLine


def of_line(order: Order, line: OrderLine) -> int:
    """Cents that were paid for all pieces of a line, its shares of discount and added tax in it."""
    tax = 0 if order.tax_included else line.tax_cents
    return line.unit_price_cents * line.quantity - line.discount_cents + tax


def of_pieces(paid_for_all: int, quantity: int, given: int, more: int) -> int:
    """Cents for `more` pieces of a line, of whose `quantity` `given` have been paid back before."""
    return paid_for_all * (given + more) // quantity - paid_for_all * given // quantity


def of_delivery(order: Order, lines: Mapping[UUID, OrderLine]) -> int:
    """Cents that were paid for delivery, its share of an added tax in it."""
    if order.tax_included:
        return order.shipping_cents
    return order.shipping_cents + order.tax_cents - sum(line.tax_cents for line in lines.values())
