"""The owner's color of buttons, in a stylesheet that only a shop with one has."""

import re
from typing import Any

from tests.catalog.storefront import Storefront

LINK = re.compile(r'<link rel="stylesheet" href="(/theme\.css\?v=\w+)">')
CHANGE = """mutation ($color: String) {
    updateSettings(input: { accentColor: $color }) {
        ... on ShopSettings { accentColor }
        ... on InvalidInput { errors { message } }
    }
}"""


async def choose(storefront: Storefront, color: str | None) -> Any:
    sent = {"query": CHANGE, "variables": {"color": color}}
    return (await storefront.primary.post("/graphql", json=sent)).json()["data"]["updateSettings"]


async def test_pages_load_the_owners_color(storefront: Storefront) -> None:
    for place in ("/", "/admin", "/nowhere"):
        assert not LINK.search((await storefront.visitor.get(place)).text)

    assert await choose(storefront, "#2f4e7d") == {"accentColor": "#2f4e7d"}

    addresses = {LINK.findall((await storefront.visitor.get(place)).text)[0] for place in ("/", "/admin", "/nowhere")}
    [address] = addresses
    css = await storefront.visitor.get(address)
    assert css.headers["content-type"].startswith("text/css")
    assert css.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert css.text == (":root{--accent:light-dark(#2f4e7d,#48638d);--on-accent:light-dark(#ffffff,#ffffff)}")


async def test_an_older_address_is_not_cached_and_without_a_color_there_is_none(storefront: Storefront) -> None:
    await choose(storefront, "#2f4e7d")
    older = await storefront.visitor.get("/theme.css?v=0123456789ab")
    await choose(storefront, None)
    without = await storefront.visitor.get("/theme.css?v=0123456789ab")

    assert (older.status_code, older.headers["cache-control"]) == (200, "no-cache")
    assert (without.status_code, without.text, without.headers["cache-control"]) == (200, "", "no-cache")
    assert not LINK.search((await storefront.visitor.get("/")).text)


async def test_a_color_that_does_not_stand_out_is_refused(storefront: Storefront) -> None:
    refused = await choose(storefront, "#ffee88")

    assert "3 to 1 is needed" in str(refused)
