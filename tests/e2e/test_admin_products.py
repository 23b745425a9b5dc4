"""Product Control in the browser: find, change many, edit everything of one."""

import asyncio
import re
from uuid import uuid4

import pytest
from playwright.async_api import Dialog, Page, Route, expect

from tests.e2e.back_office import picture
from tests.e2e.browsing import pick, told
from tests.e2e.product_forms import ADMIN, enter, make_product, product, unsaved
from tests.e2e.reordering import center, drag, lift, move


async def save(page: Page) -> None:
    await page.get_by_role("button", name="Save Changes").click()
    await told(page, "Product saved")
    await expect(unsaved(page)).to_have_count(0)


async def test_many_products_are_found_previewed_and_changed_at_once(page: Page) -> None:
    word = f"Bulk{uuid4().hex[:6]}"
    await enter(page)
    first, second = await make_product(page, f"{word} One", 50), await make_product(page, f"{word} Two", 80)

    await page.goto("/admin?tab=products")
    await page.get_by_label("Find by name or SKU").fill(word)
    await page.get_by_label("Sort").select_option("Name")
    rows = page.get_by_role("table", name="Products").get_by_role("rowheader")
    await expect(rows).to_have_text([f"{word} One", f"{word} Two"])
    await page.reload()
    await expect(rows).to_have_text([f"{word} One", f"{word} Two"])
    await pick(page.get_by_role("checkbox", name="Select all on this page"))
    await page.get_by_role("group", name="Selected products").get_by_role("button", name="Price").click()
    await page.get_by_label("Percent").fill("10")
    await page.get_by_role("button", name="Preview").click()
    plan = page.get_by_role("table", name="What will change").get_by_role("row")
    await expect(plan.nth(1)).to_have_text(re.compile(r"One.*\$50\.00.*\$55\.00"))
    assert (await product(page, first))["price"] == 50
    await page.get_by_role("button", name="Change 2 products").click()

    await told(page, "2 products changed")
    assert [(await product(page, each))["price"] for each in (first, second)] == [55, 88]
    await expect(page.get_by_role("row", name=re.compile(f"{word} Two"))).to_contain_text("$88.00")

    await pick(page.get_by_role("checkbox", name=f"Select {word} Two"))
    await page.get_by_role("button", name="Retire", exact=True).click()
    await page.get_by_role("button", name="Preview").click()
    await page.get_by_role("button", name="Change 1 product").click()
    await expect(rows).to_have_text([f"{word} One"])
    await page.get_by_label("Show").select_option("Retired")
    await expect(rows).to_have_text([f"{word} Two"])


async def test_a_product_is_edited_whole_and_shoppers_see_it_at_once(page: Page) -> None:
    name = f"Edited {uuid4().hex[:6]}"
    await enter(page)
    product_id = await make_product(page, name)
    await page.goto(f"/admin/products/{product_id}")

    await page.get_by_label("Price", exact=True).fill("60.00")
    await page.get_by_label("red, M").fill("9")
    await expect(unsaved(page)).to_contain_text("2 unsaved changes: price, red M.")
    await page.get_by_role("button", name="Undo").click()
    await expect(page.get_by_label("Price", exact=True)).to_have_value("50.00")
    await page.get_by_label("Discounted price").fill("0")
    await expect(unsaved(page)).to_contain_text("1 field needs attention.")
    await expect(page.get_by_role("button", name="Save Changes")).to_be_disabled()
    await page.get_by_label("Discounted price").fill("40")
    await expect(page.get_by_label("About this product")).to_contain_text("-20%")
    await page.get_by_label("red, M").fill("9")
    await page.get_by_label("Why is the stock another one?").select_option("A delivery came in")
    await page.get_by_label("Color name").fill("Ecru")
    await page.get_by_role("button", name="Add color").click()
    await page.get_by_label("Ecru, S").fill("4")
    await page.get_by_role("button", name="Edit color blue").click()
    await page.get_by_role("dialog").get_by_label("Name").fill("Navy")
    await page.get_by_role("button", name="Done").click()
    await pick(page.get_by_role("checkbox", name="L", exact=True))
    await page.get_by_label("Navy, L").fill("2")
    await save(page)

    shown = await product(page, product_id)
    assert (shown["price"], shown["discountedPrice"], shown["discountPercentage"]) == (50, 40, 20)
    assert (shown["stock"], shown["sizes"], len(shown["colors"])) == (24, ["S", "M", "L"], 3)
    await page.goto(f"/product/{product_id}")
    await expect(page.get_by_role("heading", name=name)).to_be_visible()
    await expect(page.get_by_text("$40.00").first).to_be_visible()


