"""What a total is made of, in the words of mails and invoices."""

from collections.abc import Sequence
from typing import Protocol

from server.core import money
from server.mail.messages import MailTotalRow


class PricedOrder(Protocol):
    """An order as it is stored, or as it is read."""

    @property
    def subtotal_cents(self) -> int: ...
    @property
    def discount_code(self) -> str | None: ...
    @property
    def discount_cents(self) -> int: ...
    @property
    def shipping_cents(self) -> int: ...
    @property
    def delivery_name(self) -> str: ...
    @property
    def tax_name(self) -> str: ...
    @property
    def tax_basis_points(self) -> int: ...
    @property
    def tax_cents(self) -> int: ...
    @property
    def tax_included(self) -> bool: ...


def rows(order: PricedOrder) -> Sequence[MailTotalRow]:
    """The sums above the total, in the order of the arithmetic; none where the goods are all there is."""
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
    """What stands below a total that has the tax in it; empty for others."""
    if not order.tax_cents or not order.tax_included:
        return ""
    return f"Includes {money.dollars(order.tax_cents)} {_tax(order)}"


def _tax(order: PricedOrder) -> str:
    return f"{order.tax_name} {money.percent(order.tax_basis_points)}"
