"""Compares the shop's database with the payment provider's ledger, the mailbox, and what shoppers were shown."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar
from uuid import UUID

from tests.storm.ledgers import UNSETTLED, Bought, Payment, Provider, Shop

K = TypeVar("K")
V = TypeVar("V")


@dataclass
class Told:
    """What shoppers have been told, and rely on. `put` is what went into their carts, by e-mail address.

    `stocked` is how many pieces of each variant were put on the shelf before anybody bought.
    `perhaps` is what they were about to put there when the shop broke off: it may be there or not.
    """

    put: defaultdict[str, Counter[UUID]] = field(default_factory=lambda: defaultdict(Counter))
    perhaps: defaultdict[str, Counter[UUID]] = field(default_factory=lambda: defaultdict(Counter))
    ordered: set[UUID] = field(default_factory=set)
    canceled: set[UUID] = field(default_factory=set)
    stocked: dict[UUID, int] = field(default_factory=dict)


def problems(shop: Shop, provider: Provider, told: Told | None = None) -> list[str]:
    """In plain words, one sentence each; none for books that agree.

    The shop must have come to rest: what a payment still on its way, an unsent mail or a held piece leaves open counts
    as a problem here.
    """
    checks = [_payments, _orders, _letters, _reservations]
    told = told or Told()
    return [
        *(problem for check in checks for problem in check(shop, provider)),
        *_stock(shop, told),
        *_reports(shop),
        *_carts(shop, told),
        *_promises(shop, told),
    ]


def _payments(shop: Shop, provider: Provider) -> Iterator[str]:
    """Every captured payment has exactly one order or one full refund."""
    orders = _grouped((order.payment_id, order) for order in shop.orders if order.is_paid)
    for payment in provider.payments:
        match orders[payment.id]:
            case []:
                if payment.returned_cents != payment.amount_cents:
                    yield (
                        f"Payment {payment.id} of {payment.amount_cents} cents has no order, "
                        f"and {payment.returned_cents} cents of it went back."
                    )
            case [order]:
                yield from _sums(order, payment)
            case several:
                numbers = ", ".join(order.number for order in several)
                yield f"Payment {payment.id} has {len(several)} orders: {numbers}."


def _sums(order: Bought, payment: Payment) -> Iterator[str]:
    if order.total_cents != payment.amount_cents:
        yield f"Order {order.number} comes to {order.total_cents} cents, {payment.amount_cents} were paid."
    if order.refunded_cents != payment.returned_cents:
        yield (
            f"Of order {order.number} {payment.returned_cents} cents went back, "
            f"the shop knows of {order.refunded_cents}."
        )
    elif order.is_canceled and payment.returned_cents != payment.amount_cents:
        yield f"Order {order.number} is canceled, but only {payment.returned_cents} cents went back."


def _orders(shop: Shop, provider: Provider) -> Iterator[str]:
    """Every order has exactly one captured payment."""
    taken = Counter(payment.id for payment in provider.payments)
    for order in shop.orders:
        payments = taken[order.payment_id or ""]
        if order.payment_status == "processing":
            yield f"Order {order.number} still waits for its payment."
        elif order.is_paid and order.total_cents and payments != 1:
            yield f"Order {order.number} has {payments} captured payments."
        elif order.payment_status == "failed" and payments:
            yield f"Order {order.number} counts as failed, but it was paid."


def _letters(shop: Shop, provider: Provider) -> Iterator[str]:
    """Every paid order has one confirmation. The same Message-ID again is the same mail."""
    written = _grouped(((letter.to, letter.subject), letter.message_id) for letter in provider.letters)
    for order in shop.orders:
        ids = set(written[order.email, f"Your order {order.number}"])
        if order.is_paid and len(ids) != 1:
            yield f"Order {order.number} was confirmed by {len(ids)} mails."
        elif not order.is_paid and ids:
            yield f"Order {order.number} was confirmed, but it is {order.payment_status}."


def _stock(shop: Shop, told: Told) -> Iterator[str]:
    """What was stocked, less what paid orders took, and what canceled or refunded ones gave back, is there.

    Nothing is sent here, so an order that has been refunded in full gives back all of its pieces.

    Nothing of this is read from the shop's stock ledger, which a piece that came back twice may be twice in as well;
    that it adds up is a check of its own.
    """
    sold: Counter[UUID] = Counter()
    returned: Counter[UUID] = Counter()
    for order in shop.orders:
        if order.is_paid:
            sold.update(order.pieces)
            returned.update(order.pieces if order.is_canceled or order.payment_status == "refunded" else ())
    for variant_id, shelf in shop.shelves.items():
        if shelf.unexplained:
            yield f"{shelf.sku}: {shelf.unexplained} pieces of the stock are not explained by its ledger."
            continue
        stocked = told.stocked.get(variant_id, 0)
        due = stocked - sold[variant_id] - shelf.held + returned[variant_id]
        if shelf.stock != due:
            yield (
                f"{shelf.sku}: {stocked} pieces at first, {sold[variant_id]} sold, {shelf.held} held and "
                f"{returned[variant_id]} returned leave {due}, and there are {shelf.stock}."
            )


def _reports(shop: Shop) -> Iterator[str]:
    """Facts and popularity count each paid piece once."""
    sold = sum(order.pieces.total() for order in shop.orders if order.is_paid)
    if shop.reported_pieces != sold:
        yield f"{sold} pieces were sold, and reports show {shop.reported_pieces}."
    if shop.popular_pieces != sold:
        yield f"{sold} pieces were sold, and products are popular by {shop.popular_pieces}."


def _reservations(shop: Shop, provider: Provider) -> Iterator[str]:
    """Nothing is reserved for ever, and what is let go can no longer be paid."""
    forms = {form.id: form.status for form in provider.forms}
    for held in shop.checkouts:
        form = forms.get(held.session_id or "", "not there")
        if held.status in UNSETTLED:
            yield f"Checkout {held.id} of {held.email} still holds its pieces; its card form is {form}."
        elif form == "open":
            yield f"Checkout {held.id} of {held.email} is {held.status}, and its card form still takes money."


def _carts(shop: Shop, told: Told) -> Iterator[str]:
    """What was put into a cart is there until it is bought, and again once its payment has failed."""
    bought: defaultdict[str, Counter[UUID]] = defaultdict(Counter)
    for order in shop.orders:
        if order.payment_status != "failed":
            bought[order.email].update(order.pieces)
    for email in {*told.put, *told.perhaps}:
        for variant_id in {*told.put[email], *told.perhaps[email]}:
            least = told.put[email][variant_id] - bought[email][variant_id]
            there = shop.carts.get(email, Counter())[variant_id]
            if not least <= there <= least + told.perhaps[email][variant_id]:
                sku = shop.shelves[variant_id].sku
                yield f"{there} pieces of {sku} are in the cart of {email}; {least} should be."


def _promises(shop: Shop, told: Told) -> Iterator[str]:
    """No acknowledged write is lost."""
    by_id = {order.id: order for order in shop.orders}
    for order_id in told.ordered | told.canceled:
        if order_id not in by_id:
            yield f"A shopper was shown the order {order_id}, which is not in the books."
    for order_id in told.canceled & by_id.keys():
        if not by_id[order_id].is_canceled:
            yield f"The buyer of {by_id[order_id].number} was told that it is canceled, and it is not."


def _grouped(pairs: Iterator[tuple[K, V]]) -> defaultdict[K, list[V]]:
    groups: defaultdict[K, list[V]] = defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return groups
