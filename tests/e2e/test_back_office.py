"""The owner makes a product in the browser, pictures and all; shoppers find it."""

from io import BytesIO
from uuid import uuid4

from PIL import Image
from playwright.async_api import FilePayload, Page, expect

from tests.e2e.browsing import pick, told
from tests.e2e.test_account import DEMO_PASSWORD, sign_in


def picture(name: str, color: str) -> FilePayload:
    file = BytesIO()
    Image.new("RGB", (600, 800), color).save(file, "PNG")
    return {"name": name, "mimeType": "image/png", "buffer": file.getvalue()}


async def test_a_product_is_created_with_its_pictures_and_found_by_shoppers(page: Page) -> None:
    name = f"Test Shirt {uuid4().hex[:6]}"
    await sign_in(page, "owner@minimal.test", DEMO_PASSWORD)
    await told(page, "Welcome back to Minimal")
    await page.goto("/admin?tab=create")

    await page.get_by_label("Name", exact=True).fill(name)
    await page.get_by_label("Subtitle").fill("Plain cotton")
    await page.get_by_label("Description").fill("Made in a test.")
    await page.get_by_label("Price", exact=True).fill("49.90")
    await pick(page.get_by_role("radio", name="Men", exact=True))
    await pick(page.get_by_role("radio", name="Shirts"))
    await page.get_by_label("Color name").fill("Ecru")
    await page.get_by_role("button", name="Add color").click()
    for size in ("S", "M"):
        await pick(page.get_by_role("checkbox", name=size, exact=True))
    await page.get_by_role("textbox", name="Stock").fill("7")
    await page.locator('input[type="file"]').set_input_files(
        [picture("front.png", "#ddd6c8"), picture("back.png", "#c8c0b0")]
    )
    await page.get_by_role("button", name="Create Product").click()

    await told(page, "Product created successfully")
    await expect(page.get_by_label("Name", exact=True)).to_have_value("")
    found = await (await page.request.get(f"/api/product/search?q={name.split()[-1]}")).json()
    assert [(each["name"], each["price"]) for each in found] == [(name, 49.9)]
    await page.goto(f"/product/{found[0]['_id']}")
    await expect(page.get_by_role("heading", name=name)).to_be_visible()
    shown = page.locator("main img").first
    await expect(shown).to_be_visible()
    assert await shown.evaluate("image => image.decode().then(() => image.naturalWidth > 0)")
