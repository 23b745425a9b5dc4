"""Checkout in the GraphQL schema."""

from datetime import datetime, timedelta
from typing import Annotated

import strawberry

from server.cart import errors as cart_errors
from server.cart import service as cart
from server.cart.graphql import Cart, DiscountCodeRefused, OutOfStock
from server.orders import checkouts, errors, models, queries
from server.orders.checkouts import Buyer
from server.orders.service import CheckoutOutcome
from server.orders.types import Order, OrderAddress
from server.payments import cancellations, service
from server.payments.errors import PaymentProviderDown
from server.payments.service import NOT_COMPLETED, PROCESSING, REFUNDED
from server.platform.core import errors as refusals
from server.platform.core.context import reading, transaction
from server.platform.core.jobs import JobEnvironment
from server.platform.core.text import parse_id
from server.platform.gql.permissions import SignedInOnly
from server.platform.gql.scalars import Money
from server.platform.gql.types import Info, UserError
from server.pricing import errors as pricing_errors
from server.pricing.graphql import DeliveryCharge, TaxCharge
from server.shop import service as shop


@strawberry.type(description="What a purchase costs, sent to one address.")
class CheckoutQuote:
    address: OrderAddress = strawberry.field(description="Where it goes.")
    subtotal: Money = strawberry.field(description="Sum of the lines that can be bought.")
    discount_code: str | None = strawberry.field(description="The code that counts; null when none does.")
    discount: Money = strawberry.field(description="What the code takes off; 0.00 without one.")
    delivery: DeliveryCharge = strawberry.field(description="What sending it costs.")
    tax: TaxCharge | None = strawberry.field(description="Null where there is none.")
    total: Money = strawberry.field(description="What would be charged, to the cent.")

    @classmethod
    def of(cls, quoted: checkouts.CartQuote) -> "CheckoutQuote":
        """From the service's quote; money in cents."""
        sums, code, tax, shipping_option = quoted.sums, quoted.basket.code, quoted.tax, quoted.delivery
        return cls(
            address=OrderAddress.of(quoted.address),
            subtotal=Money(sums.subtotal_cents),
            discount_code=code.code if code and not code.problem else None,
            discount=Money(sums.discount_cents),
            delivery=DeliveryCharge(
                name=shipping_option.name,
                price=Money(shipping_option.price_cents),
                min_days=shipping_option.min_days,
                max_days=shipping_option.max_days,
            ),
            tax=TaxCharge.of(tax.name, tax.basis_points, sums.tax_cents, included=tax.included) if tax else None,
            total=Money(sums.total_cents),
        )

    @classmethod
    def of_checkout(cls, row: models.Checkout) -> "CheckoutQuote":
        """From the row of a checkout, as it was reserved."""
        is_taxed = row.tax_cents > 0
        return cls(
            address=OrderAddress.of(row.shipping_address),
            subtotal=Money(row.subtotal_cents),
            discount_code=row.discount_code,
            discount=Money(row.discount_cents),
            delivery=DeliveryCharge(
                name=row.delivery_name,
                price=Money(row.shipping_cents),
                min_days=row.delivery_min_days,
                max_days=row.delivery_max_days,
            ),
            tax=TaxCharge.of(row.tax_name, row.tax_basis_points, row.tax_cents, included=row.tax_included)
            if is_taxed
            else None,
            total=Money(row.total_cents),
        )


@strawberry.type(description="Stock held for one payment, and the key to its card form.")
class Checkout:
    id: strawberry.ID = strawberry.field(description="Opaque.")
    client_secret: str = strawberry.field(description="Hand this to the embedded card form.")
    session_id: strawberry.ID = strawberry.field(
        description="The payment provider's id of the session; hand it to `completeCheckout`."
    )
    total: Money = strawberry.field(
        description="What will be charged, to the cent: goods less any discount, with delivery and tax."
    )
    quote: CheckoutQuote = strawberry.field(description="What the total is made of, and where the parcel goes.")
    expires_at: datetime = strawberry.field(description="The stock is given back after this moment.")

    @classmethod
    def of(cls, checkout: models.Checkout) -> "Checkout":
        """From the row of a checkout with its session."""
        return cls(
            id=strawberry.ID(str(checkout.id)),
            client_secret=checkout.client_secret or "",
            session_id=strawberry.ID(checkout.stripe_session_id or ""),
            total=Money(checkout.total_cents),
            quote=CheckoutQuote.of_checkout(checkout),
            expires_at=checkout.expires_at,
        )


