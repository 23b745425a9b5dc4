"""A shopper's whole path in a real browser, against the stand-ins' real HTTP."""

import asyncio
import re

import pytest
from playwright.async_api import Page, expect

from tests.e2e.browsing import hold_back
from tests.e2e.purchases import (
    DECLINED,
    PAYS,
    Piece,
    add_address,
    choose,
    new_email,
    pay,
    sign_up,
    signed_up_with_cart,
    to_payment,
)
from tests.e2e.whole_shop import WholeShop


async def confirmations(shop: WholeShop, email: str) -> list[str]:
    """Message-IDs of the order confirmations that arrived, after a moment for stragglers."""
    mails: list[str] = []
    for _ in range(160):
        mails = [mail["message_id"] for mail in shop.mails(email) if "order" in mail["subject"].lower()]
        if mails:
            break
        await asyncio.sleep(0.25)
    await asyncio.sleep(1)
    return [mail["message_id"] for mail in shop.mails(email) if "order" in mail["subject"].lower()] or mails


async def orders_of(page: Page) -> list[dict[str, object]]:
    answer = await page.request.get("/api/orders")
    orders: list[dict[str, object]] = await answer.json()
    return orders


async def test_nothing_moves_when_it_is_known_what_a_cart_comes_to(page: Page, piece: Piece) -> None:
    await signed_up_with_cart(page, piece, new_email())
    may_be_known = await hold_back(page, "**/graphql", "CheckoutQuote")
    await page.goto("/checkout")
    await add_address(page, "New Zealand")
    way_on = page.get_by_role("button", name=re.compile("Calculating|Proceed to Payment"))
    await expect(way_on).to_have_text(re.compile("Calculating"))
    before = await way_on.bounding_box()
    may_be_known.set()
    await expect(way_on).to_have_text("Proceed to Payment")

    assert await way_on.bounding_box() == before


async def test_nothing_moves_when_the_piece_that_is_kept_for_a_visitor_is_named(page: Page, piece: Piece) -> None:
    await choose(page, piece)
    may_be_named = await hold_back(page, "**/graphql", "AuthPage")
    await page.get_by_role("button", name=re.compile("^Add to Cart")).first.click()
    sign_up_link = page.get_by_role("link", name="Sign up")
    await expect(sign_up_link).to_be_visible()
    before = await sign_up_link.bounding_box()
    may_be_named.set()
    await expect(page.get_by_text(f"The {piece.name} in {piece.size} is kept for you.")).to_be_visible()

    assert await sign_up_link.bounding_box() == before


@pytest.mark.spec(
    "screens.header.cart",
    "screens.payment.words",
    "screens.return.paid",
    "screens.return.ways",
    "states.cart.header",
    "states.checkout.path",
)
@pytest.mark.smoke
async def test_a_visitor_signs_up_on_the_way_and_buys(page: Page, shop: WholeShop, piece: Piece) -> None:
    email = new_email()
    await choose(page, piece)
    await page.get_by_role("button", name=re.compile("^Add to Cart")).first.click()
    await page.wait_for_url(f"**/signin?redirect=*{piece.product_id}*action=addToCart*")
    await page.get_by_role("link", name="Sign up").click()
    await sign_up(page, email)
    await page.wait_for_url(f"**/product/{piece.product_id}*")
    await expect(page.get_by_role("link", name=re.compile("^Cart")).first).to_contain_text("1")

    form = await to_payment(page, has_address=False)
    await pay(form, PAYS)

    await expect(page.get_by_role("heading", name="Payment Successful!")).to_be_visible()
    await expect(page.get_by_text("Your order has been confirmed.")).to_be_visible()
    await page.get_by_role("link", name="View Orders").click()
    order = page.get_by_role("article")
    await expect(order).to_have_count(1)
    for words in (piece.name, f"{piece.color}, {piece.size}", f"${piece.price}", "12 St James's Square", "Paid"):
        await expect(order).to_contain_text(words)
    assert len(await confirmations(shop, email)) == 1
    await page.goto("/cart")
    await expect(page.get_by_text("Your cart is empty")).to_be_visible()


async def test_sums_of_a_cart_stand_beside_its_lines_in_a_wide_window(page: Page, piece: Piece) -> None:
    await signed_up_with_cart(page, piece, new_email())
    await page.set_viewport_size({"width": 1440, "height": 900})
    await page.goto("/cart")

    lines = await page.locator("main li").first.bounding_box()
    sums = await page.get_by_role("complementary", name="Order Summary").bounding_box()

    assert lines is not None
    assert sums is not None
    assert lines["x"] + lines["width"] < sums["x"]
    assert abs(lines["y"] - sums["y"]) < 40


@pytest.mark.smoke
async def test_a_phone_can_buy_too(phone: Page, shop: WholeShop, piece: Piece) -> None:
    email = new_email()
    await signed_up_with_cart(phone, piece, email)

    form = await to_payment(phone)
    await pay(form, PAYS)

    await expect(phone.get_by_role("heading", name="Payment Successful!")).to_be_visible()
    assert len(await orders_of(phone)) == 1


@pytest.mark.smoke
@pytest.mark.console_error("402")
async def test_a_declined_card_makes_no_order_and_another_card_may_follow(
    page: Page, shop: WholeShop, piece: Piece
) -> None:
    email = new_email()
    await signed_up_with_cart(page, piece, email)
    form = await to_payment(page)

    await pay(form, DECLINED)
    await expect(form.get_by_role("alert")).to_contain_text("Your card was declined.")
    assert await orders_of(page) == []
    await pay(form, PAYS)

    await expect(page.get_by_role("heading", name="Payment Successful!")).to_be_visible()
    assert len(await orders_of(page)) == 1


@pytest.mark.smoke
async def test_the_webhook_alone_makes_the_order(page: Page, shop: WholeShop, piece: Piece) -> None:
    email = new_email()
    await signed_up_with_cart(page, piece, email)
    await (await to_payment(page)).get_by_label("Card number").wait_for()
    [session] = [each for each in shop.ledger()["sessions"] if each["status"] == "open" and is_of(each, email)]

    await page.goto("/")
    shop.tell(f"sessions/{session['id']}/pay", card=PAYS)

    assert len(await confirmations(shop, email)) == 1
    assert [order["paymentStatus"] for order in await orders_of(page)] == ["paid"]


async def test_webhooks_and_return_page_together_make_one_order(page: Page, shop: WholeShop, piece: Piece) -> None:
    email = new_email()
    await signed_up_with_cart(page, piece, email)
    shop.tell("webhooks", duplicate=3, shuffle=True)
    try:
        await pay(await to_payment(page), PAYS)
        await expect(page.get_by_role("heading", name="Payment Successful!")).to_be_visible()
        await page.reload()
        await expect(page.get_by_role("heading", name="Payment Successful!")).to_be_visible()
        sent = await confirmations(shop, email)
    finally:
        shop.tell("webhooks")

    assert len(sent) == 1
    assert len(await orders_of(page)) == 1


def is_of(session: dict[str, object], email: str) -> bool:
    return email in (session.get("customer_email"), (session.get("customer_details") or {}).get("email"))  # type: ignore[attr-defined]
