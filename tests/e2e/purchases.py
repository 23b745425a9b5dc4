"""Choosing products and paying for them in a browser."""

import re
from dataclasses import dataclass
from uuid import uuid4

from playwright.async_api import FrameLocator, Page, expect

from tests.e2e.browsing import JSON, PASSWORD, pick, signed_up

PAYS, DECLINED = "4242424242424242", "4000000000000002"
LONDON = {
    "name": "Ada Lovelace",
    "address1": "12 St James's Square",
    "city": "London",
    "country": "United Kingdom",
    "phone": "+44 20 7946 0958",
}
LOADED = """() => document.readyState === 'complete' ||
  new Promise((settle) => addEventListener('load', () => settle(true), { once: true }))"""
"""Whatever is pressed before a frame has its script is lost."""


@dataclass(frozen=True)
class Piece:
    """Something that can be bought: a product's second color in a size that is in stock."""

    product_id: str
    name: str
    color: str
    size: str
    price: str


def new_email() -> str:
    return f"shopper-{uuid4().hex[:10]}@example.com"


async def sign_up(page: Page, email: str) -> None:
    await page.get_by_label("Full name").fill("Ada Lovelace")
    await page.get_by_label("E-mail").fill(email)
    await page.get_by_label("Password", exact=True).fill(PASSWORD)
    await page.get_by_role("button", name="Get Started").click()


async def choose(page: Page, piece: Piece) -> None:
    await page.goto(f"/product/{piece.product_id}")
    await pick(page.get_by_role("radio", name=piece.color, exact=True))
    await pick(page.get_by_role("radio", name=re.compile(rf"^{piece.size}\b")).first)


async def add_address(page: Page, country: str = "United Kingdom") -> None:
    await page.get_by_role("link", name="Add New Address").click()
    for label, value in (
        ("Full name", "Ada Lovelace"),
        ("Address line 1", "12 St James's Square"),
        ("City", "London"),
        ("Phone", "+44 20 7946 0958"),
    ):
        await page.get_by_label(label).fill(value)
    await page.get_by_label("Country").select_option(country)
    await page.get_by_role("button", name="Save Address").click()
    await page.wait_for_url("**/checkout")


async def address_saved(page: Page) -> None:
    """As by the form; opens none of the shop's own screens."""
    saved = await page.request.post("/api/user/address", data=LONDON, headers=JSON)
    assert saved.ok, await saved.text()


async def to_payment(page: Page, *, has_address: bool = True) -> FrameLocator:
    """From the cart to the card form, with an address that was saved before or is typed on the way."""
    if has_address:
        await address_saved(page)
    await page.get_by_role("link", name=re.compile("^Cart")).first.click()
    await page.get_by_role("link", name="Proceed to Checkout").click()
    await page.wait_for_url("**/checkout")
    if not has_address:
        await add_address(page)
    await page.get_by_role("button", name="Proceed to Payment").click()
    return page.frame_locator('iframe[title="Secure checkout"]')


async def pay(form: FrameLocator, card: str) -> None:
    number = form.get_by_label("Card number")
    await number.evaluate(LOADED)
    await number.fill(card)
    await form.get_by_label("Expiry").fill("12 / 34")
    await form.get_by_label("CVC").fill("123")
    await form.get_by_label("Name on card").fill("Ada Lovelace")
    await form.get_by_label(re.compile("ZIP|Postal code")).fill("12345")
    await form.get_by_role("button", name=re.compile("^Pay")).click()


async def signed_up_with_cart(page: Page, piece: Piece, email: str) -> None:
    await signed_up(page, email)
    await choose(page, piece)
    await page.get_by_role("button", name=re.compile("^Add to Cart")).first.click()
    await expect(page.get_by_role("link", name=re.compile("^Cart")).first).to_contain_text("1")