@strawberry.type(description="The cart is empty, has a line that cannot be bought, or changed meanwhile.")
class CartNotReady(UserError):
    cart: Cart = strawberry.field(description="The cart as it is now; its lines say what is wrong with them.")


@strawberry.type(description="There is no address to send to.")
class AddressMissing(UserError): ...


@strawberry.type(description="The provider takes no amounts this small.")
class AmountTooSmall(UserError):
    minimum: Money = strawberry.field(description="The smallest amount that can be paid by card.")


@strawberry.type(description="The cart has more than one account may reserve until it is paid. Less can be bought.")
class ReservationTooLarge(UserError): ...


@strawberry.type(
    description="The account has reserved without paying for too long, or canceled too many orders, within a day."
)
class CheckoutPaused(UserError):
    retry_after: int = strawberry.field(default=60, description="Seconds to wait.")


@strawberry.type(description="The shop does not send to this country, or the address has none that it knows.")
class NoDelivery(UserError):
    country: str = strawberry.field(description="Its English name; empty for an unknown one.")

    @classmethod
    def of(cls, error: pricing_errors.NoDelivery) -> "NoDelivery":
        """From the service's error."""
        return cls(message=str(error), field=error.field, country=error.country if error.known else "")


CheckoutQuoteResult = Annotated[
    CheckoutQuote | AddressMissing | NoDelivery,
    strawberry.union(name="CheckoutQuoteResult", description="The sums, or why there are none."),
]


@strawberry.type(description="The payment provider does not answer; nothing was reserved or charged.")
class PaymentUnavailable(UserError): ...


@strawberry.type(description="The session exists but is not paid; nothing was charged.")
class PaymentNotCompleted(UserError): ...


@strawberry.type(description="The card was accepted but the money is still on its way; a mail follows.")
class PaymentProcessing(UserError): ...


@strawberry.type(description="Paid, but no longer to be had; the money goes back by itself.")
class PaymentRefunded(UserError): ...


@strawberry.type(description="The payment became an order.")
class CheckoutCompleted:
    order: Order = strawberry.field(description="The order, the same one however often it is asked for.")
    cart: Cart = strawberry.field(description="The cart without what was bought.")


StartCheckoutResult = Annotated[
    Checkout
    | CartNotReady
    | OutOfStock
    | AddressMissing
    | NoDelivery
    | DiscountCodeRefused
    | AmountTooSmall
    | ReservationTooLarge
    | CheckoutPaused
    | PaymentUnavailable,
    strawberry.union(name="StartCheckoutResult", description="A payment to make, or why there is none."),
]


@strawberry.type(description="It is too late to cancel, or there is nothing to cancel.")
class OrderNotCancelable(UserError): ...


CancelOrderResult = Annotated[
    Order | OrderNotCancelable,
    strawberry.union(name="CancelOrderResult", description="The canceled order, or why it goes on."),
]
CompleteCheckoutResult = Annotated[
    CheckoutCompleted | PaymentNotCompleted | PaymentProcessing | PaymentRefunded | PaymentUnavailable,
    strawberry.union(name="CompleteCheckoutResult", description="The order, or how the payment stands."),
]


@strawberry.type
class PaymentsViewerFields:
    """The payments' fields of the type Viewer."""

    @strawberry.field(
        description="What the cart would cost now at an address: discount, delivery, tax. Costs two statements. "
        "Somebody else's address is a NOT_FOUND error."
    )
    async def checkout_quote(
        self,
        info: Info,
        address_id: Annotated[
            strawberry.ID | None,
            strawberry.argument(description="Where it goes; without it the default address, else the newest."),
        ] = None,
    ) -> CheckoutQuoteResult:
        address = parse_id(address_id, "This address") if address_id is not None else None
        charges = await service.charges_of(info.context)
        try:
            async with reading(info.context) as session:
                quoted = await checkouts.quote(session, info.context.signed_in.user_id, address, charges)
        except errors.AddressMissing as error:
            return AddressMissing(message=str(error), field=error.field)
        except pricing_errors.NoDelivery as error:
            return NoDelivery.of(error)
        return CheckoutQuote.of(quoted)


