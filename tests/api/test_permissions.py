"""Who may call every route and field; a new one without an entry here fails."""

import json

import pytest
from graphql import GraphQLObjectType
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from strawberry.types import get_object_definition

from server import schema, wiring
from server.app import create_app
from server.config import Settings
from server.platform.core.viewer import Access
from server.platform.gql.permissions import Declared
from tests.api.conftest import Shop

ROUTES = {
    "POST /auth/signin": Access.ANYONE,
    "POST /auth/signup": Access.ANYONE,
    "POST /auth/google": Access.ANYONE,
    "POST /auth/logout": Access.ANYONE,
    "POST /auth/forgot-password": Access.ANYONE,
    "POST /auth/reset-password": Access.ANYONE,
    "GET /user/profile": Access.SIGNED_IN,
    "PUT /user/profile": Access.SIGNED_IN,
    "POST /user/request-admin-access": Access.SIGNED_IN,
    "POST /user/address": Access.SIGNED_IN,
    "PUT /user/address/{id}": Access.SIGNED_IN,
    "DELETE /user/address/{id}": Access.SIGNED_IN,
    "GET /orders": Access.SIGNED_IN,
    "GET /cart": Access.SIGNED_IN,
    "POST /cart": Access.SIGNED_IN,
    "PUT /cart/{id}": Access.SIGNED_IN,
    "DELETE /cart/{id}": Access.SIGNED_IN,
    "GET /product/search": Access.ANYONE,
    "GET /product/{category}/{subcategory}": Access.ANYONE,
    "GET /product": Access.ADMIN,
    "GET /product/{id}": Access.ANYONE,
    "POST /product": Access.PRIMARY_ADMIN,
    "DELETE /product/{id}": Access.PRIMARY_ADMIN,
    "GET /user/admin-requests": Access.ADMIN,
    "POST /user/{id}/reject-admin": Access.PRIMARY_ADMIN,
    "GET /user": Access.ADMIN,
    "PUT /user/{id}/toggle-admin": Access.PRIMARY_ADMIN,
    "DELETE /user/{id}": Access.PRIMARY_ADMIN,
    "GET /analytics": Access.ADMIN,
    "POST /payment/create-checkout-session": Access.SIGNED_IN,
    "POST /payment/checkout-success": Access.SIGNED_IN,
    "POST /payment/webhook": Access.ANYONE,
    "POST /uploads/images": Access.ADMIN,
    "POST /uploads/images/signed": Access.ADMIN,
    "POST /uploads/images/signed/{id}": Access.ADMIN,
    "POST /uploads/products": Access.ADMIN,
    "GET /exports/products.csv": Access.ADMIN,
    "GET /images/{id}/{file}": Access.ANYONE,
    "GET /account/data": Access.SIGNED_IN,
    "GET /orders/{id}/invoice.pdf": Access.SIGNED_IN,
    "POST /events": Access.ANYONE,
    "GET /unsubscribe": Access.ANYONE,
    "POST /unsubscribe": Access.ANYONE,
}
FIELDS = {
    "Query.viewer": Access.ANYONE,
    "Query.shop": Access.ANYONE,
    "Query.categories": Access.ANYONE,
    "Query.product": Access.ANYONE,
    "Query.products": Access.ANYONE,
    "Query.search": Access.ANYONE,
    "Query.admin": Access.ANYONE,
    "Mutation.signUp": Access.ANYONE,
    "Mutation.signIn": Access.ANYONE,
    "Mutation.signInWithGoogle": Access.ANYONE,
    "Mutation.confirmSignIn": Access.ANYONE,
    "Mutation.startPasskey": Access.ANYONE,
    "Mutation.signInWithPasskey": Access.ANYONE,
    "Mutation.reauthenticate": Access.SIGNED_IN,
    "Mutation.startPasskeyRegistration": Access.SIGNED_IN,
    "Mutation.addPasskey": Access.SIGNED_IN,
    "Mutation.renamePasskey": Access.SIGNED_IN,
    "Mutation.removePasskey": Access.SIGNED_IN,
    "Mutation.startCodeSetup": Access.SIGNED_IN,
    "Mutation.turnCodesOn": Access.SIGNED_IN,
    "Mutation.turnCodesOff": Access.SIGNED_IN,
    "Mutation.renewRecoveryCodes": Access.SIGNED_IN,
    "Mutation.signOut": Access.ANYONE,
    "Mutation.forgotPassword": Access.ANYONE,
    "Mutation.resetPassword": Access.ANYONE,
    "Mutation.verifyEmail": Access.ANYONE,
    "Mutation.denyEmail": Access.ANYONE,
    "Mutation.linkGoogle": Access.SIGNED_IN,
    "Mutation.unlinkGoogle": Access.SIGNED_IN,
    "Mutation.updateProfile": Access.SIGNED_IN,
    "Mutation.requestAdminAccess": Access.SIGNED_IN,
    "Mutation.endSession": Access.SIGNED_IN,
    "Mutation.addAddress": Access.SIGNED_IN,
    "Mutation.updateAddress": Access.SIGNED_IN,
    "Mutation.deleteAddress": Access.SIGNED_IN,
    "Mutation.addToCart": Access.SIGNED_IN,
    "Mutation.setCartQuantity": Access.SIGNED_IN,
    "Mutation.removeFromCart": Access.SIGNED_IN,
    "Mutation.useDiscountCode": Access.SIGNED_IN,
    "Mutation.removeDiscountCode": Access.SIGNED_IN,
    "Mutation.notifyWhenBack": Access.ANYONE,
    "Mutation.addToWishlist": Access.SIGNED_IN,
    "Mutation.removeFromWishlist": Access.SIGNED_IN,
    "Mutation.mergeWishlist": Access.SIGNED_IN,
    "Mutation.startCheckout": Access.SIGNED_IN,
    "Mutation.completeCheckout": Access.SIGNED_IN,
    "Mutation.deleteAccount": Access.SIGNED_IN,
    "Mutation.cancelOrder": Access.SIGNED_IN,
    "Mutation.requestReturn": Access.SIGNED_IN,
    "Mutation.shipOrder": Access.ADMIN,
    "Mutation.correctShipment": Access.ADMIN,
    "Mutation.markDelivered": Access.ADMIN,
    "Mutation.addOrderNote": Access.ADMIN,
    "Mutation.acceptReturn": Access.ADMIN,
    "Mutation.refuseReturn": Access.ADMIN,
    "Mutation.receiveReturn": Access.ADMIN,
    "Mutation.refundOrder": Access.ADMIN,
    "Mutation.refundReturn": Access.ADMIN,
    "Mutation.retryRefund": Access.ADMIN,
    "Mutation.closeRefund": Access.ADMIN,
    "Mutation.cancelOrderAsShop": Access.ADMIN,
    "Mutation.endReservation": Access.ADMIN,
    "Mutation.createDiscountCode": Access.ADMIN,
    "Mutation.editDiscountCode": Access.ADMIN,
    "Mutation.endDiscountCode": Access.ADMIN,
    "Mutation.saveDeliveryZone": Access.PRIMARY_ADMIN,
    "Mutation.removeDeliveryZone": Access.PRIMARY_ADMIN,
    "Mutation.setTaxRate": Access.PRIMARY_ADMIN,
    "Mutation.removeTaxRate": Access.PRIMARY_ADMIN,
    "Mutation.changeSettings": Access.PRIMARY_ADMIN,
    "Mutation.adjustStock": Access.ADMIN,
    "Mutation.startImport": Access.ADMIN,
    "Mutation.discardImport": Access.ADMIN,
    "Mutation.dropJob": Access.PRIMARY_ADMIN,
    "Mutation.retryJob": Access.PRIMARY_ADMIN,
    "Mutation.saveReport": Access.ADMIN,
    "Mutation.deleteSavedReport": Access.ADMIN,
    "Mutation.createProduct": Access.PRIMARY_ADMIN,
    "Mutation.deleteProduct": Access.PRIMARY_ADMIN,
    "Mutation.restoreProduct": Access.PRIMARY_ADMIN,
    "Mutation.duplicateProduct": Access.PRIMARY_ADMIN,
    "Mutation.editProduct": Access.ADMIN,
    "Mutation.changeProducts": Access.ADMIN,
    "Mutation.toggleAdmin": Access.PRIMARY_ADMIN,
    "Mutation.endSecondFactors": Access.PRIMARY_ADMIN,
    "Mutation.rejectAdminRequest": Access.PRIMARY_ADMIN,
    "Mutation.deleteUser": Access.PRIMARY_ADMIN,
    "Mutation.signOutUser": Access.ADMIN,
    "Subscription.adminEvents": Access.ADMIN,
}
OUTSIDE_API = {route.name for route in wiring.OTHER_ROUTES}
MAY = {
    "visitor": {Access.ANYONE},
    "shopper": {Access.ANYONE, Access.SIGNED_IN},
    "other": {Access.ANYONE, Access.SIGNED_IN},
    "admin": {Access.ANYONE, Access.SIGNED_IN, Access.ADMIN},
    "primary": set(Access),
}


