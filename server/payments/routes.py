"""The specification's REST calls for payments, and the provider's webhook."""

from uuid import UUID

from pydantic import Field
from starlette.responses import Response

from server.cart import service as cart
from server.orders import queries
from server.orders.checkouts import Buyer
from server.orders.routes import order_json
from server.orders.service import CheckoutOutcome
from server.payments import reconciliation, service
from server.payments.gateway import StripeGateway
from server.payments.service import NOT_COMPLETED, REFUNDED
from server.platform.core.context import reading
from server.platform.core.errors import Conflict, InvalidInput, NotFound
from server.platform.core.jobs import JobEnvironment
from server.platform.core.text import Line
from server.platform.core.viewer import Access
from server.platform.web.rest import Body, Call, answer, route

WEBHOOK_BYTES = 256_000


class CheckoutProductBody(Body):
    """The product in a cart item; only its id is read."""

    id: Line = Field(alias="_id")


class CheckoutItemBody(Body):
    """A cart item as in GET /cart; of a product only the id is read."""

    productId: CheckoutProductBody | Line
    variantId: Line | None = None
    quantity: int

    @property
    def known_as(self) -> UUID:
        """The variant's or product's id. Raises InvalidInput for a malformed one."""
        product = self.productId.id if isinstance(self.productId, CheckoutProductBody) else self.productId
        try:
            return UUID(self.variantId or product)
        except ValueError as error:
            raise InvalidInput({"items": "holds something that is not an item of a cart"}) from error


class StartBody(Body):
    """The cart as the client sees it (optional), and the delivery address's id."""

    items: list[CheckoutItemBody] | None = None
    addressId: Line | None = None


class SuccessBody(Body):
    """The provider session that the client returns from."""

    session_id: Line


async def start(call: Call) -> Response:
    """Starts a checkout; responds 201 with the provider's client secret. Raises Conflict for an outdated cart."""
    body, viewer = await call.body(StartBody), call.context.signed_in
    if body.items is not None:
        async with reading(call.context) as session:
            basket = await cart.get(session, viewer.user_id)
        if not service.same_items(basket, [(item.known_as, item.quantity) for item in body.items]):
            raise Conflict("Your cart has changed. Please look at it again.")
    checkout = await service.start_checkout(_env(call), Buyer(viewer.user_id, viewer.email), _address_id(body))
    return answer({"clientSecret": checkout.client_secret}, 201)


async def success(call: Call) -> Response:
    """Completes a checkout after payment; responds with the order. Raises Conflict while it is not paid."""
    body, user_id = await call.body(SuccessBody), call.context.signed_in.user_id
    settled = await service.complete_checkout(_env(call), user_id, body.session_id)
    if settled.order is None or settled.outcome not in (CheckoutOutcome.ORDERED, CheckoutOutcome.PROCESSING):
        raise Conflict(REFUNDED if settled.outcome is CheckoutOutcome.UNFULFILLABLE else NOT_COMPLETED)
    async with reading(call.context) as session:
        order = await queries.order(session, settled.order.id)
    return answer({"order": order_json(order) if order else None})


async def webhook(call: Call) -> Response:
    """Handles an event of the provider."""
    signature = call.request.headers.get("stripe-signature")
    gateway = call.context.resources.get(StripeGateway)
    await reconciliation.handle_event(_env(call), await gateway.parse_webhook(await call.raw(), signature))
    return answer({"received": True})


def _env(call: Call) -> JobEnvironment:
    return JobEnvironment(call.context.sessions, call.context.resources)


def _address_id(body: StartBody) -> UUID | None:
    """The address's id, None without one. Raises NotFound for a malformed id."""
    if body.addressId is None:
        return None
    try:
        return UUID(body.addressId)
    except ValueError as error:
        raise NotFound("This address") from error


routes = [
    route("POST", "/payment/create-checkout-session", start, allows=Access.SIGNED_IN),
    route("POST", "/payment/checkout-success", success, allows=Access.SIGNED_IN),
    route("POST", "/payment/webhook", webhook, allows=Access.ANYONE, max_body=WEBHOOK_BYTES, cross_site=True),
]
