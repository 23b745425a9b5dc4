"""The back office's orders in a real browser: payment, shipments, refunds by line, returns."""

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.accounts import mail_about
from tests.e2e.browsing import JSON, new_context, signed_in, signed_up
from tests.e2e.conftest import DESKTOP
from tests.e2e.purchases import PAYS, Piece, address_saved, new_email
from tests.e2e.whole_shop import WholeShop
from tests.orders import pdf
from tests.payments.checkout_documents import ADD, COMPLETE, START


@pytest.fixture
async def desk(browser: Browser, shop: WholeShop) -> AsyncIterator[Page]:
    """An admin's own browser, on the orders screen."""
    context = await new_context(browser, shop, viewport=DESKTOP)
    page = await context.new_page()
    await signed_in(page, "admin@minimal.test")
    await page.goto("/admin/orders")
    await expect(page.get_by_role("table", name="Orders")).to_be_visible()
    yield page
    await context.close()


VARIANTS = "query ($id: ID!) { product(id: $id) { variants { id size stock color { name } } } }"


async def buy_two(page: Page, shop: WholeShop, piece: Piece, email: str) -> None:
    """Two pieces, paid by somebody new who calls the shop as its screens do."""
    await signed_up(page, email)
    await address_saved(page)
    added = await ask(page, ADD, variant=(await variant_of(page, piece))["id"], quantity=2)
    assert added["addToCart"]["__typename"] == "Cart"
    session = (await ask(page, START))["startCheckout"]["sessionId"]
    await asyncio.to_thread(shop.tell, f"sessions/{session}/pay", card=PAYS)
    done = await ask(page, COMPLETE, session=session)
    assert done["completeCheckout"]["__typename"] == "CheckoutCompleted"


async def ask(page: Page, query: str, **variables: object) -> dict[str, Any]:
    answer = await page.request.post("/graphql", data={"query": query, "variables": variables}, headers=JSON)
    data: dict[str, Any] = (await answer.json())["data"]
    return data


async def variant_of(page: Page, piece: Piece) -> dict[str, Any]:
    answer = await ask(page, VARIANTS, id=piece.product_id)
    [variant] = [
        variant
        for variant in answer["product"]["variants"]
        if (variant["size"], variant["color"]["name"]) == (piece.size, piece.color)
    ]
    return dict(variant)


async def left_in_stock(desk: Page, piece: Piece) -> int:
    return int((await variant_of(desk, piece))["stock"])


@pytest.mark.smoke
async def test_an_order_from_payment_to_return(desk: Page, page: Page, shop: WholeShop, piece: Piece) -> None:
    email = new_email()
    before = await left_in_stock(desk, piece)
    await buy_two(page, shop, piece, email)

    # It is announced without a reload.
    await expect(desk.get_by_text(re.compile(r"^\d+ new orders?\."))).to_be_visible()
    await desk.get_by_role("button", name="Show", exact=True).click()
    await desk.get_by_label("Find by number, e-mail or name").fill(email)
    row = desk.get_by_role("row").filter(has_text=email)
    await expect(row).to_contain_text("Not sent")
    await expect(desk).to_have_url(re.compile(r"q="))
    await row.get_by_role("link").click()

    # One piece of two is sent.
    await desk.get_by_role("button", name="Send", exact=True).click()
    dialog = desk.get_by_role("dialog")
    await dialog.get_by_role("button", name="One less").click()
    await dialog.get_by_label("Carrier").fill("UPS")
    await dialog.get_by_label("Tracking number (optional)").fill("1Z999")
    await dialog.get_by_role("button", name="Send", exact=True).click()
    await expect(desk.get_by_text("Partly sent")).to_be_visible()
    mail = await mail_about(shop, email, "https://www.ups.com/track?tracknum=1Z999")
    assert "1 x " in mail

    # The other is paid back and, since it was not sent, goes on the shelf.
    await desk.get_by_role("button", name="Refund", exact=True).click()
    dialog = desk.get_by_role("dialog")
    await dialog.get_by_role("button", name="One more").click()
    await expect(dialog.get_by_role("checkbox", name="Put back on the shelf")).to_be_checked()
    await expect(dialog.get_by_text("goes back to the card")).to_be_visible()
    await dialog.get_by_role("button", name="Refund", exact=True).click()
    await expect(desk.get_by_text(re.compile("paid back")).first).to_be_visible()
    await expect(desk.get_by_text("1 sent, 1 called off, 1 refunded")).to_be_visible()
    assert await left_in_stock(desk, piece) == before - 1
    await mail_about(shop, email, "The shop has paid back part of your order.")

    # It arrives; its buyer follows it and asks for a return.
    await desk.get_by_role("button", name="Mark as delivered").click()
    await expect(desk.get_by_text("Delivered", exact=True).first).to_be_visible()
    await page.goto("/account?tab=orders")
    card = page.get_by_role("article")
    await expect(card.get_by_role("link", name="1Z999")).to_have_attribute("href", re.compile("ups.com"))
    await expect(card).to_contain_text("Delivered")
    await card.get_by_role("button", name="Ask for a return").click()
    asking = page.get_by_role("dialog")
    await asking.get_by_label(re.compile("Reason")).fill("Too small.")
    await asking.get_by_role("button", name="Ask for a return").click()
    await expect(card).to_contain_text("Return asked for")

    # The shop accepts, receives and pays.
    await desk.reload()
    await desk.get_by_role("button", name="Accept", exact=True).click()
    await desk.get_by_role("dialog").get_by_label("Words to the buyer (optional)").fill("Thank you for telling us.")
    await desk.get_by_role("dialog").get_by_role("button", name="Accept", exact=True).click()
    await expect(desk.get_by_text("Waits for the parcel")).to_be_visible()
    await mail_about(shop, email, "Thank you for telling us.")
    await desk.get_by_role("button", name="Receive", exact=True).click()
    await desk.get_by_role("dialog").get_by_role("button", name="Receive", exact=True).click()
    await expect(desk.get_by_text("1 came, 1 back on the shelf")).to_be_visible()
    assert await left_in_stock(desk, piece) == before
    refund = desk.get_by_role("listitem").filter(has_text="came").get_by_role("button", name="Refund", exact=True)
    await refund.click()
    dialog = desk.get_by_role("dialog")
    await dialog.get_by_text(re.compile("^Delivery")).click()
    await expect(dialog.get_by_text("goes back to the card")).to_be_visible()
    await dialog.get_by_role("button", name="Refund", exact=True).click()
    await mail_about(shop, email, "What you sent back has arrived.")
    await page.reload()
    await expect(card).to_contain_text("Return received")
    session = next(each for each in shop.ledger()["sessions"] if each.get("customer_email") == email)
    paid = sum(
        each["amount"] for each in shop.ledger()["refunds"] if each["payment_intent"] == session["payment_intent"]
    )
    assert paid == session["amount_total"]