PASTE = """(field, copied) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', copied);
  field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}"""


async def test_measurements_are_typed_pasted_as_a_block_and_seen_in_the_size_guide(page: Page) -> None:
    await enter(page)
    product_id = await make_product(page, f"Measured {uuid4().hex[:6]}")
    await page.goto(f"/admin/products/{product_id}")
    table = page.get_by_role("table", name="Measurements by point and size")

    await table.get_by_label("Collar, S").fill("15.5")
    await table.get_by_label("Shoulder, S").evaluate(PASTE, "17\t18.25\t19\r\n\t44\r\n")
    await expect(table.get_by_label("Chest, M")).to_have_value("44")
    await pick(page.get_by_role("radio", name="Centimeters"))
    await expect(table.get_by_label("Shoulder, M")).to_have_value("46.36")
    await table.get_by_label("Chest, S").fill("104")
    await save(page)

    await page.goto(f"/product/{product_id}")
    await page.get_by_role("link", name="Size guide").click()
    guide = page.get_by_role("dialog", name="Size guide").get_by_role("row")
    await expect(guide).to_contain_text(["SM", "A Collar15½", "B Shoulder1718¼", "C Chest4144"])


async def test_pictures_are_sent_ordered_described_and_taken_away(page: Page) -> None:
    await enter(page)
    product_id = await make_product(page, f"Pictured {uuid4().hex[:6]}")
    before = (await product(page, product_id))["imagePath"]
    await page.goto(f"/admin/products/{product_id}")
    await pick(page.get_by_role("radio", name="Every color 1"))
    board = page.get_by_role("list", name="Pictures, Every color")

    await page.locator('input[type="file"][multiple]').set_input_files([picture("back.png", "#c8c0b0")])
    await expect(board.get_by_role("button", name=re.compile("^Edit"))).to_have_count(2)
    await board.get_by_role("button", name="Edit Back.png").click()
    await page.get_by_label("What it shows").fill("From behind")
    await page.get_by_role("button", name="Done").click()
    await lift(page, board, "From behind", "2 of 2")
    await move(page, "ArrowLeft", "From behind is now 1 of 2.")
    await move(page, "Escape", "From behind is back, 2 of 2.")
    await expect(board.get_by_role("img").nth(1)).to_have_attribute("alt", "From behind")
    await lift(page, board, "From behind", "2 of 2")
    await move(page, "ArrowLeft", "From behind is now 1 of 2.")
    await move(page, "Space", "From behind is put down, 1 of 2.")
    await save(page)
    after = (await product(page, product_id))["imagePath"]
    assert (len(after), after[1]) == (2, before[0])
    await drag(page, board.locator("li").nth(1), board.locator("li").nth(0))
    await expect(unsaved(page)).to_contain_text("order of pictures")
    await board.get_by_role("button", name="Edit From behind").click()
    await page.get_by_role("button", name="Delete picture").click()
    await save(page)

    assert (await product(page, product_id))["imagePath"] == before


async def test_a_finger_that_rests_on_a_picture_moves_it_and_one_that_does_not_scrolls(phone: Page) -> None:
    await enter(phone)
    product_id = await make_product(phone, f"Touched {uuid4().hex[:6]}")
    await phone.goto(f"/admin/products/{product_id}")
    await pick(phone.get_by_role("radio", name="Every color 1"))
    board = phone.get_by_role("list", name="Pictures, Every color")
    await phone.locator('input[type="file"][multiple]').set_input_files([picture("back.png", "#c8c0b0")])
    await expect(board.get_by_role("button", name=re.compile("^Edit"))).to_have_count(2)
    await save(phone)
    tile = board.locator("li").nth(1)
    await tile.scroll_into_view_if_needed()
    screen = await phone.context.new_cdp_session(phone)

    async def touch(kind: str, *points: tuple[float, float]) -> None:
        await screen.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
        )

    async def slide(rest: float) -> None:
        (x, y), (to_x, to_y) = await center(tile), await center(board.locator("li").nth(0))
        await touch("touchStart", (x, y))
        await phone.wait_for_timeout(rest)
        for step in range(1, 11):
            await touch("touchMove", (x + (to_x - x) * step / 10, y + (to_y - y) * step / 10))
        await touch("touchEnd")

    await slide(rest=0)
    await expect(unsaved(phone)).to_have_count(0)
    await slide(rest=1_000)
    await expect(unsaved(phone)).to_contain_text("order of pictures")


