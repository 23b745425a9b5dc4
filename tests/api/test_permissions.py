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
from tests.api.permissions_table import FIELDS, MAY, OUTSIDE_API, ROUTES


@pytest.mark.spec("roles.server", "calls.base")
def test_the_table_of_routes_is_the_app() -> None:
    declared = {
        route.name: route.allows for route in (*wiring.API_ROUTES, *wiring.OTHER_ROUTES) if hasattr(route, "allows")
    }

    assert declared == ROUTES


@pytest.mark.spec("roles.server")
def test_the_table_of_fields_is_the_schema() -> None:
    built = schema.build()
    declared = {
        f"{root.__name__}.{built.config.name_converter.get_graphql_name(field)}": permission.access
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


@pytest.mark.spec("screens.visitor.browse", "roles.server")
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
