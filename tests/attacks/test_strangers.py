"""Object-level authorization (IDOR): ids of other accounts' objects do not exist for a stranger.

Lists every id argument.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, get_type_hints
from uuid import UUID, uuid4

import httpx
import pytest
from graphql import GraphQLInputObjectType, GraphQLInputType, GraphQLObjectType, GraphQLSchema, get_named_type
from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession
from stripe._http_client import HTTPClient

from server import schema as schemas
from server import wiring
from server.identity import service as identity
from server.identity.models import Session
from server.orders import queries
from server.orders.queries import OrderScope
from server.platform.core.viewer import Viewer
from server.platform.web.rest import Body
from tests.api.conftest import ADDRESS
from tests.attacks.bodies import bodies_below
from tests.attacks.world import World
from tests.orders.seen import version_of

Id = Callable[[World], UUID | str]

CATALOGUE = "The catalogue is everybody's."
BACK_OFFICE = "What is the shop's is every admin's; test_permissions keeps others out."
SENDERS = "Kept below the id of the admin who sends it; test_direct_uploads tries another one's."
STATISTICS = "Random or known to its own browser alone, and nothing but counted."


@dataclass(frozen=True)
class Probe:
    """A request with one id in it that `role` may send for `own`, and must not learn anything from for `theirs`."""

    role: str
    theirs: Id
    own: Id
    document: str = ""
    """GraphQL, with the id as $id; `variables` are the others. A REST call has a `path` instead, with {id}."""
    variables: Callable[[World], dict[str, Any]] = lambda _: {}
    versioned: Callable[[World], UUID] | None = None
    """The order whose $version the document has."""
    method: str = "POST"
    path: str = ""
    body: dict[str, Any] | None = None

    async def ask(self, world: World, asked: Id) -> httpx.Response:
        client, id = world.shop.clients[self.role], str(asked(world))
        if self.document:
            variables = {**self.variables(world), "id": id}
            if self.versioned is not None:
                variables["version"] = await version_of(world.shop.sessions, self.versioned(world))
            return await client.post("/graphql", json={"query": self.document, "variables": variables})
        content = None if self.body is None else json.dumps(self.body).replace("{id}", id)
        return await client.request(self.method, self.path.replace("{id}", id), content=content)


def own_order(world: World) -> dict[str, Any]:
    return {"order": str(world.shopper.order)}


LINES = "[{ lineId: $id, quantity: 1 }]"
INVOICE = Probe(
    "shopper",
    lambda world: world.other.order,
    lambda world: world.shopper.order,
    method="GET",
    path="/orders/{id}/invoice.pdf",
)
SESSION = Probe(
    "shopper",
    lambda world: world.other.session,
    lambda world: world.shopper.session,
    "mutation ($id: ID!) { revokeSession(id: $id) { sessions { id } } }",
)
ORDER = Probe(
    "shopper",
    lambda world: world.other.order,
    lambda world: world.shopper.order,
    "query ($id: ID!) { viewer { order(id: $id) { number shippingAddress { name } } } }",
)
ADDRESS_OF = Probe("shopper", lambda world: world.other.address, lambda world: world.shopper.address)
PASSKEY_OF = Probe("shopper", lambda world: world.other.passkey, lambda world: world.shopper.passkey)
PAYMENT_OF = Probe("shopper", lambda world: world.other.checkout, lambda world: world.shopper.checkout)
LINE_OF = Probe(
    "admin", lambda world: world.other.order_line, lambda world: world.shopper.order_line, variables=own_order
)

EDIT = """
mutation ($product: ID!, $image: ID!, $id: ID!) { updateProduct(id: $product, version: 1, input: {
  name: "Oxford Shirt", subtitle: "Washed cotton oxford", description: "One pocket.", price: "89.00",
  category: "men_shirts", colors: [{ hex: "#b7d0ea", name: "Sky", id: $id }], sizes: [S, M],
  variants: [{ color: 0, size: S, stock: 5 }, { color: 0, size: M, stock: 5 }], images: [{ imageId: $image }]
}) { __typename ... on UserError { message field } } }
"""

GRAPHQL: dict[str, str | Probe] = {
    "Query.node.id": replace(
        ORDER, document="query ($id: ID!) { node(id: $id) { __typename ... on Order { number } } }"
    ),
    "Query.product.id": CATALOGUE,
    "Query.products.ids": CATALOGUE,
    "Query.categories.ids": CATALOGUE,
    "Viewer.checkoutQuote.addressId": replace(
        ADDRESS_OF,
        document="query ($id: ID!) { viewer { checkoutQuote(addressId: $id) { __typename } } }",
    ),
    "Viewer.order.id": ORDER,
    "Viewer.orderOfSession.sessionId": Probe(
        "shopper",
        lambda world: world.other.paid_checkout,
        lambda world: world.shopper.paid_checkout,
        "query ($id: ID!) { viewer { orderOfSession(sessionId: $id) { number } } }",
    ),
    "Admin.stockLevel.variantId": BACK_OFFICE,
    "Admin.stockMovements.filter.variantId": BACK_OFFICE,
    "Admin.import.id": BACK_OFFICE,
    "Admin.orders.filter.buyerId": BACK_OFFICE,
    "Admin.order.id": BACK_OFFICE,
    "Admin.page.id": BACK_OFFICE,
    "Admin.productsPreview.selection.ids": BACK_OFFICE,
    "Admin.product.id": BACK_OFFICE,
    "Admin.user.id": BACK_OFFICE,
    "Admin.auditLog.filter.subjectId": BACK_OFFICE,
    "Analytics.report.where.product": BACK_OFFICE,
    "Analytics.report.where.variant": BACK_OFFICE,
    "AdminOrder.refundQuote.lines.lineId": replace(
        LINE_OF,
        document=f"query ($order: ID!, $id: ID!) {{ admin {{ order(id: $order) {{ refundQuote(lines: {LINES}) }} }} }}",
    ),
    "EditablePage.preview.input.blocks.hero.slides.picture.imageId": BACK_OFFICE,
    "EditablePage.preview.input.blocks.pictureWithWords.picture.imageId": BACK_OFFICE,
    "Mutation.updateSavedReport.id": BACK_OFFICE,
    "Mutation.deleteSavedReport.id": BACK_OFFICE,
    "Mutation.updatePage.id": BACK_OFFICE,
    "Mutation.updatePage.input.blocks.hero.slides.picture.imageId": BACK_OFFICE,
    "Mutation.updatePage.input.blocks.pictureWithWords.picture.imageId": BACK_OFFICE,
    "Mutation.revertPage.id": BACK_OFFICE,
    "Mutation.publishPage.id": BACK_OFFICE,
    "Mutation.cancelPublication.id": BACK_OFFICE,
    "Mutation.unpublishPage.id": BACK_OFFICE,
    "Mutation.deletePage.id": BACK_OFFICE,
    "Mutation.adjustStock.changes.variantId": BACK_OFFICE,
    "Mutation.startImport.id": BACK_OFFICE,
    "Mutation.cancelImport.id": BACK_OFFICE,
    "Mutation.retryJob.id": BACK_OFFICE,
    "Mutation.deleteJob.id": BACK_OFFICE,
    "Mutation.updateDeliveryZone.id": BACK_OFFICE,
    "Mutation.deleteDeliveryZone.id": BACK_OFFICE,
    "Mutation.startCheckout.addressId": replace(
        ADDRESS_OF,
        document="mutation ($id: ID!) { startCheckout(addressId: $id) { __typename } }",
    ),
    "Mutation.completeCheckout.sessionId": replace(
        PAYMENT_OF,
        document="mutation ($id: ID!) { completeCheckout(sessionId: $id) { __typename } }",
    ),
    "Mutation.cancelOrder.id": replace(
        ORDER, document="mutation ($id: ID!) { cancelOrder(id: $id) { __typename ... on UserError { message } } }"
    ),
    "Mutation.refundOrder.id": BACK_OFFICE,
    "Mutation.refundOrder.input.lines.lineId": replace(
        LINE_OF,
        document="mutation ($order: ID!, $id: ID!, $version: String!) { refundOrder(id: $order, "
        f"version: $version, input: {{ lines: {LINES} }}) {{ __typename ... on UserError {{ message field }} }} }}",
        versioned=lambda world: world.shopper.order,
    ),
    "Mutation.refundReturn.id": BACK_OFFICE,
    "Mutation.retryRefund.id": BACK_OFFICE,
    "Mutation.settleRefund.id": BACK_OFFICE,
    "Mutation.cancelOrderAsShop.id": BACK_OFFICE,
    "Mutation.releaseReservation.id": BACK_OFFICE,
    "Mutation.requestReturn.orderId": replace(
        ORDER,
        document="mutation ($line: ID!, $id: ID!) { requestReturn(orderId: $id, lines: [{ lineId: $line, "
        "quantity: 1 }]) { __typename ... on UserError { message field } } }",
        variables=lambda world: {"line": str(world.other.order_line)},
    ),
    "Mutation.requestReturn.lines.lineId": replace(
        LINE_OF,
        role="shopper",
        theirs=lambda world: world.other.shipped_line,
        own=lambda world: world.shopper.shipped_line,
        variables=lambda world: {"order": str(world.shopper.shipped_order)},
        document="mutation ($order: ID!, $id: ID!) { requestReturn(orderId: $order, "
        f"lines: {LINES}) {{ __typename ... on UserError {{ message field }} }} }}",
    ),
    "Mutation.shipOrder.id": BACK_OFFICE,
    "Mutation.shipOrder.input.lines.lineId": replace(
        LINE_OF,
        document="mutation ($order: ID!, $id: ID!, $version: String!) { shipOrder(id: $order, version: $version, "
        f'input: {{ carrier: "UPS", lines: {LINES} }}) {{ __typename ... on UserError {{ message field }} }} }}',
        versioned=lambda world: world.shopper.order,
    ),
    "Mutation.updateShipment.id": BACK_OFFICE,
    "Mutation.markDelivered.id": BACK_OFFICE,
    "Mutation.createOrderNote.orderId": BACK_OFFICE,
    "Mutation.acceptReturn.id": BACK_OFFICE,
    "Mutation.refuseReturn.id": BACK_OFFICE,
    "Mutation.receiveReturn.id": BACK_OFFICE,
    "Mutation.receiveReturn.lines.lineId": Probe(
        "admin",
        lambda world: world.other.shipped_line,
        lambda world: world.shopper.shipped_line,
        "mutation ($return: ID!, $id: ID!, $version: String!) { receiveReturn(id: $return, version: $version, "
        f"lines: {LINES}) {{ __typename ... on UserError {{ message field }} }} }}",
        lambda world: {"return": str(world.shopper.return_)},
        lambda world: world.shopper.shipped_order,
    ),
    "Mutation.notifyWhenBack.variantId": CATALOGUE,
    "Mutation.addToWishlist.productId": CATALOGUE,
    "Mutation.addToWishlist.colorId": CATALOGUE,
    "Mutation.removeFromWishlist.productId": CATALOGUE,
    "Mutation.mergeWishlist.productIds": CATALOGUE,
    "Mutation.mergeWishlist.colorIds": CATALOGUE,
    "Mutation.addToCart.variantId": CATALOGUE,
    "Mutation.setCartQuantity.variantId": CATALOGUE,
    "Mutation.removeFromCart.variantId": CATALOGUE,
    "Mutation.updateProducts.selection.ids": BACK_OFFICE,
    "Mutation.updateProduct.id": BACK_OFFICE,
    "Mutation.updateProduct.input.colors.id": Probe(
        "admin",
        lambda world: world.other_color,
        lambda world: world.color,
        EDIT,
        lambda world: {"product": str(world.shop.people.product), "image": str(world.image)},
    ),
    "Mutation.updateProduct.input.images.imageId": BACK_OFFICE,
    "Mutation.duplicateProduct.id": BACK_OFFICE,
    "Mutation.createProduct.input.images.imageId": BACK_OFFICE,
    "Mutation.createCategory.input.imageId": BACK_OFFICE,
    "Mutation.updateCategory.input.imageId": BACK_OFFICE,
    "Mutation.retireProduct.id": BACK_OFFICE,
    "Mutation.restoreProduct.id": BACK_OFFICE,
    "Mutation.revokeSession.id": SESSION,
    "Mutation.updateAddress.id": replace(
        ADDRESS_OF,
        document="mutation ($id: ID!, $to: AddressInput!) { updateAddress(id: $id, input: $to) { __typename } }",
        variables=lambda _: {"to": ADDRESS},
    ),
    "Mutation.deleteAddress.id": replace(
        ADDRESS_OF,
        document="mutation ($id: ID!) { deleteAddress(id: $id) { __typename } }",
    ),
    "Mutation.renamePasskey.id": replace(
        PASSKEY_OF, document='mutation ($id: ID!) { renamePasskey(id: $id, name: "Mine") { __typename } }'
    ),
    "Mutation.removePasskey.id": replace(
        PASSKEY_OF, document="mutation ($id: ID!) { removePasskey(id: $id) { __typename } }"
    ),
    "Mutation.toggleAdmin.id": BACK_OFFICE,
    "Mutation.resetSecondFactors.id": BACK_OFFICE,
    "Mutation.rejectAdminRequest.id": BACK_OFFICE,
    "Mutation.deleteUser.id": BACK_OFFICE,
    "Mutation.signOutUser.id": BACK_OFFICE,
    "Mutation.signOutUser.sessionId": replace(
        SESSION,
        role="admin",
        own=lambda world: world.shopper.spare_session,
        document="mutation ($user: ID!, $id: ID!) { signOutUser(id: $user, sessionId: $id) { email } }",
        variables=lambda world: {"user": str(world.shopper.user)},
    ),
}
"""Every argument and input field of type ID: whose it names, or a stranger's request with it."""

