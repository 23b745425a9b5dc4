"""An account's own pages are server-rendered, and never cached."""

import asyncio
import json
import re
from pathlib import Path

import httpx
import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from server.pages.addresses import MAILED
from tests.catalog.goods import put_on_offer
from tests.catalog.storefront import PORT, Storefront
from tests.pages.drawn_pages import HOSTILE, failures, outline


async def cart_of(client: httpx.AsyncClient) -> httpx.Response:
    client.cookies.set(f"signedIn-{PORT}", "4102444800000")
    return await client.get("/cart")


async def test_the_cart_is_drawn_for_whose_it_is_and_kept_nowhere(
    storefront: Storefront, session: AsyncSession
) -> None:
    line = {"productId": str(await put_on_offer(session, HOSTILE, pictures=1)), "quantity": 1, "price": 0}
    assert (await storefront.shopper.post("/api/cart", json=line)).is_success

    response = await cart_of(storefront.shopper)
    others = await cart_of(storefront.admin)
    front = await storefront.visitor.get("/")

    page = outline(response)
    assert response.headers["cache-control"] == "private, no-store"
    assert HOSTILE in page.words
    assert page.all("a", href="/checkout")
    assert page.all("script", type="module") == []
    answers, owner = [json.loads(script) for script in page.scripts if script.startswith(("[", '{"id"'))]
    assert {answer["operation"] for answer in answers} == {"Cart", "CartCount", "Profile"}
    assert (owner["name"], owner["email"], owner["role"]) == ("Ada Lovelace", "shopper@shop.test", "user")
    assert "Your cart is empty" in others.text
    assert "Ada Lovelace" not in others.text + front.text
    assert failures(storefront) == 0


async def test_the_cart_of_a_browser_that_has_signed_out_is_not_drawn(storefront: Storefront) -> None:
    response = await storefront.shopper.get("/cart")

    assert '<div id="root"></div>' in response.text
    assert "Ada Lovelace" not in response.text


@pytest.mark.parametrize("path", ["/reset-password", "/verify-email", "/unsubscribe"])
async def test_a_mailed_token_is_in_no_referer(storefront: Storefront, path: str) -> None:
    for client in (storefront.visitor, storefront.shopper):
        response = await client.get(f"{path}?token=secret")

        assert response.headers["referrer-policy"] == "no-referrer"
        assert "secret" not in response.text.replace('value="secret"', "")


def test_links_in_mails_lead_to_screens_without_a_referer() -> None:
    """Every path with a token that the server puts into a mail."""
    source = "".join(file.read_text() for file in Path("server").rglob("*.py"))
    paths = set(re.findall(r'"(/[a-z-]+)\?token=', source))

    assert paths == {"/reset-password", "/verify-email", "/unsubscribe"}
    assert {path for path in paths if MAILED.fullmatch(path)} == paths - {"/unsubscribe"}


async def test_pages_for_everybody_are_drawn_before_somebodys_own(storefront: Storefront) -> None:
    renderer = storefront.app.state.shop.pages.views.renderer
    async with renderer._turns.turn(is_endless=False):
        first = asyncio.create_task(storefront.visitor.get("/about"))
        async with asyncio.timeout(30):
            while renderer.idle:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        own = await cart_of(storefront.shopper)

    assert '<div id="root"></div>' in own.text
    assert '<main id="content"' in (await first).text
    assert '<main id="content"' in (await cart_of(storefront.shopper)).text
