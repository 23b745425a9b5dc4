"""Signing in by Google, a lost password, and asking for admin access."""

import re
from uuid import uuid4

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.accounts import mail_about, sign_in
from tests.e2e.browsing import JSON, PASSWORD, accept_unconfirmed, new_context, signed_in, signed_up, told
from tests.e2e.purchases import PAYS, Piece, new_email, pay, signed_up_with_cart, to_payment
from tests.e2e.whole_shop import WholeShop


def link_in(text: str, path: str) -> str:
    match = re.search(rf"http://\S+{path}\S+", text)
    assert match, text
    return match.group()


@pytest.mark.spec("screens.signin.fields", "calls.auth.google", "errors.done.google")
async def test_google_signs_a_new_person_in(page: Page) -> None:
    await page.goto("/signin")

    async with page.expect_popup() as opened:
        await page.get_by_role("button", name=re.compile("Google")).click()
    choice = await opened.value
    await choice.wait_for_load_state()
    await choice.get_by_role("button", name=re.compile("New person")).click()

    await told(page, "Welcome to Minimal")
    await expect(page.get_by_text("Account", exact=True).first).to_be_visible()


@pytest.mark.smoke
async def test_a_lost_password_is_replaced_by_way_of_the_mail(page: Page, shop: WholeShop) -> None:
    email, new_password = new_email(), f"NewPass{uuid4().hex[:6]}!A1"
    await signed_up(page, email)
    await page.context.clear_cookies()
    await page.evaluate("localStorage.clear()")

    await page.goto("/forgot-password")
    await page.get_by_label("E-mail").fill(email)
    await page.get_by_role("button", name="Send Reset Link").click()
    await page.wait_for_url("**/signin")
    mail = await mail_about(shop, email, "/reset-password")
    await page.goto(link_in(mail, "/reset-password"))
    await page.get_by_placeholder("New password", exact=True).fill(new_password)
    await page.get_by_placeholder("Confirm new password").fill(new_password)
    await page.get_by_role("button", name="Reset Password").click()
    await page.wait_for_url("**/signin")
    await sign_in(page, email, new_password)

    await page.wait_for_url(re.compile(r"/$"))
    await told(page, "Welcome back to Minimal")


async def test_order_link_in_a_mail_leads_there_by_way_of_the_sign_in(
    page: Page, browser: Browser, shop: WholeShop, piece: Piece
) -> None:
    email = new_email()
    await signed_up_with_cart(page, piece, email)
    await pay(await to_payment(page), PAYS)
    link = link_in(await mail_about(shop, email, "Your order M-"), "/account/orders/")
    elsewhere = await new_context(browser, shop, viewport={"width": 390, "height": 844})
    phone = await elsewhere.new_page()

    await phone.goto(link)
    await phone.wait_for_url("**/signin?redirect=%2Faccount%2Forders%2F*")
    await phone.get_by_label("E-mail").fill(email)
    await phone.get_by_label("Password", exact=True).fill(PASSWORD)
    await phone.get_by_role("button", name="Continue", exact=True).click()

    await expect(phone).to_have_url(link)
    await expect(phone.get_by_role("heading", level=1)).to_have_text(re.compile(r"^Order M-\d+$"))
    await expect(phone.get_by_role("main")).to_contain_text(piece.name)
    await phone.goto(link.rpartition("/")[0] + f"/{uuid4()}")
    await expect(phone.get_by_role("heading", level=1)).to_have_text("There is no such order")
    await elsewhere.close()


@pytest.mark.spec("states.role.granted", "calls.user.request")
async def test_a_request_for_admin_access_is_approved_and_seen(page: Page, browser: Browser, shop: WholeShop) -> None:
    email = new_email()
    await signed_up(page, email)
    answer = await page.request.post("/api/user/request-admin-access", headers=JSON)
    assert answer.status == 204

    owner = await new_context(browser, shop)
    desk = await owner.new_page()
    await signed_in(desk, "owner@minimal.test")
    await desk.goto("/admin")
    row = desk.get_by_role("row").filter(has_text=email)
    await row.first.get_by_role("button", name=re.compile("^Approve")).click()
    await desk.get_by_role("dialog").get_by_role("button", name="Make Admin").click()
    await accept_unconfirmed(desk)
    await told(desk, "User made admin")
    await owner.close()

    await page.goto("/")
    await told(page, "You have been granted admin access!")
    await page.goto("/admin")
    await expect(page.get_by_role("heading", name="Admin Dashboard")).to_be_visible()


async def test_a_confirmation_link_asks_for_the_password_where_the_account_is_unknown(
    page: Page, browser: Browser, shop: WholeShop
) -> None:
    email = new_email()
    await signed_up(page, email)
    link = link_in(await mail_about(shop, email, "/verify-email"), "/verify-email")
    elsewhere = await new_context(browser, shop, viewport={"width": 390, "height": 844})
    phone = await elsewhere.new_page()

    await phone.goto(link)
    await expect(phone.get_by_role("button", name="That was not me")).to_be_visible()
    await phone.get_by_label("Password", exact=True).fill("Wrong&Guess1")
    await phone.get_by_role("button", name="Confirm").click()
    await expect(phone.get_by_text("Invalid credentials")).to_be_visible()
    await phone.get_by_label("Password", exact=True).fill(PASSWORD)
    await phone.get_by_role("button", name="Confirm").click()

    await expect(phone.get_by_text("Your e-mail is verified.")).to_be_visible()
    await elsewhere.close()


async def test_google_is_linked_and_unlinked_in_the_account(page: Page) -> None:
    await signed_up(page, new_email())
    await page.goto("/account")

    await page.get_by_role("button", name="Link Google").click()
    async with page.expect_popup() as opened:
        await page.get_by_role("button", name=re.compile("with Google")).click()
    choice = await opened.value
    await choice.wait_for_load_state()
    await choice.get_by_role("button", name=re.compile("New person")).click()

    await told(page, "Google signs in to your account now")
    await page.get_by_role("button", name="Unlink Google").click()
    await expect(page.get_by_role("button", name="Link Google")).to_be_visible()
