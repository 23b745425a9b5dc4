"""The arithmetic of a total, in whole cents.

1. The goods: unit price times quantity, line by line. Their sum is the subtotal.
2. The discount: a percentage of the subtotal, rounded half up to a cent, or an amount; never more than the subtotal.
3. Delivery: as the zone's rates say (see `delivery`), chosen by the goods after the discount.
4. The tax: the rate times what is taxed (goods after the discount, and delivery where the country taxes it), rounded
   half up once for the whole order. In prices that include the tax it is the part of them that the tax is:
   amount x rate / (1 + rate).
5. The total: subtotal - discount + delivery, and + tax when prices come without it.

Discount and tax are shared out over the lines in proportion, to the cent: everybody gets the whole cents of their
share, and the cents that are left go one each to the largest remainders, of equal ones to the earlier line.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class TaxRule:
    """A rate in hundredths of a percent, and whether delivery is taxed too and prices have the tax in them."""

    name: str
    basis_points: int
    on_delivery: bool
    included: bool


@dataclass(frozen=True)
class Totals:
    """What a total is made of. The lines' shares are in the order of the lines; what they lack of the tax is
    delivery's."""

    subtotal_cents: int
    discount_cents: int
    shipping_cents: int
    tax_cents: int
    tax_included: bool
    line_discounts: tuple[int, ...]
    line_taxes: tuple[int, ...]

    @property
    def total_cents(self) -> int:
        added = 0 if self.tax_included else self.tax_cents
        return self.subtotal_cents - self.discount_cents + self.shipping_cents + added


def add_up(
    lines: Sequence[int], *, discount_cents: int = 0, shipping_cents: int = 0, tax: TaxRule | None = None
) -> Totals:
    """The sums of lines (each unit price times quantity) by the rules above."""
    subtotal = sum(lines)
    discount = min(discount_cents, subtotal)
    line_discounts = shared(discount, lines)
    goods = [line - less for line, less in zip(lines, line_discounts, strict=True)]
    taxed = [*goods, shipping_cents if tax and tax.on_delivery else 0]
    tax_cents = tax_of(sum(taxed), tax)
    return Totals(
        subtotal_cents=subtotal,
        discount_cents=discount,
        shipping_cents=shipping_cents,
        tax_cents=tax_cents,
        tax_included=bool(tax and tax.included),
        line_discounts=line_discounts,
        line_taxes=shared(tax_cents, taxed)[: len(lines)],
    )


def percent_of(percent: int, cents: int) -> int:
    """Rounded half up."""
    return (cents * percent + 50) // 100


def tax_of(cents: int, tax: TaxRule | None) -> int:
    """Rounded half up."""
    if tax is None:
        return 0
    whole = 10_000 + tax.basis_points if tax.included else 10_000
    return (2 * cents * tax.basis_points + whole) // (2 * whole)


def shared(amount: int, weights: Sequence[int]) -> tuple[int, ...]:
    """An amount divided in proportion, by largest remainders; nothing where there is nothing to go by."""
    whole = sum(weights)
    if whole == 0:
        return (0,) * len(weights)
    shares = [amount * weight // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda at: (-(amount * weights[at] % whole), at))
    for at in by_remainder[: amount - sum(shares)]:
        shares[at] += 1
    return tuple(shares)
