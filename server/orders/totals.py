"""The parts of a total, formatted for mails and invoices."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from server.mail.messages import MailTotalRow
from server.platform.core import money
from server.pricing.totals import TaxRule, tax_of


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


@dataclass(frozen=True)
class RateSum:
    """What was charged at one rate of tax; `rate` is "VAT 19%"."""

    rate: str
    net_cents: int
    tax_cents: int

    @property
    def gross_cents(self) -> int:
        """Net and tax."""
        return self.net_cents + self.tax_cents


def by_rate(order: PricedOrder) -> list[RateSum]:
    """Net amounts and taxes by rate, delivery included, which add up to the total. Empty for an order without a tax.

    Source: VAT directive 2006/112/EC, Art. 226 (8) to (10).
    """
    if not order.tax_name:
        return []
    rule = TaxRule(order.tax_name, order.tax_basis_points, on_delivery=True, included=order.tax_included)
    charged = order.subtotal_cents - order.discount_cents + order.shipping_cents
    untaxed = 0 if tax_of(charged, rule) == order.tax_cents else order.shipping_cents
    tax_in_it = order.tax_cents if order.tax_included else 0
    taxed = RateSum(_tax(order), charged - untaxed - tax_in_it, order.tax_cents)
    return [taxed, RateSum("No tax", untaxed, 0)] if untaxed else [taxed]


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