async def test_colors_are_put_into_order_by_keys_and_by_mouse(page: Page) -> None:
    await enter(page)
    product_id = await make_product(page, f"Colored {uuid4().hex[:6]}")
    await page.goto(f"/admin/products/{product_id}")
    table = page.get_by_role("table", name="Stock and SKU by color and size")
    names = table.get_by_role("rowheader")

    await lift(page, table, "blue", "2 of 2")
    await move(page, "ArrowUp", "blue is now 1 of 2.")
    await move(page, "Space", "blue is put down, 1 of 2.")
    await expect(names).to_have_text([re.compile("^blue"), re.compile("^red"), "Sum"])
    await save(page)
    assert (await product(page, product_id))["colors"] == ["#0000ff", "#ff0000"]

    first, second = [table.get_by_role("button", name=re.compile(f"^Move {name}")) for name in ("blue", "red")]
    await drag(page, second, first)
    await expect(names).to_have_text([re.compile("^red"), re.compile("^blue"), "Sum"])
    await expect(unsaved(page)).to_contain_text("order of colors")


async def test_an_upload_can_be_stopped_and_leaves_nothing(page: Page) -> None:
    async def never(route: Route) -> None:
        await asyncio.sleep(0)

    await enter(page)
    product_id = await make_product(page, f"Stopped {uuid4().hex[:6]}")
    await page.goto(f"/admin/products/{product_id}")
    await page.route("**/uploads/images", never)

    await page.locator('input[type="file"][multiple]').set_input_files([picture("slow.png", "#c8c0b0")])
    await expect(unsaved(page)).to_contain_text("1 picture is on its way.")
    await expect(page.get_by_role("button", name="Save Changes")).to_be_disabled()
    await page.get_by_role("button", name="Stop uploading Slow.png").click()

    await expect(unsaved(page)).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1440])
async def test_no_message_covers_the_buttons_of_unsaved_changes(page: Page, width: int) -> None:
    async def fail(route: Route) -> None:
        names_it = (route.request.post_data_json or {}).get("operationName") == "UpdateProduct"
        await (route.fulfill(status=503, json={"errors": [{"message": "Away."}]}) if names_it else route.continue_())

    await page.set_viewport_size({"width": width, "height": 900})
    await enter(page)
    await page.goto(f"/admin/products/{await make_product(page, f'Covered {uuid4().hex[:6]}')}")
    await page.route("**/graphql", fail)
    await page.get_by_label("Price", exact=True).fill("65.00")

    await page.get_by_role("button", name="Save Changes").click()
    message = page.locator("[class*=toast]").filter(has_text=re.compile(r"\w"))
    await message.wait_for()

    edge = "(one) => { const { top, bottom } = one.getBoundingClientRect(); return [top, bottom]; }"
    (_, end_of_message), (top_of_bar, _) = [await each.evaluate(edge) for each in (message, unsaved(page))]
    assert end_of_message <= top_of_bar


async def test_the_second_of_two_admins_is_told_and_loses_nothing(page: Page) -> None:
    await enter(page)
    product_id = await make_product(page, f"Shared {uuid4().hex[:6]}")
    await page.goto(f"/admin/products/{product_id}")
    other = await page.context.new_page()
    await other.goto(f"/admin/products/{product_id}")
    await other.get_by_label("Price", exact=True).fill("70.00")
    await other.get_by_label("Subtitle").fill("Brushed cotton")
    await page.get_by_label("Price", exact=True).fill("65.00")
    await page.get_by_label("Description").fill("Rewritten.")

    await save(other)
    await page.get_by_role("button", name="Save Changes").click()
    dialog = page.get_by_role("dialog", name="This product has changed")
    await expect(dialog).to_contain_text("owner@minimal.test has changed it")
    await expect(dialog).to_contain_text("price, $50.00 to $70.00")
    await expect(dialog).to_contain_text("You have changed the same: price.")
    await dialog.get_by_role("button", name="Keep my changes").click()
    await expect(page.get_by_label("Subtitle")).to_have_value("Brushed cotton")
    await save(page)

    shown = await product(page, product_id)
    assert (shown["price"], shown["subtitle"], shown["description"]) == (65, "Brushed cotton", "Rewritten.")


