"""Sizes of two axes and of several markets, on a phone and by keyboard."""

from collections.abc import AsyncIterator
from json import dumps
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.browsing import new_context, open_at, run_sql
from tests.e2e.conftest import PHONE, copy_of
from tests.e2e.purchases import PAYS, add_address, new_email, pay, sign_up, to_payment
from tests.e2e.test_keyboard import choose_by_keys, has_focus, tab_to
from tests.e2e.whole_shop import WholeShop

SYSTEM = """
INSERT INTO size_systems (key, name, market, axes, sizes) 
VALUES ('{key}', '{key}', '{market}', '{axes}', '{{{sizes}}}');
UPDATE categories SET size_system = '{key}' WHERE key = '{category}';
UPDATE variants SET stock = 3, size = ('{{{made}}}'::text[])[array_position('{{S,M,L}}'::text[], variants.size)]
FROM products WHERE products.id = product_id AND products.category = '{category}' AND size IN ('S', 'M', 'L');
UPDATE variants SET retired_at = now()
FROM products WHERE products.id = product_id AND products.category = '{category}' AND size IN ('XS', 'XL', 'XXL')
"""
"""What was S, M and L is made in the sizes `made`."""


def axis(name: str, **labels: list[list[str]]) -> dict[str, Any]:
    return {"name": name, "values": [{"name": size.strip("_"), "labels": own} for size, own in labels.items()]}


TROUSERS = {
    "key": "jeans",
    "market": "",
    "axes": dumps([axis("Waist", W28=[], W30=[]), axis("Length", L30=[], L32=[])]),
    "sizes": "W28 L30,W28 L32,W30 L30,W30 L32",
    "made": "W28 L30,W28 L32,W30 L32",
    "category": "women_trousers",
}
SHOES = {
    "key": "shoes",
    "market": "EU",
    "axes": dumps([axis("Size", _37=[["UK", "4"]], _38=[["UK", "5"], ["US", "7.5"]], _39=[["UK", "6"]])]),
    "sizes": "37,38,39",
    "made": "37,38,39",
    "category": "men_shirts",
}


@pytest.fixture(scope="module")
async def sized(demo: Path) -> AsyncIterator[WholeShop]:
    """A shop of its own: what the others sell keeps its letters."""
    with copy_of(demo) as shop:
        for each in (TROUSERS, SHOES):
            await run_sql(shop, SYSTEM.format(**each))
        yield shop


@pytest.fixture
async def phone(browser: Browser, sized: WholeShop) -> AsyncIterator[Page]:
    context = await new_context(browser, sized, viewport=PHONE, is_mobile=True, has_touch=True)
    yield await context.new_page()
    await context.close()


async def first_in(page: Page, category: str) -> str:
    await open_at(page, category)
    link = page.get_by_role("article").first.get_by_role("heading").get_by_role("link")
    return str(await link.get_attribute("href"))


async def test_w30_l32_is_bought_on_a_phone_by_keyboard(phone: Page, sized: WholeShop) -> None:
    await open_at(phone, "/signup")
    email = new_email()
    await sign_up(phone, email)
    await phone.wait_for_url(f"{sized.url}/")
    await open_at(phone, await first_in(phone, "/category/women/trousers"))
    await expect(phone.get_by_role("radiogroup", name="Waist")).to_be_visible()

    await choose_by_keys(phone, "Waist", "W30")
    await expect(phone.get_by_role("radio", name="L30, not with W30")).to_be_attached()
    await tab_to(phone, "^radio (L30|L32)")
    await phone.keyboard.press("ArrowRight")
    await has_focus(phone, "radio L32", whole=False)
    await expect(phone.get_by_role("radio", name="W30", exact=True)).to_be_checked()
    await expect(phone.locator("main").get_by_text("W30 L32").first).to_be_visible()
    await tab_to(phone, "^button Add to Cart")
    await phone.keyboard.press("Enter")
    await expect(phone.get_by_role("link", name="Cart 1 item")).to_be_attached()

    await open_at(phone, "/cart")
    await expect(phone.get_by_text("W30 L32").first).to_be_visible()
    await open_at(phone, "/checkout")
    await add_address(phone)
    form = await to_payment(phone)
    await pay(form, PAYS)
    await expect(phone.get_by_text("Payment Successful!")).to_be_visible()
    [order] = await (await phone.request.get("/api/orders")).json()
    assert [line["size"] for line in order["products"]] == ["W30 L32"]


async def test_shoes_show_their_names_in_other_markets_and_are_filtered(phone: Page) -> None:
    await open_at(phone, await first_in(phone, "/category/men/shirts"))

    sizes = phone.get_by_role("radiogroup", name="Size")
    await expect(sizes.get_by_text("EU 38")).to_be_visible()
    await expect(sizes.get_by_text("UK 5")).to_be_visible()
    await expect(sizes.get_by_text("US 7.5")).to_be_visible()
    await open_at(phone, "/category/men/shirts?size=shoes:38")
    await expect(phone.get_by_role("article").first).to_be_visible()
    await expect(phone.get_by_role("button", name="Size 38")).to_be_visible()
