"""The name that the owner gives the shop, wherever the shop says it."""

import re
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.mail import service as mail
from server.mail.messages import Welcome
from server.mail.models import Mail
from server.platform.core.db import Sessions, begin
from tests.catalog.goods import put_on_offer
from tests.catalog.storefront import Storefront
from tests.pages.screens import screens

NAME = "Solvej & <Søn>"
WELCOME = Welcome("/verify-email?token=t")
ESCAPED = "Solvej &amp; &lt;Søn&gt;"
OF_THE_BUILD = re.compile(r"[Mm]inimal\.test|%SHOP_NAME%")
RENAME = "mutation ($name: String) { updateSettings(input: { name: $name }) { ... on ShopSettings { name } } }"


async def rename(storefront: Storefront, name: str | None) -> Any:
    sent = {"query": RENAME, "variables": {"name": name}}
    answer = (await storefront.primary.post("/graphql", json=sent)).json()
    return answer["data"]["updateSettings"]["name"]


async def test_every_screen_says_the_name_and_none_an_older_one(
    storefront: Storefront, session: AsyncSession, subtests: pytest.Subtests
) -> None:
    product = await put_on_offer(session)
    places = [*screens(), f"/product/{product}", "/graphiql", "/unsubscribe?token=x", "/nowhere", "/feed.xml"]
    before = {place: (await storefront.visitor.get(place)).text for place in places}

    assert await rename(storefront, NAME) == NAME

    for place in places:
        with subtests.test(place):
            page = OF_THE_BUILD.sub("", (await storefront.visitor.get(place)).text)
            assert "Minimal" in before[place]
            assert ESCAPED in page
            assert NAME not in re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
            assert "Minimal" not in page


async def test_search_engines_and_forms_are_told_the_name(storefront: Storefront, session: AsyncSession) -> None:
    product = await put_on_offer(session)
    await rename(storefront, NAME)

    home = (await storefront.visitor.get("/")).text
    page = (await storefront.visitor.get(f"/product/{product}")).text
    shop = (await storefront.visitor.post("/graphql", json={"query": "{ shop { name } }"})).json()["data"]

    assert f"<title>{ESCAPED}</title>" in home
    assert f"<title>Oxford Shirt - {ESCAPED}</title>" in page
    assert f'<meta property="og:site_name" content="{ESCAPED}">' in page
    assert r'"brand":{"@type":"Brand","name":"Solvej & \u003cSøn>"}' in page
    assert r'"@type":"Organization","name":"Solvej & \u003cSøn>"' in home
    assert shop == {"shop": {"name": NAME}}


async def test_mails_have_the_name_of_the_moment(storefront: Storefront, sessions: Sessions) -> None:
    await rename(storefront, NAME)

    async with begin(sessions) as session:
        await mail.enqueue(session, WELCOME, key="welcome", to="a@shop.test", shop_url="https://shop.test")
        sent = (await session.scalars(select(Mail))).one()

    assert sent.subject == f"Welcome to {NAME}"
    assert f"--\n{NAME}\n" in sent.text_body
    assert sent.html_body.count(ESCAPED) > 1
    assert "Minimal" not in sent.text_body + sent.html_body
