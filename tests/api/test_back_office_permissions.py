"""Every field beneath `admin`, every mutation and subscription, requested by every role."""

import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from typing import Any

import pytest
from graphql import GraphQLField, GraphQLObjectType, GraphQLSchema
from strawberry.types import get_object_definition

from server import schema as schemas
from server.content.blocks import BLOCKS
from server.platform.core.context import Context
from server.platform.core.security import cookie_name
from server.platform.core.viewer import Access
from server.platform.gql.permissions import Declared
from tests.api.back_office_fields import BENEATH_ADMIN
from tests.api.conftest import Shop
from tests.api.documents import asking_for, types_below
from tests.api.permissions_table import FIELDS, MAY

ALSO_FOR_SHOPPERS = {
    *("Color", "FieldError", "Image", "InvalidInput", "PageInfo", "Product", "ProductDetail", "ProductEdge", "Variant"),
    *("Address", "DeliveryCharge", "Order", "OrderAddress", "OrderConnection", "OrderEdge", "OrderEvent", "OrderLine"),
    *("Country", "DeliveryRate", "DeliveryZone", "Return", "ReturnLine", "Session", "Shipment", "ShipmentLine"),
    *("Category", "Department", "Measurement", "ProductKind", "SizeLength", "TaxCharge"),
    *("SizeAxis", "SizeLabel", "SizeSystem", "SizeValue"),
    *("FormattedText", "Page", "PageBlock", *(f"{each.__name__}Block" for each in BLOCKS), "QuestionPart", "SlidePart"),
}
"""Types that the back office shares with the shop. Whatever else it shows must not be reachable from outside it."""

REFUSED = {"visitor": {"UNAUTHENTICATED"}, "shopper": {"FORBIDDEN"}, "other": {"FORBIDDEN"}, "admin": {"FORBIDDEN"}}


@pytest.fixture(scope="module")
def schema() -> GraphQLSchema:
    return schemas.build()._schema


def fields_of(schema: GraphQLSchema, kind: str) -> dict[str, GraphQLField]:
    kind_of_name = schema.type_map[kind]
    assert isinstance(kind_of_name, GraphQLObjectType)
    return dict(kind_of_name.fields)


def codes(answer: dict[str, Any]) -> set[str]:
    return {error.get("extensions", {}).get("code", error["message"]) for error in answer.get("errors", [])}


async def post(shop: Shop, role: str, document: str) -> dict[str, Any]:
    answer: dict[str, Any] = (await shop.clients[role].post("/graphql", json={"query": document})).json()
    assert "Cannot query field" not in str(answer), answer
    return answer


def test_the_table_of_the_back_office_is_the_schema() -> None:
    built = schemas.build()
    declared = {
        built.config.name_converter.get_graphql_name(field): max(
            (each.access for each in field.permission_classes if issubclass(each, Declared)),
            key=list(Access).index,
            default=Access.ADMIN,
        )
        for field in get_object_definition(schemas.Admin, strict=True).fields
    }

    assert declared == BENEATH_ADMIN


def test_what_the_back_office_shows_is_reached_from_nowhere_else(schema: GraphQLSchema) -> None:
    open_to_all = {Access.ANYONE, Access.SIGNED_IN}
    elsewhere = [
        field
        for root in ("Query", "Mutation", "Subscription")
        for name, field in fields_of(schema, root).items()
        if name != "admin" and FIELDS[f"{root}.{name}"] in open_to_all
    ]
    beneath = types_below(schema, fields_of(schema, "Query")["admin"])

    shared = beneath & types_below(schema, *elsewhere)

    assert shared <= ALSO_FOR_SHOPPERS
    assert beneath >= {"User", "AuditEntry", "Analytics"}


@pytest.mark.parametrize("role", MAY)
async def test_beneath_admin_only_admins_are_answered(
    shop: Shop, schema: GraphQLSchema, role: str, subtests: pytest.Subtests
) -> None:
    before = await shop.snapshot()
    for name, field in fields_of(schema, "Admin").items():
        with subtests.test(name):
            answer = await post(shop, role, f"{{ admin {{ {asking_for(field, name)} }} }}")

            if Access.ADMIN not in MAY[role]:
                assert answer["data"] == {"admin": None}
                assert "errors" not in answer
            elif BENEATH_ADMIN[name] in MAY[role]:
                assert codes(answer).isdisjoint({"FORBIDDEN", "UNAUTHENTICATED", "INTERNAL"}), answer
            else:
                assert codes(answer) == {"FORBIDDEN"}
    assert await shop.snapshot() == before


def refused_mutations(role: str) -> Iterator[str]:
    for name, access in FIELDS.items():
        root, _, field = name.partition(".")
        if root == "Mutation" and access not in MAY[role]:
            yield field


@pytest.mark.parametrize("role", REFUSED)
async def test_who_may_not_is_refused_by_every_mutation_and_changes_nothing(
    shop: Shop, schema: GraphQLSchema, role: str, subtests: pytest.Subtests
) -> None:
    before = await shop.snapshot()
    for name in refused_mutations(role):
        with subtests.test(name):
            answer = await post(shop, role, f"mutation {{ {asking_for(fields_of(schema, 'Mutation')[name], name)} }}")

            assert answer["data"] is None
            assert codes(answer) == REFUSED[role]
            assert await shop.snapshot() == before


async def context_of(shop: Shop, role: str) -> Context:
    """As a socket of this role's browser has it."""
    state = shop.app.state.shop
    cookie = "; ".join(f"{name}={value}" for name, value in shop.clients[role].cookies.items())
    assert not cookie or cookie.startswith(cookie_name(state.settings))
    context: Context = await state.context({"type": "websocket", "headers": [(b"cookie", cookie.encode())]})
    return context


@pytest.mark.parametrize("role", MAY)
async def test_subscriptions_are_for_who_may_listen(shop: Shop, schema: GraphQLSchema, role: str) -> None:
    async with asyncio.timeout(30):
        while not shop.app.state.shop.listener.is_connected:  # noqa: ASYNC110, nobody sets an event for it
            await asyncio.sleep(0.02)
    before = await shop.snapshot()
    for name, field in fields_of(schema, "Subscription").items():
        document = f"subscription {{ {asking_for(field, name)} }}"
        results = await shop.app.state.shop.graphql.schema.subscribe(
            document, context_value=await context_of(shop, role)
        )

        async with aclosing(results):
            if FIELDS[f"Subscription.{name}"] in MAY[role]:
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(anext(results), 0.3)
            else:
                refused = await anext(results)
                assert {error.extensions["code"] for error in refused.errors} == REFUSED[role]

    assert await shop.snapshot() == before
