"""Filling in the form of a product in a browser."""

import base64
from typing import Any

from playwright.async_api import Locator, Page

from tests.e2e.back_office import picture
from tests.e2e.browsing import JSON, pick, signed_in

OWNER, ADMIN = "owner@minimal.test", "admin@minimal.test"


async def enter(page: Page, email: str = OWNER) -> None:
    await signed_in(page, email)


async def make_product(page: Page, name: str, price: float = 50, stock: int = 12) -> str:
    """Two colors, two sizes, a quarter of the stock of each, one picture; needs the owner."""
    file = picture("front.png", "#ddd6c8")
    data = "data:image/png;base64," + base64.b64encode(file["buffer"]).decode()
    body = {
        "name": name,
        "subtitle": "Plain cotton",
        "description": "Made in a test.",
        "price": price,
        "category": "men_shirts",
        "gender": "men",
        "stock": stock,
        "colors": ["#ff0000", "#0000ff"],
        "sizes": ["S", "M"],
        "images": [{"data": data, "originalName": "front.png", "type": "image/png"}],
        "totalImages": 1,
    }
    answer = await page.request.post("/api/product", data=body, headers=JSON)
    assert answer.status == 201, await answer.text()
    return str((await answer.json())["_id"])


async def fill_in_product(page: Page, name: str, department: str = "Men", category: str = "Shirts") -> None:
    """Everything that the form of a new product needs: 49.90 dollars, one color, two sizes, two pictures."""
    await page.get_by_label("Name", exact=True).fill(name)
    await page.get_by_label("Subtitle").fill("Plain cotton")
    await page.get_by_label("Description").fill("Made in a test.")
    await page.get_by_label("Price", exact=True).fill("49.90")
    await pick(page.get_by_role("radio", name=department, exact=True))
    await pick(page.get_by_role("radio", name=category))
    await page.get_by_label("Color name").fill("Ecru")
    await page.get_by_role("button", name="Add color").click()
    for size in ("S", "M"):
        await pick(page.get_by_role("checkbox", name=size, exact=True))
    await page.get_by_role("textbox", name="Stock").fill("7")
    await page.locator('input[type="file"]').set_input_files(
        [picture("front.png", "#ddd6c8"), picture("back.png", "#c8c0b0")]
    )


async def product(page: Page, product_id: str) -> dict[str, Any]:
    """As shoppers get it."""
    content: dict[str, Any] = await (await page.request.get(f"/api/product/{product_id}")).json()
    return content


def unsaved(page: Page) -> Locator:
    return page.get_by_role("region", name="Unsaved changes")
