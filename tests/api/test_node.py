"""`node` and `products(ids)`: what is found by ids alone."""

from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.models import Variant
from server.catalog.service import retire_product
from tests.api.asking import ask
from tests.api.conftest import Shop
from tests.cart.stock import make_product

NODE = """
query ($id: ID!) { node(id: $id) {
  __typename id
  ... on Category { key }
  ... on Product { name }
  ... on Variant { sku }
  ... on Order { number }
  ... on Address { city }
} }
"""
PRODUCTS = "query ($ids: [ID!]) { products(ids: $ids) { totalCount nodes { id } edges { node { id } } } }"


async def node(shop: Shop, role: str, id: object) -> Any:
    return (await ask(shop, role, NODE, id=str(id)))["node"]


async def test_a_node_is_what_its_own_field_shows(shop: Shop, session: AsyncSession) -> None:
    product, order = shop.people.product, shop.people.others_order
    variant = await session.scalar(select(Variant).where(Variant.product_id == product).limit(1))
    assert variant is not None

    assert await node(shop, "visitor", "men_jeans") == {"__typename": "Category", "id": "men_jeans", "key": "men_jeans"}
    assert (await node(shop, "visitor", product))["__typename"] == "Product"
    assert await node(shop, "visitor", variant.id) == {
        "__typename": "Variant",
        "id": str(variant.id),
        "sku": variant.sku,
    }
    assert (await node(shop, "other", order))["number"].startswith("M-")


async def test_an_order_and_an_address_are_found_by_their_account_alone(shop: Shop) -> None:
    people = shop.people

    for role in ("visitor", "shopper", "admin", "primary"):
        assert await node(shop, role, people.others_order) is None, role
        assert await node(shop, role, people.others_address) is None, role
    assert (await node(shop, "other", people.others_address))["__typename"] == "Address"


@pytest.mark.parametrize("id", ["x", "", "men_coats", "\x00", "018cc251-f400-7c35-a408-11656d8af252"])
async def test_an_id_of_nothing_is_null(shop: Shop, id: str) -> None:
    assert await node(shop, "other", id) is None


async def test_products_by_ids_keep_the_order_and_leave_out_what_is_not_sold(shop: Shop, session: AsyncSession) -> None:
    goods = [(await make_product(session, name=f"Shirt {number}")).product_id for number in range(3)]
    await retire_product(session, goods[1])
    await session.commit()
    asked = [str(goods[2]), str(uuid4()), str(goods[1]), "x", str(goods[0]), str(goods[2])]

    page = (await ask(shop, "visitor", PRODUCTS, ids=asked))["products"]

    ids = [str(goods[2]), str(goods[0])]
    assert page == {
        "totalCount": 2,
        "nodes": [{"id": each} for each in ids],
        "edges": [{"node": {"id": each}} for each in ids],
    }


async def test_more_than_a_hundred_ids_are_refused_and_others_cost_what_they_are(shop: Shop) -> None:
    client = shop.clients["visitor"]

    async def asked(query: str, **variables: object) -> Any:
        return (await client.post("/graphql", json={"query": query, "variables": variables})).json()

    refused = await asked(PRODUCTS, ids=[str(uuid4())] * 101)
    with_filter = await asked('{ products(ids: [], filter: { kind: "jeans" }) { totalCount } }')
    nodes = "query ($ids: [ID!]) { products(ids: $ids) { nodes { id } } }"
    costs = [(await asked(nodes, ids=[str(uuid4())] * number))["extensions"]["cost"]["requested"] for number in (2, 60)]

    assert refused["errors"][0]["extensions"] == {
        "code": "BAD_USER_INPUT",
        "fields": {"ids": "are at most 100, not 101"},
    }
    assert with_filter["errors"][0]["extensions"]["fields"] == {"ids": "are given without filter and after"}
    assert costs == [3, 61]


async def test_a_fragment_on_an_interface_reads_the_shoppers_and_the_back_offices_object_alike(shop: Shop) -> None:
    product, order = str(shop.people.product), str(shop.people.others_order)
    fragments = """
    fragment P on BaseProduct { id name price category { key } isRetired details { label } measurements { point } }
    fragment O on BaseOrder { id number totalAmount isCanceled invoiceUrl timeline { kind } shipments { carrier } }
    """
    query = "query ($product: ID!, $order: ID!) { admin { product(id: $product) { ...P } order(id: $order) { ...O } } }"
    own = "query ($product: ID!, $order: ID!) { product(id: $product) { ...P } viewer { order(id: $order) { ...O } } }"

    office = (await ask(shop, "admin", query + fragments, product=product, order=order))["admin"]
    shopper = await ask(shop, "other", own + fragments, product=product, order=order)

    assert office == {"product": shopper["product"], "order": shopper["viewer"]["order"]}
    assert (office["product"]["id"], office["order"]["id"]) == (product, order)