PATHS: dict[str, str | Probe] = {
    "PUT /user/address/{id}": replace(ADDRESS_OF, method="PUT", path="/api/user/address/{id}", body=ADDRESS),
    "DELETE /user/address/{id}": replace(
        ADDRESS_OF, own=lambda world: world.shopper.spare_address, method="DELETE", path="/api/user/address/{id}"
    ),
    "PUT /cart/{id}": CATALOGUE,
    "DELETE /cart/{id}": CATALOGUE,
    "GET /product/{id}": CATALOGUE,
    "DELETE /product/{id}": BACK_OFFICE,
    "POST /user/{id}/reject-admin": BACK_OFFICE,
    "PUT /user/{id}/toggle-admin": BACK_OFFICE,
    "DELETE /user/{id}": BACK_OFFICE,
    "GET /images/{id}/{file}": CATALOGUE,
    "POST /uploads/images/signed/{id}": SENDERS,
    "GET /orders/{id}/invoice.pdf": INVOICE,
    "GET /orders/{id}/packing-slip.pdf": BACK_OFFICE,
    "GET /orders/{id}/address-label.pdf": BACK_OFFICE,
}
"""Every route with an id in its path."""

BODIES: dict[str, str | Probe] = {
    "AddBody.productId": CATALOGUE,
    "CheckoutItemBody.productId": CATALOGUE,
    "CheckoutItemBody.variantId": CATALOGUE,
    "CheckoutProductBody.id": CATALOGUE,
    "StartBody.addressId": replace(ADDRESS_OF, path="/api/payment/create-checkout-session", body={"addressId": "{id}"}),
    "SuccessBody.session_id": replace(PAYMENT_OF, path="/api/payment/checkout-success", body={"session_id": "{id}"}),
    "EventsBody.visit": STATISTICS,
    "EventBody.products": CATALOGUE,
    "EventBody.session": STATISTICS,
}
"""Every member of a REST body that names something."""

