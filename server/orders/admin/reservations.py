"""Open checkouts in the back office: which stock is reserved by whom."""

from datetime import datetime
from uuid import UUID

import strawberry

from server.orders import models, open_checkouts
from server.platform.core.cursors import datetime_key, decode_cursor
from server.platform.gql.pagination import After, Connection, First, connection
from server.platform.gql.scalars import Money
from server.platform.gql.types import Info


@strawberry.type(description="Pieces of one variant that a checkout reserves.")
class ReservedLine:
    variant_id: strawberry.ID = strawberry.field(description="The variant.")
    product_id: strawberry.ID = strawberry.field(description="Its product.")
    name: str = strawberry.field(description="The product's name when it was reserved.")
    color: str = strawberry.field(description='"Light Blue".')
    size: str = strawberry.field(description='"M".')
    sku: str = strawberry.field(description="The variant's SKU.")
    quantity: int = strawberry.field(description="Pieces.")

    @classmethod
    def of(cls, line: models.CheckoutLine) -> "ReservedLine":
        """From the checkout's line."""
        return cls(
            variant_id=strawberry.ID(str(line.variant_id)),
            product_id=strawberry.ID(str(line.product_id)),
            name=line.name,
            color=line.color,
            size=line.size,
            sku=line.sku,
            quantity=line.quantity,
        )


@strawberry.type(description="An open checkout: its pieces are reserved until it is paid, expires or is ended.")
class Reservation:
    id: strawberry.ID = strawberry.field(description="The checkout's id, for `releaseReservation`.")
    buyer_id: strawberry.ID | None = strawberry.field(description="The account; null once it is deleted.")
    name: str = strawberry.field(description="The account's name; empty once it is deleted.")
    email: str = strawberry.field(description="The account's e-mail when the checkout began.")
    total: Money = strawberry.field(description="What would be charged, delivery and tax included.")
    has_payment_form: bool = strawberry.field(
        description="Whether a payment is open at the provider; false for the moment until it is."
    )
    since: datetime = strawberry.field(description="When the pieces were reserved.")
    until: datetime = strawberry.field(description="When they are released unless they are paid for.")

    @strawberry.field(description="What is reserved, in the order of the cart. One statement for a whole page.")
    async def lines(self, info: Info) -> list[ReservedLine]:
        lines = await info.context.load(open_checkouts.lines_by_checkout, UUID(self.id))
        return [ReservedLine.of(line) for line in lines or []]

    @classmethod
    def of(cls, checkout: open_checkouts.OpenCheckout) -> "Reservation":
        """From the query's row."""
        return cls(
            id=strawberry.ID(str(checkout.id)),
            buyer_id=strawberry.ID(str(checkout.user_id)) if checkout.user_id else None,
            name=checkout.name,
            email=checkout.email,
            total=Money(checkout.total_cents),
            has_payment_form=checkout.has_session,
            since=checkout.created_at,
            until=checkout.expires_at,
        )


@strawberry.type
class ReservationAdminFields:
    """Open checkouts in the type Admin."""

    @strawberry.field(
        description="Open checkouts, the last one begun first. `stockReservations` has what they reserve by variant, "
        "with payments whose money is still on its way."
    )
    async def reservations(self, info: Info, first: First = 50, after: After = None) -> Connection[Reservation]:
        return await connection(
            info,
            first,
            decode_cursor(after, datetime_key, UUID),
            lambda session, limit, place: open_checkouts.page(session, limit=limit, after=place),
            open_checkouts.total,
            node=Reservation.of,
            place=lambda checkout: (checkout.created_at, checkout.id),
        )