async def test_nobody_leaves_unsaved_changes_without_being_asked(page: Page) -> None:
    await enter(page)
    product_id = await make_product(page, f"Left {uuid4().hex[:6]}")
    await page.goto("/admin?tab=products")
    await page.get_by_role("rowheader").get_by_role("link").first.click()
    await page.wait_for_url("**/admin/products/*")
    await page.get_by_label("Subtitle").fill("Not saved")
    here = page.url
    dialog = page.get_by_role("dialog", name="Leave without saving?")

    await page.get_by_role("link", name="Product Control").click()
    await expect(dialog).to_contain_text("subtitle")
    await dialog.get_by_role("button", name="Stay").click()
    await page.go_back()
    await expect(dialog).to_be_visible()
    await expect(page).to_have_url(here)
    await dialog.get_by_role("button", name="Stay").click()
    await expect(page.get_by_label("Subtitle")).to_have_value("Not saved")
    await page.go_back()
    await dialog.get_by_role("button", name="Leave").click()

    await page.wait_for_url("**/admin?tab=products")
    assert (await product(page, product_id))["subtitle"] == "Plain cotton"


async def test_who_leaves_unsaved_changes_for_the_shop_is_asked_once_and_by_the_page(page: Page) -> None:
    asked_by_the_browser: list[str] = []

    async def stay(dialog: Dialog) -> None:
        asked_by_the_browser.append(dialog.type)
        await dialog.dismiss()

    page.on("dialog", stay)
    await enter(page)
    product_id = await make_product(page, f"Left {uuid4().hex[:6]}")
    await page.goto(f"/admin/products/{product_id}")
    await page.get_by_label("Subtitle").fill("Not saved")

    async with page.expect_event("dialog"):
        await page.close(run_before_unload=True)
    await page.get_by_role("link", name="Minimal, home").click()
    await page.get_by_role("dialog", name="Leave without saving?").get_by_role("button", name="Leave").click()

    await expect(page.get_by_role("heading", name="New in")).to_be_visible()
    assert asked_by_the_browser == ["beforeunload"]


async def test_a_product_is_duplicated_retired_and_restored_by_the_owner_alone(page: Page) -> None:
    await enter(page)
    name = f"Twin {uuid4().hex[:6]}"
    product_id = await make_product(page, name)
    await page.goto(f"/admin/products/{product_id}")

    await page.get_by_role("button", name="Duplicate").click()
    await expect(page.get_by_label("Name", exact=True)).to_have_value(f"{name} copy")
    about = page.get_by_label("About this product")
    await expect(about).to_contain_text("Retired")
    copy_id = page.url.rpartition("/")[2]
    assert (await page.request.get(f"/api/product/{copy_id}")).status == 404
    await about.get_by_role("button", name="Restore").click()
    await expect(about.get_by_role("button", name="Retire")).to_be_visible()
    assert (await page.request.get(f"/api/product/{copy_id}")).status == 200
    await about.get_by_role("button", name="Retire").click()
    await page.get_by_role("dialog").get_by_role("button", name="Retire").click()
    await expect(about.get_by_role("button", name="Restore")).to_be_visible()
    await page.context.clear_cookies()
    await enter(page, ADMIN)
    await page.goto(f"/admin/products/{product_id}")

    await expect(about.get_by_role("button", name="Duplicate")).to_be_disabled()
    await expect(about.get_by_role("button", name="Retire")).to_be_disabled()
    await expect(page.get_by_text("You lack privileges to use these controls")).to_be_visible()
    await page.get_by_label("Subtitle").fill("By an admin")
    await save(page)
    assert (await product(page, product_id))["subtitle"] == "By an admin"