async def test_two_admins_refund_the_same_order_and_pay_once(
    browser: Browser, desk: Page, page: Page, shop: WholeShop, piece: Piece
) -> None:
    email = new_email()
    await buy_two(page, shop, piece, email)
    await desk.goto(f"/admin/orders?q={email}")
    await desk.get_by_role("row").filter(has_text=email).get_by_role("link").click()
    await desk.get_by_role("button", name="Refund", exact=True).wait_for()
    context = await new_context(browser, shop, viewport=DESKTOP, storage_state=await desk.context.storage_state())
    other = await context.new_page()
    await other.goto(desk.url)
    for admin in (desk, other):
        await admin.get_by_role("button", name="Refund", exact=True).click()
        await admin.get_by_role("button", name="Choose everything").click()
        await expect(admin.get_by_text("goes back to the card")).to_be_visible()

    await asyncio.gather(
        *(
            admin.get_by_role("dialog").get_by_role("button", name="Refund", exact=True).click()
            for admin in (desk, other)
        )
    )
    refused = [admin.get_by_role("dialog").get_by_role("alert") for admin in (desk, other)]
    await expect(refused[0].or_(desk.get_by_text(re.compile("paid back|on its way")).first)).to_be_visible()
    await expect(refused[1].or_(other.get_by_text(re.compile("paid back|on its way")).first)).to_be_visible()

    assert sorted([await alert.count() for alert in refused]) == [0, 1]
    late = desk if await refused[0].count() else other
    await expect(late.get_by_role("list", name="Changed meanwhile")).to_contain_text(
        re.compile(r"A refund of \$\d+\.\d\d was requested by admin@minimal\.test\.")
    )
    await late.get_by_role("button", name="Look at the order again").click()
    await expect(late.get_by_role("dialog")).to_have_count(0)
    await expect(late.get_by_text(re.compile("called off")).first).to_be_visible()
    await mail_about(shop, email, "The shop has paid back part of your order.")
    session = next(each for each in shop.ledger()["sessions"] if each.get("customer_email") == email)
    amounts = [
        each["amount"] for each in shop.ledger()["refunds"] if each["payment_intent"] == session["payment_intent"]
    ]
    assert amounts == [session["amount_total"]]
    await context.close()


async def document(desk: Page, name: str) -> str:
    """What the PDF behind a link of the order's page says."""
    answer = await desk.request.get(await desk.get_by_role("link", name=name).get_attribute("href") or "")
    return " ".join(pdf.pages(await answer.body()))


async def test_notes_slip_and_cancellation(desk: Page, page: Page, shop: WholeShop, piece: Piece) -> None:
    email = new_email()
    await buy_two(page, shop, piece, email)
    await desk.goto(f"/admin/orders?q={email}")
    await desk.get_by_role("row").filter(has_text=email).get_by_role("link").click()

    await desk.get_by_label("New note").fill("Asked for a gift wrap.")
    await desk.get_by_role("button", name="Add note").click()
    note = desk.get_by_role("listitem").filter(has_text="Asked for a gift wrap.")
    await expect(note).to_contain_text("Alan Admin")
    assert piece.name in await document(desk, "Invoice (PDF)")
    slip = await document(desk, "Packing slip (PDF)")
    assert piece.name in slip
    assert "$" not in slip
    assert "To" in await document(desk, "Address label (PDF)")

    await desk.get_by_role("button", name="Cancel order").click()
    await desk.get_by_role("dialog").get_by_label("Reason, for the buyer").fill("A seam came open.")
    await desk.get_by_role("dialog").get_by_role("button", name="Cancel order").click()
    await expect(desk.get_by_text("Canceled", exact=True).first).to_be_visible()
    await mail_about(shop, email, "A seam came open.")
    await page.goto("/account?tab=orders")
    await expect(page.get_by_role("article")).to_contain_text("Canceled")
    await expect(page.get_by_text("gift wrap")).to_have_count(0)
