"""The arithmetic of a total, in integer cents.

1. Goods: unit price times quantity, line by line. Their sum is the subtotal.
2. Discount: what promotions take off each line (`promotions`); at most the line.
3. Delivery: by the zone's rates (`shipping_rates`), chosen by the goods after the discount.
4. Tax: the rate times the taxed amount (goods after the discount, and delivery where the country taxes it), rounded
half up once for the whole order. Where prices include tax it is that part of them: amount x rate / (1 + rate).
5. Total: subtotal - discount + delivery, and + tax where prices do not include it.

What is prorated over lines, as tax is: each line gets the whole cents of its share, and the remaining cents go one each
to the largest remainders, among equal ones to the earlier line.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class TaxRule:
    """A rate in basis points, whether delivery is taxed too, and whether prices include the tax."""

    name: str
    basis_points: int
    on_delivery: bool
    included: bool


@dataclass(frozen=True)
class Allocation:
    """What one promotion takes off each line, in cents and in the order of the lines. `reason` is its discount code."""

    reason: str
    line_cents: tuple[int, ...]

    @property
    def total_cents(self) -> int:
        """What it takes off all lines."""
        return sum(self.line_cents)


@dataclass(frozen=True)
class Totals:
    """The parts of a total in cents.

    Discounts and taxes of the lines are in the order of the lines; the rest of the tax is delivery's.
    """

    subtotal_cents: int
    discount_cents: int
    shipping_cents: int
    tax_cents: int
    tax_included: bool
    line_discounts: tuple[int, ...]
    line_taxes: tuple[int, ...]

    @property
    def total_cents(self) -> int:
        """What the buyer pays."""
        added = 0 if self.tax_included else self.tax_cents
        return self.subtotal_cents - self.discount_cents + self.shipping_cents + added


def add_up(
    lines: Sequence[int],
    *,
    allocations: Sequence[Allocation] = (),
    shipping_cents: int = 0,
    tax: TaxRule | None = None,
) -> Totals:
    """The totals of lines (each unit price times quantity, in cents) by the rules above.

    Raises ValueError for allocations that take more off a line than it costs, or are not those of these lines.
    """
    line_discounts = _discounts(lines, allocations)
    goods = [line - less for line, less in zip(lines, line_discounts, strict=True)]
    taxed = [*goods, shipping_cents if tax and tax.on_delivery else 0]
    tax_cents = tax_of(sum(taxed), tax)
    return Totals(
        subtotal_cents=sum(lines),
        discount_cents=sum(line_discounts),
        shipping_cents=shipping_cents,
        tax_cents=tax_cents,
        tax_included=bool(tax and tax.included),
        line_discounts=line_discounts,
        line_taxes=shared(tax_cents, taxed)[: len(lines)],
    )


def _discounts(lines: Sequence[int], allocations: Sequence[Allocation]) -> tuple[int, ...]:
    off = [0] * len(lines)
    for allocation in allocations:
        off = [less + more for less, more in zip(off, allocation.line_cents, strict=True)]
    if any(not 0 <= less <= line for less, line in zip(off, lines, strict=True)):
        raise ValueError("A promotion takes more off a line than it costs.")
    return tuple(off)


def percent_of(percent: int, cents: int) -> int:
    """That percentage of an amount, rounded half up."""
    return (cents * percent + 50) // 100


def tax_of(cents: int, tax: TaxRule | None) -> int:
    """The tax in or on an amount, rounded half up; 0 without a rule."""
    if tax is None:
        return 0
    whole = 10_000 + tax.basis_points if tax.included else 10_000
    return (2 * cents * tax.basis_points + whole) // (2 * whole)


def shared(amount: int, weights: Sequence[int]) -> tuple[int, ...]:
    """Divides an amount in proportion to weights, by largest remainders; all zero when the weights are."""
    whole = sum(weights)
    if whole == 0:
        return (0,) * len(weights)
    shares = [amount * weight // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda at: (-(amount * weights[at] % whole), at))
    for at in by_remainder[: amount - sum(shares)]:
        shares[at] += 1
    return tuple(shares)
