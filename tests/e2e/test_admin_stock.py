"""Inventory in the browser: corrections, reservations, CSV imports and exports."""

import asyncio
import csv
import io
import re
from pathlib import Path
from typing import Any
from uuid import uuid4

from playwright.async_api import FilePayload, Locator, Page, expect

from tests.e2e.browsing import JSON, PASSWORD
from tests.e2e.product_forms import ADMIN, enter, make_product, product


def sheet(rows: list[dict[str, str]], name: str = "range.csv") -> FilePayload:
    buffer = io.StringIO(newline="")
    writer = csv.DictWriter(buffer, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return {"name": name, "mimeType": "text/csv", "buffer": buffer.getvalue().encode("utf-8-sig")}


async def bring(page: Page, file: FilePayload) -> Locator:
    """Chooses the file; answers its part of the screen."""
    await page.get_by_label("CSV file").set_input_files(file)
    return page.get_by_role("region", name=file["name"])


async def own_rows(page: Page, product_id: str) -> list[dict[str, str]]:
    """The product's rows of a real download."""
    await page.goto("/admin/import")
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Download products.csv").click()
    path = await (await download.value).path()
    content = (await asyncio.to_thread(Path(path).read_bytes)).decode("utf-8-sig")
    return [row for row in csv.DictReader(io.StringIO(content, newline="")) if row["product"] == product_id]


async def test_stock_is_changed_in_its_row_and_its_history_explains_the_number(page: Page) -> None:
    name = f"Counted {uuid4().hex[:6]}"
    await enter(page)
    await make_product(page, name)
    await page.goto(f"/admin/stock?show=all&q={name.replace(' ', '+')}")
    rows = page.get_by_role("row").filter(has_text=name)
    first = rows.first

    await expect(rows).to_have_count(4)
    await first.get_by_role("button", name="Adjust").click()
    await page.get_by_label("Pieces").fill("-5")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Only 3 of")).to_be_visible()
    await page.get_by_label("Pieces").fill("-2")
    await expect(page.get_by_text("3 becomes 1")).to_be_visible()
    await page.get_by_label("Reason").select_option("Damaged")
    await page.get_by_label("Note").fill("Torn in the window")
    await page.keyboard.press("Enter")
    await expect(page.get_by_label("Pieces")).to_have_count(0)
    await expect(first.get_by_role("cell").nth(2)).to_have_text("1")
    await expect(first.get_by_role("button", name="Adjust")).to_be_focused()

    low = page.get_by_role("tab", name="Low")
    await low.click()
    await expect(low).to_have_attribute("aria-selected", "true")
    await page.get_by_label("Find by name or SKU").fill(name)
    await expect(page).to_have_url(re.compile("q="))
    await expect(rows).to_have_count(4)
    await rows.first.get_by_role("link", name=name).click()
    drawer = page.get_by_role("dialog")
    await expect(drawer.get_by_text("2 movements add up to 1 on the shelf.")).to_be_visible()
    movements = drawer.get_by_role("table").get_by_role("row")
    await expect(movements.nth(1)).to_contain_text("\u22122")
    await expect(movements.nth(1)).to_contain_text("Torn in the window")
    await expect(movements.nth(1)).to_contain_text("owner@minimal.test")
    await expect(movements.nth(2)).to_contain_text("Opening")
    await page.reload()
    await expect(drawer.get_by_text("2 movements add up")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(drawer).to_have_count(0)
    assert f"q={name.replace(' ', '+')}" in page.url


async def test_pieces_that_a_checkout_holds_are_seen_with_who_and_until_when(page: Page) -> None:
    name, email = f"Held {uuid4().hex[:6]}", f"{uuid4().hex[:8]}@shop.test"
    await enter(page)
    product_id = await make_product(page, name)
    await hold(page, product_id, email)

    await page.goto("/admin/stock?show=reserved")
    await page.get_by_label("Find by e-mail, name or SKU").fill(email)
    await expect(page).to_have_url(re.compile("q="))
    row = page.get_by_role("row").filter(has_text=name)
    await expect(row).to_contain_text(email)
    await expect(row.get_by_role("cell").nth(1)).to_have_text("2")
    await expect(row).to_contain_text("minutes")
    await row.get_by_role("link", name=name).click()
    await expect(page.get_by_role("dialog")).to_contain_text("add up to 3 on the shelf, 2 of them held")


async def test_what_a_sale_leaves_low_comes_onto_the_list_without_a_reload(page: Page) -> None:
    name = f"Falling {uuid4().hex[:6]}"
    await enter(page)
    product_id = await make_product(page, name, stock=24)
    await page.goto(f"/admin/stock?show=low&q={name.replace(' ', '+')}")
    await expect(page.get_by_text("There are no such items.")).to_be_visible()

    await hold(page, product_id, f"{uuid4().hex[:8]}@shop.test")

    row = page.get_by_role("row").filter(has_text=name)
    await expect(row).to_have_count(1)
    await expect(row.get_by_role("cell").nth(2)).to_have_text("4")


async def hold(page: Page, product_id: str, email: str) -> None:
    """Somebody else goes to pay for two pieces."""
    browser = page.context.browser
    assert browser is not None
    shopper = (await browser.new_context(base_url=page.url.rsplit("/", 1)[0])).request
    address = {
        "name": "Ada Lovelace",
        "address1": "1 Quiet Street",
        "city": "London",
        "country": "UK",
        "phone": "12345",
    }
    calls: list[tuple[str, dict[str, Any]]] = [
        ("/api/auth/signup", {"name": "Ada Lovelace", "email": email, "password": PASSWORD}),
        ("/api/user/address", address),
        ("/api/cart", {"productId": product_id, "quantity": 2, "price": 50}),
        ("/api/payment/create-checkout-session", {}),
    ]
    for path, body in calls:
        answer = await shopper.post(path, data=body, headers=JSON)
        assert answer.ok, await answer.text()


async def test_an_exported_range_is_edited_checked_previewed_and_imported(page: Page) -> None:
    name = f"Filed {uuid4().hex[:6]}"
    await enter(page)
    product_id = await make_product(page, name)
    rows = await own_rows(page, product_id)
    assert [(row["name"], row["price"], row["stock"]) for row in rows] == [(name, "50.00", "3")] * 4

    for row in rows:
        row["price"] = "64.50"
    rows[0]["stock"], rows[3]["stock"] = "30", "many"
    view = await bring(page, sheet(rows, "wrong.csv"))
    await expect(view.get_by_text("1 problem.")).to_be_visible()
    await expect(view.get_by_role("row").nth(1)).to_contain_text("many")
    rows[3]["stock"] = "3"
    view = await bring(page, sheet(rows))
    await expect(view.get_by_text("1 price changed")).to_be_visible()
    await expect(view.get_by_text("27 pieces more")).to_be_visible()
    await expect(view.get_by_role("row").filter(has_text="price")).to_contain_text("50.0064.50")
    assert (await product(page, product_id))["price"] == 50
    await view.get_by_role("button", name="Start the import").click()
    await expect(view.get_by_text("Done", exact=True)).to_be_visible()

    product_now = await product(page, product_id)
    assert (product_now["price"], product_now["stock"]) == (64.5, 39)
    view = await bring(page, sheet(rows, "again.csv"))
    await expect(view.get_by_text("Nothing changes: the shop is as the file says.")).to_be_visible()


async def test_an_admin_who_is_not_the_primary_one_cannot_start_what_makes_products(page: Page) -> None:
    new = {
        "sku": f"NEW-{uuid4().hex[:6]}",
        "product": "linen",
        "name": "Linen Shirt",
        "subtitle": "Washed linen",
        "description": "With slubs.",
        "category": "men_shirts",
        "price": "92",
        "color": "Bone",
        "color_hex": "#e8e2d5",
        "size": "M",
        "stock": "4",
    }
    await enter(page, ADMIN)
    await page.goto("/admin/import")

    view = await bring(page, sheet([new], "new.csv"))

    await expect(view.get_by_text("1 new product", exact=True)).to_be_visible()
    await expect(view.get_by_text("only the primary admin may do")).to_be_visible()
    await expect(view.get_by_role("button", name="Start the import")).to_be_disabled()
    await view.get_by_role("button", name="Discard").click()
    await page.get_by_role("dialog").get_by_role("button", name="Discard").click()
    await expect(view.get_by_text("Discarded", exact=True)).to_be_visible()
