"""How much one account may reserve without having paid for it, how long a day, and how often it may buy and cancel.

Without such bounds a handful of free accounts could keep the whole stock reserved. They are a quarter for accounts that
have never paid. An account that reserves a single item is refused by none of them, but for buying and canceling in a
loop.
"""

from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from sqlalchemy import Uuid, bindparam, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart.queries import CartContents
from server.config import DEFAULT_PIECES_PER_VARIANT
from server.orders.errors import CheckoutPaused, ReservationTooLarge
from server.platform.core import money
from server.platform.core.errors import TooManyRequests

DAY = timedelta(days=1)
ABANDONED_WITHIN = timedelta(minutes=10)
"""Checkouts that were opened in this time and released without a payment are counted."""
NEW_ACCOUNT_SHARE = 4
"""Accounts that have never paid may reserve one such part."""


@dataclass(frozen=True)
class ReservationLimits:
    """Limits of an account that has paid before; `unpaid` is time per day, cancellations are its own per day."""

    pieces_of_variant: int = DEFAULT_PIECES_PER_VARIANT
    variants: int = 40
    pieces: int = 80
    value_cents: int = 1_000_000
    unpaid: timedelta = timedelta(hours=8)
    abandoned: int = 30
    cancellations: int = 5

    def of_new_account(self) -> "ReservationLimits":
        """The limits until the first payment, at least one item."""
        return replace(
            self,
            variants=max(self.variants // NEW_ACCOUNT_SHARE, 1),
            pieces=max(self.pieces // NEW_ACCOUNT_SHARE, 1),
            value_cents=self.value_cents // NEW_ACCOUNT_SHARE,
            unpaid=self.unpaid / NEW_ACCOUNT_SHARE,
        )


# Another checkout that still holds stock is one whose payment is under way; `replaced` is about to be released. A
# cancellation by the shop has an entry in the audit log.
_HISTORY = text(
    """
    SELECT
        EXISTS (
            SELECT FROM orders WHERE user_id = :user_id AND canceled_at IS NULL
                AND payment_status IN ('paid', 'partially_refunded')
        ) AS has_paid,
        held.pieces, held.variants, held.value_cents, released.unpaid, released.abandoned, released.frees_in,
        canceled.cancellations, canceled.counts_for
    FROM (
        SELECT coalesce(sum(quantity), 0)::int AS pieces, coalesce(array_agg(DISTINCT variant_id), '{}') AS variants,
            coalesce(sum(quantity * unit_price_cents), 0)::bigint AS value_cents
        FROM checkouts JOIN checkout_lines ON checkout_lines.checkout_id = checkouts.id
        WHERE user_id = :user_id AND status IN ('open', 'processing')
            AND checkouts.id IS DISTINCT FROM CAST(:replaced AS uuid)
    ) AS held, (
        SELECT coalesce(sum(expires_at - created_at), interval '0') AS unpaid,
            count(*) FILTER (WHERE created_at > now() - :abandoned_within) AS abandoned,
            coalesce(min(created_at) + :day - now(), interval '0') AS frees_in
        FROM checkouts WHERE user_id = :user_id AND status = 'released' AND created_at > now() - :day
    ) AS released, (
        SELECT count(*) AS cancellations, coalesce(min(canceled_at) + :day - now(), interval '0') AS counts_for
        FROM orders WHERE user_id = :user_id AND canceled_at > now() - :day AND NOT EXISTS (
            SELECT FROM audit_entries
            WHERE subject_kind = 'order' AND subject_id = orders.id::text AND action = 'canceled'
        )
    ) AS canceled
    """
).bindparams(bindparam("user_id", type_=Uuid), day=DAY, abandoned_within=ABANDONED_WITHIN)


async def check(
    session: AsyncSession, user_id: UUID, basket: CartContents, limits: ReservationLimits, *, replaced: UUID | None
) -> None:
    """Checks a cart that is about to be reserved, by one statement; the caller has locked the cart.

    What the checkout `replaced` holds does not count, and counts as released afterwards. Raises ReservationTooLarge,
    CheckoutPaused, or TooManyRequests for too many abandoned checkouts.
    """
    history = (await session.execute(_HISTORY, {"user_id": user_id, "replaced": replaced})).one()
    if history.abandoned >= limits.abandoned:
        seconds = int(ABANDONED_WITHIN.total_seconds())
        raise TooManyRequests(seconds, "checkout", limits.abandoned, seconds)
    if history.cancellations >= limits.cancellations:
        raise CheckoutPaused("You have canceled several orders.", history.counts_for, single_item=False)
    _check_variants(basket, limits)
    allowed = limits if history.has_paid else limits.of_new_account()
    pieces = history.pieces + sum(line.quantity for line in basket.lines)
    if pieces <= 1:
        return
    variants = len({*history.variants, *(line.variant_id for line in basket.lines)})
    _check_size(allowed, variants, pieces, history.value_cents + basket.subtotal_cents, has_paid=history.has_paid)
    if history.unpaid >= allowed.unpaid:
        raise CheckoutPaused("You have reserved items for hours without paying.", history.frees_in, single_item=True)


def _check_variants(basket: CartContents, limits: ReservationLimits) -> None:
    most = limits.pieces_of_variant
    for line in basket.lines:
        if line.quantity > most:
            raise ReservationTooLarge(f"At most {most} of {line.name} can be bought in one order.")


def _check_size(allowed: ReservationLimits, variants: int, pieces: int, value_cents: int, *, has_paid: bool) -> None:
    """Raises ReservationTooLarge."""
    order = "one order" if has_paid else "your first order"
    if variants > allowed.variants:
        raise ReservationTooLarge(f"At most {allowed.variants} different items fit into {order}. Please take some out.")
    if pieces > allowed.pieces:
        raise ReservationTooLarge(f"At most {allowed.pieces} items fit into {order}. Please take some out.")
    if value_cents > allowed.value_cents:
        most = money.dollars(allowed.value_cents)
        raise ReservationTooLarge(f"Items of at most {most} fit into {order}. Please take some out.")
