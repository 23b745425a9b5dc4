"""Sign-in, sign-up and the request for a reset link are rendered for visitors, with their query."""

import json
import re

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from tests.catalog.goods import put_on_offer
from tests.catalog.storefront import PORT, Storefront
from tests.pages.drawn_pages import HOSTILE, Outline, failures, outline

FORMS = {"/signin": "Sign In", "/signup": "Sign Up", "/forgot-password": "Forgot Password"}


@pytest.mark.parametrize("address", FORMS)
async def test_form_is_rendered_and_for_no_search_engine_or_cache(storefront: Storefront, address: str) -> None:
    response = await storefront.visitor.get(address)

    page = outline(response)
    [heading] = re.findall("<h1>(.*?)</h1>", response.text)
    assert (response.status_code, heading) == (200, FORMS[address])
    assert f"<title>{heading} - Minimal</title>" in response.text
    assert page.all("input", name="email")
    assert page.all("meta", name="robots", content="noindex")
    assert page.all("link", rel="canonical") == []
    # The service worker stores what is public.
    assert response.headers["cache-control"] == "private, no-cache"
    assert failures(storefront) == 0


@pytest.mark.spec("screens.paths.query")
@pytest.mark.parametrize(
    "query", ["redirect=%2Fproduct%2F1&action=addToCart&utm_source=a+b", "utm=&x=%C3%A9~%2A&action=addToCart&x=2"]
)
async def test_form_carries_the_whole_query_in_its_order(storefront: Storefront, query: str) -> None:
    for address, other in (("/signin", "/signup"), ("/signup", "/signin")):
        page = outline(await storefront.visitor.get(f"{address}?{query}"))

        assert page.all("a", href=f"{other}?{query.replace('~', '%7E').replace('%2A', '*')}")


async def test_form_names_the_product_that_was_chosen(storefront: Storefront, session: AsyncSession) -> None:
    product = await put_on_offer(session, pictures=1)
    variant = await session.scalar(text("SELECT id FROM variants WHERE size = 'M'"))
    chosen = {"redirect": f"/product/{product}", "action": "addToCart", "variant": str(variant), "quantity": "2"}

    page = outline(await storefront.visitor.get("/signin", params=chosen))

    assert "Please Signin to Continue" in page.words
    assert "The Oxford Shirt in M is kept for you." in page.words
    assert operations(page) == [("AuthPage", {"productId": str(product), "hasProduct": True})]


@pytest.mark.parametrize(
    "redirect", ["//evil.test/product/1", "https://evil.test/product/1", "/product/1/..//evil.test", "/product/\\evil"]
)
async def test_form_asks_for_no_product_at_a_foreign_redirect(storefront: Storefront, redirect: str) -> None:
    page = outline(await storefront.visitor.get("/signin", params={"redirect": redirect, "action": "addToCart"}))

    assert operations(page) == [("AuthPage", {"productId": "", "hasProduct": False})]
    assert [each for each in page.all("a") if "evil" in (each["href"] or "").partition("?")[0]] == []


@pytest.mark.parametrize("name", ["redirect", "variant", HOSTILE])
async def test_query_of_a_form_adds_no_element(storefront: Storefront, name: str) -> None:
    chosen = {"redirect": "/product/1", "action": "addToCart", name: "/product/2"}

    harmless, hostile = [
        outline(await storefront.visitor.get("/signin", params=chosen | {name: value}))
        for value in ("/product/2", f"/product/{HOSTILE}")
    ]

    assert harmless.all("input", name="password")
    assert [tag for tag, _ in hostile.elements] == [tag for tag, _ in harmless.elements]
    assert [script for script in hostile.scripts if script.startswith("alert")] == []


async def test_account_is_led_away_or_gets_the_form_of_everybody(storefront: Storefront) -> None:
    forms = [await client.get("/forgot-password") for client in (storefront.visitor, storefront.shopper)]
    led = [await storefront.shopper.get(f"{path}?redirect=/cart") for path in ("/signin", "/signup")]

    assert outline(forms[0]).all("input", name="email")
    assert forms[0].text == forms[1].text
    assert {(each.status_code, each.headers["location"]) for each in led} == {(303, "/")}


async def test_no_rendered_form_without_an_address_sends_its_fields_in_one(
    storefront: Storefront, session: AsyncSession
) -> None:
    """A browser without the script sends a form by GET unless it says POST."""
    product = await put_on_offer(session)
    own = {"productId": str(product), "quantity": 1, "price": 0}
    assert (await storefront.shopper.post("/api/cart", json=own)).is_success
    storefront.shopper.cookies.set(f"signedIn-{PORT}", "4102444800000")
    pages = [await storefront.visitor.get(address) for address in (*FORMS, "/", "/category/men", f"/product/{product}")]
    pages.append(await storefront.shopper.get("/cart"))

    forms = [form for page in pages for form in outline(page).all("form")]

    assert len([form for form in forms if form.get("method") == "post"]) == len(FORMS) + 1
    assert [form for form in forms if not {"action", "method"} & form.keys()] == []


def operations(page: Outline) -> list[tuple[str, dict[str, object]]]:
    """What the page brings along, with its variables."""
    [state] = [script for script in page.scripts if script.startswith("[")]
    return [(answer["operation"], answer["variables"]) for answer in json.loads(state)]
