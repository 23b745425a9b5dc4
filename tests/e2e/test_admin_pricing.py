"""Codes, delivery, tax and settings: made in the back office, met in the shop, charged by the provider."""

import asyncio
import re
from io import BytesIO

import pytest
from playwright.async_api import Page, expect
from pypdf import PdfReader

from tests.e2e.browsing import pick, run_sql, signed_in, told
from tests.e2e.purchases import PAYS, Piece, new_email, pay, signed_up_with_cart, to_payment
from tests.e2e.whole_shop import WholeShop

OWNER, ADMIN = "owner@minimal.test", "admin@minimal.test"


async def enter(page: Page, email: str, path: str) -> None:
    await signed_in(page, email)
    await page.goto(path)


def cents(words: str) -> int:
    """The amount in a text such as "-$1,234.50"."""
    match = re.search(r"-?\$([\d,]+)\.(\d\d)", words)
    assert match is not None, words
    return int(match[1].replace(",", "")) * 100 + int(match[2])


async def sum_of(page: Page, label: str) -> int:
    """The amount of a row of sums; 0 where it says Free."""
    row = page.locator("dl > div", has=page.get_by_role("term").filter(has_text=re.compile(f"^{label}")))
    words = await row.get_by_role("definition").last.inner_text()
    return 0 if words == "Free" else cents(words)


async def test_a_code_delivery_and_tax_are_charged_as_every_screen_shows_them(
    page: Page, shop: WholeShop, piece: Piece
) -> None:
    email = new_email()
    await signed_up_with_cart(page, piece, email)
    await page.goto("/cart")

    await page.get_by_label("Discount code").fill("nosuchcode")
    await page.get_by_role("button", name="Apply").click()
    await expect(page.get_by_text("This code does not exist.")).to_be_visible()
    await page.get_by_label("Discount code").fill("welcome10")
    await page.get_by_role("button", name="Apply").click()
    await expect(page.get_by_text("Discount, WELCOME10")).to_be_visible()
    await expect(page.get_by_text("Calculated at checkout")).to_be_visible()
    subtotal, discount = await sum_of(page, "Subtotal"), await sum_of(page, "Discount")

    form = await to_payment(page)
    await form.get_by_label("Card number").wait_for()
    [session] = [each for each in shop.ledger()["sessions"] if each["status"] == "open" and is_of(each, email)]
    asked_for = cents(await form.get_by_role("button", name=re.compile("^Pay")).inner_text())
    await expect(form.get_by_text("Delivery, Europe")).to_be_visible()
    await expect(form.get_by_text("WELCOME10")).to_be_visible()
    await pay(form, PAYS)
    await expect(page.get_by_role("heading", name="Payment Successful!")).to_be_visible()
    await page.get_by_role("link", name="View Orders").click()
    order = page.get_by_role("article")
    await expect(order).to_contain_text("VAT 20%")

    assert discount == (subtotal * 10 + 50) // 100
    delivery, tax, total = await sum_of(page, "Shipping"), await sum_of(page, "VAT"), await sum_of(page, "Total")
    taxed = subtotal - discount + delivery
    assert tax == (taxed * 20 + 50) // 100
    assert total == taxed + tax == session["amount_total"] == asked_for
    [placed] = await (await page.request.get("/api/orders")).json()
    assert [round(placed[name] * 100) for name in ("subtotal", "discount", "shipping", "tax", "totalAmount")] == [
        subtotal,
        discount,
        delivery,
        tax,
        total,
    ]
    pdf = await (await page.request.get(f"/orders/{placed['_id']}/invoice.pdf")).body()
    invoice = PdfReader(BytesIO(pdf)).pages[0].extract_text()
    assert "Discount, WELCOME10" in invoice
    assert f"${total / 100:,.2f}" in invoice
    mail = await confirmation(shop, email)
    assert f"Discount, WELCOME10: -${discount / 100:.2f}" in mail
    assert f"Total: ${total / 100:,.2f}" in mail


async def test_checkout_calculates_for_the_chosen_address_and_says_where_it_cannot_send(
    page: Page, shop: WholeShop, piece: Piece
) -> None:
    email = new_email()
    await signed_up_with_cart(page, piece, email)
    home = {"name": "Ada", "address1": "1 Way", "city": "X", "phone": "12345"}
    for country, is_default in (("Germany", True), ("France", False)):
        await page.request.post(
            "/api/user/address",
            data=home | {"country": country, "isDefault": is_default},
            headers={"content-type": "application/json", "sec-fetch-site": "same-origin"},
        )

    theirs = f"FROM users WHERE users.id = user_id AND email = '{email}'"
    await run_sql(shop, f"UPDATE addresses SET country = 'ZZ' {theirs} AND country = 'FR'")
    await page.goto("/checkout")
    await expect(page.get_by_text("Shipping, Europe")).to_be_visible()
    await expect(page.get_by_text("4 to 7 working days")).to_be_visible()
    await expect(page.get_by_text("VAT 19%")).to_be_visible()
    await pick(page.get_by_role("radio", name=re.compile("Ada")).last)

    await expect(page.get_by_text("We cannot tell which country this address is in.")).to_be_visible()
    await expect(page.get_by_role("button", name="Proceed to Payment")).to_be_disabled()


