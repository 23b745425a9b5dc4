"""Passkeys, codes and recovery codes in a real browser, with Chromium's virtual authenticator."""

import re
import time
from collections.abc import Iterator
from typing import Any

import pyotp
import pytest
from playwright.async_api import Browser, CDPSession, Page, expect

from server.platform.processes.postgres import Postgres
from tests.e2e.accounts import sign_in
from tests.e2e.browsing import DEMO_PASSWORD, PASSWORD, new_context, open_at, run_sql, signed_up, told
from tests.e2e.purchases import new_email
from tests.e2e.whole_shop import WholeShop
from tests.ports import free_port
from tests.siege.servers import serving

HOME = re.compile(r"/$")
DETAILS = "/account?tab=details"
VERIFIED = {"hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True}


async def authenticator(page: Page) -> tuple[CDPSession, str]:
    """A platform authenticator whose user is always verified, for this page."""
    devtools = await page.context.new_cdp_session(page)
    await devtools.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, **VERIFIED}
    virtual: dict[str, Any] = await devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return devtools, virtual["authenticatorId"]


async def account(page: Page) -> str:
    """Somebody new, who has opened the details of the account."""
    email = new_email()
    await signed_up(page, email)
    await open_at(page, DETAILS)
    return email


async def leave(page: Page) -> None:
    """Signs out, as far as this browser is concerned: without a screen that notices it and leads home meanwhile."""
    await page.goto("/robots.txt")
    await page.context.clear_cookies()
    await page.evaluate("localStorage.clear()")


async def add_passkey(page: Page, name: str = "Laptop") -> list[str]:
    """Returns the recovery codes that came with it."""
    await page.get_by_role("button", name="Add a passkey").click()
    await page.get_by_label("Name", exact=True).fill(name)
    await page.get_by_role("button", name="Continue").click()
    return await recovery_codes(page)


async def recovery_codes(page: Page) -> list[str]:
    shown = page.get_by_role("dialog", name="Recovery codes")
    listed = shown.get_by_role("list", name="Recovery codes").get_by_role("listitem")
    await expect(listed).to_have_count(10)
    codes = await listed.all_inner_texts()
    await shown.get_by_role("button", name="I have kept them").click()
    return codes


async def test_a_passkey_is_added_signs_in_alone_and_is_removed(page: Page) -> None:
    await authenticator(page)
    email = await account(page)

    codes = await add_passkey(page)
    await expect(page.get_by_role("list", name="Passkeys")).to_contain_text("Laptop")
    await leave(page)
    await open_at(page, "/signin")
    await page.get_by_role("button", name="Sign in with a passkey").click()
    await told(page, "Welcome back to Minimal")
    await page.wait_for_url(HOME)
    await open_at(page, DETAILS)
    sessions = page.get_by_text("This browser, signed in with passkey")
    await expect(sessions).to_be_visible()
    await page.get_by_role("button", name="Remove Laptop").click()
    await page.get_by_role("button", name="Remove", exact=True).click()
    await told(page, "Passkey removed")
    await expect(page.get_by_role("button", name="Make new codes")).to_have_count(0)
    await leave(page)
    await sign_in(page, email, PASSWORD)
    await page.wait_for_url(HOME)

    assert len(set(codes)) == 10


async def test_a_passkey_is_the_second_step_after_a_password(page: Page) -> None:
    await authenticator(page)
    email = await account(page)
    await add_passkey(page)
    await leave(page)

    await sign_in(page, email, PASSWORD)
    await expect(page.get_by_text("Your account asks for a second proof")).to_be_visible()
    await page.get_by_role("button", name="Use a passkey").click()

    await page.wait_for_url(HOME)
    await open_at(page, DETAILS)
    await expect(page.get_by_text("This browser, signed in with password and passkey")).to_be_visible()


async def test_one_time_codes_can_be_enabled_used_disabled_and_replaced_once(page: Page) -> None:
    email = await account(page)
    await page.get_by_role("button", name="Set up codes").click()
    setup = page.get_by_role("dialog", name="Set up codes")
    await expect(setup.get_by_role("img", name="QR code of the key")).to_be_visible()
    app = pyotp.TOTP(await setup.get_by_role("link").inner_text())
    await setup.get_by_label("Code").fill("000000")
    await setup.get_by_role("button", name="Turn on").click()
    await expect(setup.get_by_text("This code is wrong")).to_be_visible()
    await setup.get_by_label("Code").fill(app.at(time.time()))
    await setup.get_by_role("button", name="Turn on").click()
    codes = await recovery_codes(page)

    await leave(page)
    await sign_in(page, email, PASSWORD)
    await page.get_by_label("Code").fill(codes[0].upper())
    await page.get_by_role("button", name="Confirm").click()
    await page.wait_for_url(HOME)
    await leave(page)
    await sign_in(page, email, PASSWORD)
    await page.get_by_label("Code").fill(codes[0])
    await page.get_by_role("button", name="Confirm").click()
    await expect(page.get_by_text("This code is wrong or was used already.")).to_be_visible()
    await page.get_by_label("Code").fill(app.at(time.time() + 30))
    await page.get_by_role("button", name="Confirm").click()
    await page.wait_for_url(HOME)

    await open_at(page, DETAILS)
    await expect(page.get_by_text("This browser, signed in with password and code")).to_be_visible()
    await expect(page.get_by_text("9 of 10 are left")).to_be_visible()
    await page.get_by_role("button", name="Turn off codes").click()
    await page.get_by_role("button", name="Turn off", exact=True).click()
    await told(page, "Codes are turned off")
    await leave(page)
    await sign_in(page, email, PASSWORD)
    await page.wait_for_url(HOME)