def test_the_table_of_routes_is_the_app() -> None:
    declared = {
        route.name: route.allows for route in (*wiring.API_ROUTES, *wiring.OTHER_ROUTES) if hasattr(route, "allows")
    }

    assert declared == ROUTES


def test_the_table_of_fields_is_the_schema() -> None:
    made = schema.build()
    declared = {
        f"{root.__name__}.{made.config.name_converter.get_graphql_name(field)}": permission.access
        for root in (schema.Query, schema.Mutation, schema.Subscription)
        for field in get_object_definition(root, strict=True).fields
        for permission in field.permission_classes
        if issubclass(permission, Declared)
    }

    assert declared == FIELDS


NEEDS = {
    Access.SIGNED_IN: "Needs a session.",
    Access.ADMIN: "For admins.",
    Access.PRIMARY_ADMIN: "For the primary admin.",
}


def test_a_field_says_in_its_description_who_may_use_it() -> None:
    types = schema.build()._schema.type_map

    for name, access in FIELDS.items():
        root, _, field = name.partition(".")
        kind = types[root]
        assert isinstance(kind, GraphQLObjectType)
        described = kind.fields[field].description or ""
        said = [each for each in NEEDS.values() if described.endswith(each)]

        assert said == ([] if access is Access.ANYONE else [NEEDS[access]]), name