NOTHING = (
    'order":null',
    'orderOfSession":null',
    'node":null',
    'refundQuote":null',
    'message":"A color is not one of this product',
)
PROBES = {
    name: entry for table in (GRAPHQL, PATHS, BODIES) for name, entry in table.items() if isinstance(entry, Probe)
}


def ids_of_schema(schema: GraphQLSchema) -> Iterator[str]:
    for kind in schema.type_map.values():
        if isinstance(kind, GraphQLObjectType) and not kind.name.startswith("__"):
            for name, field in kind.fields.items():
                for argument, definition in field.args.items():
                    yield from ids_within(definition.type, f"{kind.name}.{name}.{argument}", ())


def ids_within(kind: GraphQLInputType, path: str, above: tuple[str, ...]) -> Iterator[str]:
    named = get_named_type(kind)
    if named.name == "ID":
        yield path
    if isinstance(named, GraphQLInputObjectType) and named.name not in above:
        for name, field in named.fields.items():
            yield from ids_within(field.type, f"{path}.{name}", (*above, named.name))


def ids_of_bodies() -> Iterator[str]:
    for kind in bodies_below(Body):
        for name, annotation in get_type_hints(kind).items():
            if re.search(r"(?i)id$|^session", name) or "UUID" in str(annotation):
                yield f"{kind.__name__}.{name}"