async def test_an_admin_makes_changes_and_ends_a_code(page: Page, shop: WholeShop) -> None:
    await enter(page, OWNER, "/admin/codes")

    await page.get_by_role("button", name="New code").click()
    await page.get_by_label("Code", exact=True).fill("spring")
    await page.get_by_label("Percent off").fill("15")
    await page.get_by_label("Uses in all").fill("40")
    await page.get_by_role("button", name="Save").click()
    row = page.get_by_role("row", name=re.compile("SPRING"))
    await expect(row).to_contain_text("15% off")
    await expect(row).to_contain_text("0 of 40")
    await row.get_by_role("button", name="Change SPRING").click()
    await page.get_by_label("Percent off").fill("120")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("1 to 100")).to_be_visible()
    await page.get_by_label("Percent off").fill("20")
    await page.get_by_role("button", name="Save").click()
    await expect(row).to_contain_text("20% off")
    await row.get_by_role("button", name="End SPRING").click()
    await page.get_by_role("dialog").get_by_role("button", name="End").click()

    await expect(row).to_contain_text("Ended")
    await page.get_by_label("State").select_option("running")
    await expect(row).to_have_count(0)
    await expect(page).to_have_url(re.compile("state=running"))


async def test_the_owner_changes_the_tariff_and_tries_it(page: Page, shop: WholeShop) -> None:
    await enter(page, OWNER, "/admin/delivery")

    await page.get_by_role("button", name="Change Rest of the world").click()
    await page.get_by_label("Delivery costs").first.fill("33.00")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("row", name=re.compile("Rest of the world"))).to_contain_text("$33.00")
    await page.get_by_label("Sent to").select_option("JP")
    await page.get_by_label("Goods for", exact=True).fill("50.00")
    await page.get_by_label("Grams").fill("900")
    await page.get_by_role("button", name="Calculate").click()

    await expect(page.get_by_text("Shipping, Rest of the world")).to_be_visible()
    assert (await sum_of(page, "Shipping"), await sum_of(page, "Total")) == (3_300, 8_300)


async def test_settings_count_at_once_and_the_environments_are_told(page: Page, shop: WholeShop) -> None:
    await enter(page, OWNER, "/admin/settings")

    await expect(page.get_by_label("Contact e-mail")).to_be_hidden()
    await page.get_by_text("Seller, VAT number, Contact e-mail").click()
    await page.get_by_label("Contact e-mail").fill("hello@minimal.test")
    await page.get_by_role("button", name="Save").click()
    await told(page, "Settings saved")

    contact = await page.context.new_page()
    await contact.goto("/contact")
    await expect(contact.get_by_role("main")).to_contain_text("hello@minimal.test")
    await page.get_by_role("heading", name="From the environment").click()
    await expect(page.get_by_role("row", name=re.compile("STRIPE_SECRET_KEY"))).to_contain_text("not set")
    await page.get_by_label("Contact e-mail").fill("")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_label("Contact e-mail")).to_have_value("shop@minimal.test")


async def test_the_dialog_of_a_delivery_zone_shows_save_without_scrolling(page: Page, shop: WholeShop) -> None:
    await page.set_viewport_size({"width": 1440, "height": 900})
    await enter(page, OWNER, "/admin/delivery")

    await page.get_by_role("button", name="New zone").click()

    await expect(page.get_by_role("dialog").get_by_role("button", name="Save")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("screen", ["delivery", "settings"])
async def test_another_admin_reads_what_only_the_owner_changes(page: Page, shop: WholeShop, screen: str) -> None:
    await enter(page, ADMIN, f"/admin/{screen}")

    await expect(page.get_by_text("You lack privileges to use these controls")).to_be_visible()
    await expect(page.get_by_role("button", name="Save" if screen == "settings" else "New zone")).to_be_disabled()


def is_of(session: dict[str, object], email: str) -> bool:
    return session.get("customer_email") == email


async def confirmation(shop: WholeShop, email: str) -> str:
    """The text of the order's mail."""
    for _ in range(160):
        mails = [mail for mail in shop.mails(email) if "order" in mail["subject"].lower()]
        if mails:
            return str(mails[0]["text"])
        await asyncio.sleep(0.25)
    raise AssertionError("no confirmation came")