def test_a_route_that_does_not_say_who_may_call_it_keeps_the_shop_shut(monkeypatch: pytest.MonkeyPatch) -> None:
    async def anything(_request: Request) -> Response:
        return Response()

    monkeypatch.setattr(wiring, "API_ROUTES", [*wiring.API_ROUTES, Route("/secrets", anything, name="GET /secrets")])

    with pytest.raises(ValueError, match="No access is declared for GET /secrets"):
        create_app(Settings())


@pytest.mark.parametrize("role", MAY)
async def test_who_may_not_is_refused_and_changes_nothing(shop: Shop, role: str, subtests: pytest.Subtests) -> None:
    before = await shop.snapshot()
    expected = 401 if role == "visitor" else 403

    for name, access in ROUTES.items():
        if access in MAY[role]:
            continue
        with subtests.test(name):
            method, _, path = name.partition(" ")
            prefix = "" if name in OUTSIDE_API else "/api"
            path = path.replace("{id}", str(shop.people.other))

            response = await shop.clients[role].request(method, prefix + path, content=b"{}")

            assert response.status_code == expected
            assert await shop.snapshot() == before


@pytest.mark.parametrize("role", MAY)
async def test_the_back_office_is_null_for_who_is_no_admin(shop: Shop, role: str) -> None:
    query = json.dumps({"query": "{ viewer { email } admin { analytics { totalUsers } } }"})

    answer = (await shop.clients[role].post("/graphql", content=query)).json()

    if role in ("admin", "primary"):
        assert answer["data"]["admin"] == {"analytics": {"totalUsers": 4}}
    else:
        assert answer["data"]["admin"] is None
    assert "errors" not in answer
