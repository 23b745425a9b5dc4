"""The parts of a total, formatted for mails and invoices."""

from collections.abc import Sequence
from typing import Protocol

from server.mail.messages import MailTotalRow
from server.platform.core import money


class PricedOrder(Protocol):
    """An order as stored or as read; money in cents."""

    @property
    def subtotal_cents(self) -> int:
        """The sum of the lines."""

    @property
    def discount_code(self) -> str | None:
        """The code used; None without one."""

    @property
    def discount_cents(self) -> int:
        """What the code took off."""

    @property
    def shipping_cents(self) -> int:
        """The delivery cost."""

    @property
    def delivery_name(self) -> str:
        """The delivery zone's name."""

    @property
    def tax_name(self) -> str:
        """ "VAT" or the like; empty without tax."""

    @property
    def tax_basis_points(self) -> int:
        """The rate; 1900 is 19%."""

    @property
    def tax_cents(self) -> int:
        """The tax in or on the total."""

    @property
    def tax_included(self) -> bool:
        """Whether prices include the tax."""


def rows(order: PricedOrder) -> Sequence[MailTotalRow]:
    """The rows above the total, in the order of the arithmetic; empty when the total is only goods."""
    above: list[MailTotalRow] = []
    if order.discount_cents:
        above.append(MailTotalRow(f"Discount, {order.discount_code}", money.dollars(-order.discount_cents)))
    if order.delivery_name:
        price = money.dollars(order.shipping_cents) if order.shipping_cents else "Free"
        above.append(MailTotalRow(f"Delivery, {order.delivery_name}", price))
    if order.tax_cents and not order.tax_included:
        above.append(MailTotalRow(_tax(order), money.dollars(order.tax_cents)))
    return [MailTotalRow("Subtotal", money.dollars(order.subtotal_cents)), *above] if above else []


def included_tax(order: PricedOrder) -> str:
    """The row below a total that includes tax; empty for others."""
    if not order.tax_cents or not order.tax_included:
        return ""
    return f"Includes {money.dollars(order.tax_cents)} {_tax(order)}"


def _tax(order: PricedOrder) -> str:
    return f"{order.tax_name} {money.percent(order.tax_basis_points)}"