@strawberry.type
class PaymentsMutations:
    """Checkout of the viewer's cart."""

    @strawberry.mutation(
        description="Reserves the cart's stock and opens a payment. Asking again for the same cart, prices and "
        "address answers the same checkout; for a changed cart the old payment is closed first. "
        "Somebody else's address is a NOT_FOUND error.",
        permission_classes=[SignedInOnly],
    )
    async def start_checkout(
        self,
        info: Info,
        address_id: Annotated[
            strawberry.ID | None,
            strawberry.argument(description="Where it goes; without it the default address, else the newest."),
        ] = None,
    ) -> StartCheckoutResult:
        viewer = info.context.signed_in
        address = parse_id(address_id, "This address") if address_id is not None else None
        try:
            checkout = await service.start_checkout(_env(info), Buyer(viewer.user_id, viewer.email), address)
        except errors.CartNotReady as error:
            return CartNotReady(message=str(error), cart=Cart.of(error.basket))
        except cart_errors.OutOfStock as error:
            return OutOfStock.of(error)
        except errors.AddressMissing as error:
            return AddressMissing(message=str(error), field=error.field)
        except pricing_errors.NoDelivery as error:
            return NoDelivery.of(error)
        except pricing_errors.CodeRefused as error:
            return DiscountCodeRefused(message=str(error), field=error.field)
        except errors.AmountTooSmall as error:
            return AmountTooSmall(message=str(error), minimum=Money(error.minimum_cents))
        except errors.ReservationTooLarge as error:
            return ReservationTooLarge(message=str(error))
        except refusals.TooManyRequests as error:
            return CheckoutPaused(message=str(error), retry_after=error.retry_after)
        except refusals.Conflict as error:
            async with reading(info.context) as session:
                return CartNotReady(message=str(error), cart=Cart.of(await cart.get(session, viewer.user_id)))
        except PaymentProviderDown as error:
            return PaymentUnavailable(message=str(error))
        return Checkout.of(checkout)

    @strawberry.mutation(
        description="Asks the provider whether the session is paid and makes the order, once, whoever else does. "
        "Somebody else's session is a NOT_FOUND error.",
        permission_classes=[SignedInOnly],
    )
    async def complete_checkout(
        self,
        info: Info,
        session_id: Annotated[
            strawberry.ID, strawberry.argument(description="From `startCheckout`, or the return page's address.")
        ],
    ) -> CompleteCheckoutResult:
        user_id = info.context.signed_in.user_id
        try:
            settled = await service.complete_checkout(_env(info), user_id, session_id)
        except PaymentProviderDown as error:
            return PaymentUnavailable(message=str(error))
        match settled.outcome:
            case CheckoutOutcome.WAITING | CheckoutOutcome.RELEASED:
                return PaymentNotCompleted(message=NOT_COMPLETED)
            case CheckoutOutcome.PROCESSING:
                return PaymentProcessing(message=PROCESSING)
            case CheckoutOutcome.UNFULFILLABLE:
                return PaymentRefunded(message=REFUNDED)
            case CheckoutOutcome.ORDERED:
                assert settled.order is not None  # noqa: S101 - ORDERED implies an order
                async with reading(info.context) as session:
                    order = await queries.order(session, settled.order.id)
                    basket = await cart.get(session, user_id)
                assert order is not None  # noqa: S101 - orders are never deleted
                return CheckoutCompleted(order=Order.of(order), cart=Cart.of(basket))

    @strawberry.mutation(
        description="Calls off an order that is not on its way yet: its pieces go back on the shelf and all its money "
        "to the card. Asking again changes nothing. Somebody else's order is a NOT_FOUND error.",
        permission_classes=[SignedInOnly],
    )
    async def cancel_order(
        self,
        info: Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="One of the viewer's orders.")],
    ) -> CancelOrderResult:
        user_id, order_id = info.context.signed_in.user_id, parse_id(id, "This order")
        within = timedelta(minutes=(await shop.current(info.context)).cancel_minutes)
        shop_url = info.context.site.public_url
        try:
            async with transaction(info.context) as session:
                await cancellations.cancel_order(session, order_id, user_id, within=within, shop_url=shop_url)
        except errors.NotCancelable as error:
            return OrderNotCancelable(message=str(error))
        async with reading(info.context) as session:
            order = await queries.order(session, order_id)
        assert order is not None  # noqa: S101 - orders are never deleted
        return Order.of(order)


def _env(info: Info) -> JobEnvironment:
    return JobEnvironment(info.context.sessions, info.context.resources)