def test_every_id_that_can_be_sent_is_in_the_tables() -> None:
    routes = [*wiring.API_ROUTES, *wiring.OTHER_ROUTES]

    assert set(ids_of_schema(schemas.build()._schema)) == set(GRAPHQL)
    assert {route.name for route in routes if "{id}" in route.path} == set(PATHS)
    assert set(ids_of_bodies()) == set(BODIES)


async def differs(world: World, probe: Probe) -> bool:
    """Whether what is somebody else's is answered otherwise than what does not exist, or anything was changed."""
    before = await world.shop.snapshot()
    nobodys = await probe.ask(world, lambda _: uuid4())
    theirs = await probe.ask(world, probe.theirs)
    return shown(theirs) != shown(nobodys) or await world.shop.snapshot() != before


def shown(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "ID", response.text)


def is_refusal(response: httpx.Response) -> bool:
    """404, NOT_FOUND, null, or, of an id inside a whole form, the form's own words."""
    if response.request.url.path != "/graphql":
        return response.status_code == 404
    answer = response.json()
    codes = {error["extensions"]["code"] for error in answer.get("errors", [])}
    return codes == {"NOT_FOUND"} or any(f'"{nothing}' in response.text for nothing in NOTHING)


async def test_what_is_somebody_elses_does_not_exist(world: World, subtests: pytest.Subtests) -> None:
    for name, probe in PROBES.items():
        with subtests.test(name):
            for stranger in (lambda _: uuid4(), lambda _: "made-up", probe.theirs):
                assert is_refusal(await probe.ask(world, stranger))
            assert not await differs(world, probe)


async def test_the_same_requests_are_answered_to_the_owner(
    world: World, subtests: pytest.Subtests, monkeypatch: pytest.MonkeyPatch
) -> None:
    # There is no payment provider here, and waiting for it would tell nothing.
    monkeypatch.setattr(HTTPClient, "INITIAL_DELAY", 0)
    monkeypatch.setattr(HTTPClient, "MAX_DELAY", 0)
    for name, probe in sorted(PROBES.items(), key=lambda each: "delete" in each[0].lower()):
        with subtests.test(name):
            assert not is_refusal(await probe.ask(world, probe.own))


async def test_an_order_shown_to_whoever_asks_is_found(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    careful = queries._conditions

    def careless(wanted: OrderScope) -> Any:
        return careful(replace(wanted, user_id=None))

    monkeypatch.setattr(queries, "_conditions", careless)

    assert await differs(world, ORDER)


async def test_a_session_ended_by_whoever_knows_its_id_is_found(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def careless(session: AsyncSession, _viewer: Viewer, session_id: UUID) -> None:
        await session.execute(delete(Session).where(Session.id == session_id))

    monkeypatch.setattr(identity, "end_other_session", careless)

    assert await differs(world, SESSION)