async def age(shop: WholeShop, email: str) -> None:
    """Lets somebody's sign-ins lie seventeen minutes in the past."""
    old = "UPDATE sessions SET authenticated_at = now() - interval '17 minutes', active_at = NULL FROM users"
    await run_sql(shop, f"{old} WHERE users.id = user_id AND email = '{email}'")


async def test_an_old_sign_in_is_asked_for_again_and_what_was_wanted_goes_on(page: Page, shop: WholeShop) -> None:
    await authenticator(page)
    email = await account(page)
    await age(shop, email)

    await page.get_by_role("button", name="Set up codes").click()
    again = page.get_by_role("dialog", name="Confirm that it is you")
    await again.get_by_label("Password", exact=True).fill("Wrong&Password1")
    await again.get_by_role("button", name="Confirm").click()
    await expect(again.get_by_text("Invalid credentials")).to_be_visible()
    await again.get_by_label("Password", exact=True).fill(PASSWORD)
    await again.get_by_role("button", name="Confirm").click()
    await expect(page.get_by_role("img", name="QR code of the key")).to_be_visible()
    await page.get_by_role("button", name="Cancel").click()
    await add_passkey(page)
    await age(shop, email)
    await page.get_by_role("button", name="Make new codes").click()
    await page.get_by_role("dialog").get_by_role("button", name="Make new codes").click()
    await again.get_by_role("button", name="Use a passkey").click()

    assert len(await recovery_codes(page)) == 10


async def test_who_cancels_changes_nothing(page: Page, shop: WholeShop) -> None:
    email = await account(page)
    await age(shop, email)

    await page.get_by_role("button", name="Set up codes").click()
    await page.get_by_role("dialog", name="Confirm that it is you").get_by_role("button", name="Cancel").click()

    await told(page, "Please confirm that it is you, by signing in again.")
    await expect(page.get_by_role("button", name="Set up codes")).to_be_visible()


async def test_an_admin_signs_in_as_before_where_no_second_factor_is_required(page: Page) -> None:
    await sign_in(page, "admin@minimal.test", DEMO_PASSWORD)
    await page.wait_for_url(HOME)
    await page.goto("/admin")

    await expect(page.get_by_text("Signed in as admin@minimal.test")).to_be_visible()


@pytest.fixture
def strict(shop: WholeShop) -> Iterator[WholeShop]:
    """Another web process of the shop, which lets in no admin without a second factor."""
    port, postgres = free_port(), Postgres(shop.data / "postgres")
    with serving(postgres.url, shop.data, port, ADMIN_SECOND_FACTOR_REQUIRED="true", OUTSIDE_PORT=str(shop.ports[1])):
        yield WholeShop(shop.data, ports=[port, shop.ports[1]])


async def test_an_admin_is_let_in_with_a_second_factor_where_one_is_required(
    page: Page, browser: Browser, shop: WholeShop, strict: WholeShop
) -> None:
    email = new_email()
    await signed_up(page, email)
    await run_sql(shop, f"UPDATE users SET role = 'admin' WHERE email = '{email}'")
    context = await new_context(browser, strict)
    page = await context.new_page()
    await authenticator(page)
    await sign_in(page, email, PASSWORD)
    await page.wait_for_url(HOME)
    await page.goto("/admin")
    await expect(page.get_by_text("Admins of this shop sign in with a passkey")).to_be_visible()
    await expect(page.get_by_role("tab")).to_have_count(0)
    await page.locator("main").get_by_role("link").first.click()
    await add_passkey(page)
    await page.goto("/admin")
    await expect(page.get_by_role("tab").first).to_be_visible()

    await leave(page)
    await sign_in(page, email, PASSWORD)
    await page.get_by_role("button", name="Use a passkey").click()
    await page.wait_for_url(HOME)
    await page.goto("/admin")
    await expect(page.get_by_role("tab").first).to_be_visible()
    await context.close()


async def test_who_has_no_passkey_is_told_so_and_stays_on_the_page(page: Page) -> None:
    await open_at(page, "/signin")
    devtools, _ = await authenticator(page)
    await devtools.send("WebAuthn.disable")
    refuse = "() => Promise.reject(new DOMException('', 'NotAllowedError'))"
    await page.evaluate(f"() => {{ navigator.credentials.get = {refuse} }}")
    await page.get_by_role("button", name="Sign in with a passkey").click()

    await told(page, "No passkey was used.")
    await expect(page.get_by_label("E-mail")).to_be_visible()
