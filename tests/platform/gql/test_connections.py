"""Lists page by page, as every list of the database is cut."""

from typing import Any

import pytest

from tests.api.asking import ask
from tests.api.conftest import Shop
from tests.statements import counted_statements

PAGE = """
query ($first: Int!, $after: String) {
  admin { users(first: $first, after: $after) {
    nodes { email } edges { cursor node { email } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  } }
}
"""
NEWEST_FIRST = ["owner@shop.test", "admin@shop.test", "other@shop.test", "shopper@shop.test"]
COUNT = "{ admin { users { ...Page } } } fragment Page on UserConnection { totalCount }"


async def page(shop: Shop, first: int, after: str | None) -> dict[str, Any]:
    connection: dict[str, Any] = (await ask(shop, "admin", PAGE, first=first, after=after))["admin"]["users"]
    return connection


@pytest.mark.parametrize("first", [1, 3, 4, 100])
async def test_the_pages_of_a_list_are_the_list(shop: Shop, first: int) -> None:
    pages = [await page(shop, first, None)]
    while pages[-1]["pageInfo"]["hasNextPage"]:
        pages.append(await page(shop, first, pages[-1]["pageInfo"]["endCursor"]))

    emails = [[node["email"] for node in each["nodes"]] for each in pages]
    assert emails == [NEWEST_FIRST[at : at + first] for at in range(0, 4, first)]
    for each in pages:
        cursors = [edge["cursor"] for edge in each["edges"]]
        assert [edge["node"] for edge in each["edges"]] == each["nodes"]
        assert (each["pageInfo"]["startCursor"], each["pageInfo"]["endCursor"]) == (cursors[0], cursors[-1])
        assert each["pageInfo"]["hasPreviousPage"] is (each is not pages[0])


async def test_behind_the_last_is_an_empty_page(shop: Shop) -> None:
    last = (await page(shop, 100, None))["pageInfo"]["endCursor"]

    behind = await page(shop, 2, last)

    assert (behind["nodes"], behind["edges"]) == ([], [])
    assert behind["pageInfo"] == {
        "hasNextPage": False,
        "hasPreviousPage": True,
        "startCursor": None,
        "endCursor": None,
    }


async def test_a_list_is_counted_only_when_its_count_is_asked_for(shop: Shop) -> None:
    with counted_statements("count(*) AS count_1 \nFROM users") as plain:
        await page(shop, 2, None)
    with counted_statements("count(*) AS count_1 \nFROM users") as counted:
        answer = await ask(shop, "admin", COUNT)

    assert answer == {"admin": {"users": {"totalCount": 4}}}
    assert (len(plain), len(counted)) == (0, 1)


@pytest.mark.parametrize("first", [0, -1, 101])
async def test_a_page_is_of_1_to_100(shop: Shop, first: int) -> None:
    response = await shop.clients["admin"].post(
        "/graphql", json={"query": PAGE, "variables": {"first": first, "after": None}}
    )

    [error] = response.json()["errors"]
    assert error["extensions"] == {
        "code": "BAD_USER_INPUT",
        "fields": {"first": f"`first` is 1 to 100, not {first}."},
    }
