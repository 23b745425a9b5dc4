"""Keyboard accessibility: everything is reached by Tab, and focus is never lost."""

import re

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.browsing import PASSWORD, PATIENCE, new_context, open_at
from tests.e2e.conftest import DESKTOP
from tests.e2e.purchases import Piece, new_email
from tests.e2e.whole_shop import WholeShop

FOCUSED = """() => {
  const one = document.activeElement;
  if (one.matches('body, main')) return 'nothing';
  const label = one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent;
  return `${one.getAttribute('role') ?? (one.matches('input') ? one.type : one.tagName.toLowerCase())} ${label.trim()}`;
}"""
MOST_TABS = 150
OWN_HEIGHT = 1920
"""Pixels down of every picture of the demo shop."""


async def tab_to(page: Page, name: str, *, back: bool = False) -> None:
    """Presses Tab until something of that name, a pattern, has the focus."""
    passed: list[str] = []
    for _ in range(MOST_TABS):
        await page.keyboard.press("Shift+Tab" if back else "Tab")
        passed.append(str(await page.evaluate(FOCUSED)))
        if re.search(name, passed[-1]):
            return
    raise AssertionError(f"Tab never came to {name!r}, but to {passed}")


async def focused(page: Page) -> str:
    return str(await page.evaluate(FOCUSED))


async def has_focus(page: Page, name: str, *, whole: bool = True) -> None:
    """Waits until what has the focus is called so, or, if not the whole name is given, has it in its name."""
    for _ in range(PATIENCE // 50):
        label = await focused(page)
        if label == name or (not whole and name in label):
            return
        await page.wait_for_timeout(50)
    raise AssertionError(f"The focus never came to {name!r}, but to {label!r}")


async def type_into(page: Page, **fields: str) -> None:
    """Each field by Tab, in the order given; underscores stand for what is between the words of a label."""
    for label, text in fields.items():
        await tab_to(page, label.replace("_", ".*"))
        await page.keyboard.type(text)


async def first_product(page: Page) -> str:
    await open_at(page, "/category/men/shirts")
    href = await page.get_by_role("article").first.get_by_role("heading").get_by_role("link").get_attribute("href")
    assert href is not None
    return href


async def test_the_first_tab_leads_past_the_header(page: Page) -> None:
    await open_at(page, "/")

    await page.keyboard.press("Tab")
    await has_focus(page, "a Skip to content")
    await expect(page.get_by_role("link", name="Skip to content")).to_be_in_viewport()
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")

    assert await page.evaluate("() => document.activeElement.closest('main') !== null")


async def test_the_menu_takes_the_focus_and_gives_it_back(page: Page) -> None:
    await open_at(page, "/")

    await tab_to(page, "^button Menu$")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("region", name="Men", exact=True)).to_be_visible()
    await expect(page.get_by_role("link", name="View All").first).to_be_focused()
    await page.keyboard.press("Escape")

    await expect(page.get_by_role("button", name="Menu")).to_be_focused()
    await expect(page.get_by_role("region", name="Men", exact=True)).to_be_hidden()


async def test_a_link_of_the_menu_is_followed(page: Page) -> None:
    await open_at(page, "/")
    await tab_to(page, "^button Menu$")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("link", name="View All").first).to_be_focused()

    await tab_to(page, "^a Trousers$")
    await page.keyboard.press("Enter")

    await expect(page).to_have_url(re.compile("/category/women/trousers$"))
    await expect(page.locator("main")).to_be_focused()


async def test_the_account_menu_is_walked_by_arrows(page: Page) -> None:
    await open_at(page, "/")

    await tab_to(page, "^button Sign In$")
    await page.keyboard.press("Enter")
    await page.keyboard.press("ArrowDown")
    await has_focus(page, "a Sign In")
    await page.keyboard.press("ArrowDown")
    await has_focus(page, "a Wishlist")
    await page.keyboard.press("Escape")

    await expect(page.get_by_role("button", name="Sign In")).to_be_focused()


async def test_search_is_steered_by_arrows_and_enter(page: Page) -> None:
    await open_at(page, "/")
    await tab_to(page, "^button Search$")
    await page.keyboard.press("Enter")
    box = page.get_by_role("combobox", name="Search")
    await expect(box).to_be_focused()

    await page.keyboard.type("oxfrod")
    results = page.get_by_role("search").get_by_role("option")
    await expect(results.first).to_be_visible()
    await expect(page.get_by_role("search").get_by_role("status")).to_contain_text("Showing oxford")
    await page.keyboard.press("ArrowDown")
    await expect(results.first).to_have_attribute("aria-selected", "true")
    await expect(box).to_have_attribute("aria-activedescendant", str(await results.first.get_attribute("id")))
    href = await results.first.get_attribute("href")
    await page.keyboard.press("Enter")

    await expect(page).to_have_url(re.compile(f"{href}$"))


async def test_esc_closes_the_search_and_gives_the_focus_back(page: Page) -> None:
    await open_at(page, "/")
    await tab_to(page, "^button Search$")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("combobox", name="Search")).to_be_focused()

    await page.keyboard.press("Escape")

    await expect(page.get_by_role("combobox")).to_be_hidden()
    await has_focus(page, "button Search")


async def test_a_list_is_narrowed_ordered_and_shown_as_rows(page: Page) -> None:
    await open_at(page, "/category/men/jeans")

    await tab_to(page, "^button Size")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("checkbox", name="XS")).to_be_visible()
    await tab_to(page, "^checkbox M$")
    await page.keyboard.press("Space")
    await expect(page).to_have_url(re.compile(r"\?size=M$"))
    await page.keyboard.press("Escape")
    await has_focus(page, "button Size", whole=False)

    await tab_to(page, "^button Order")
    await page.keyboard.press("Enter")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile("sort=newest"))

    await tab_to(page, "^button List$")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="List")).to_have_attribute("aria-pressed", "true")


async def test_the_filters_of_a_phone_are_a_dialog_that_gives_the_focus_back(phone: Page) -> None:
    await open_at(phone, "/category/men/jeans")

    await tab_to(phone, "^button Filter")
    await phone.keyboard.press("Enter")
    await expect(phone.get_by_role("dialog")).to_be_visible()
    assert await phone.evaluate("() => document.activeElement.closest('dialog') !== null")
    await phone.keyboard.press("Escape")

    await expect(phone.get_by_role("dialog")).to_be_hidden()
    await has_focus(phone, "button Filter", whole=False)


async def test_the_pictures_of_a_card_are_turned(page: Page) -> None:
    await open_at(page, "/category/men/shirts")
    card = page.get_by_role("article").first

    await tab_to(page, "^button Next picture$")
    await page.keyboard.press("Enter")

    await expect(card.get_by_role("button", name="Picture 2 of")).to_have_attribute("aria-current", "true")


async def test_the_pictures_of_a_product_are_enlarged_turned_and_left(page: Page) -> None:
    await open_at(page, await first_product(page))

    await tab_to(page, "^button Enlarge")
    await page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    await expect(dialog).to_be_visible()
    await page.keyboard.press("+")
    await expect(dialog.get_by_role("status")).to_contain_text("150 %")
    await page.keyboard.press("+")
    await expect(dialog.get_by_role("button", name="Larger")).to_have_attribute("aria-disabled", "true")
    box = await dialog.get_by_role("img").bounding_box()
    assert box is not None
    assert box["height"] == pytest.approx(OWN_HEIGHT, abs=1)
    await page.keyboard.press("0")
    await page.keyboard.press("ArrowRight")
    await expect(dialog.get_by_role("status")).to_contain_text("2 / 3")
    await page.keyboard.press("Escape")

    await expect(dialog).to_be_hidden()
    await expect(page.get_by_role("button", name=re.compile("^Enlarge: .* back$"))).to_be_focused()


async def test_a_dense_screen_shows_every_pixel_of_a_picture_and_offers_no_more(
    browser: Browser, shop: WholeShop
) -> None:
    context = await new_context(browser, shop, viewport=DESKTOP, device_scale_factor=3)
    page = await context.new_page()
    await open_at(page, await first_product(page))

    await page.get_by_role("button", name="Enlarge").first.click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_role("button", name="Next picture")).to_be_visible()
    await page.keyboard.press("+")

    await expect(dialog.get_by_role("button", name="Larger")).to_be_hidden()
    box = await dialog.get_by_role("img").bounding_box()
    assert box is not None
    assert box["height"] == pytest.approx(OWN_HEIGHT / 3, abs=1)
    await context.close()


async def test_a_dialog_keeps_the_focus_and_gives_it_back(page: Page) -> None:
    await open_at(page, await first_product(page))

    await tab_to(page, " Size guide$")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog")).to_be_visible()
    assert await page.evaluate("() => document.activeElement.closest('dialog') !== null")
    for _ in range(12):
        await page.keyboard.press("Tab")
        assert await page.evaluate(
            "() => document.activeElement.closest('dialog, body > *')?.matches('dialog') ?? true"
        )
    await page.keyboard.press("Escape")

    await expect(page.get_by_role("dialog")).to_be_hidden()
    await has_focus(page, "Size guide", whole=False)


async def test_everything_from_choosing_to_paying(page: Page, piece: Piece) -> None:
    await open_at(page, f"/product/{piece.product_id}")
    await choose_by_keys(page, "Color", piece.color)
    await choose_by_keys(page, "Size", piece.size)
    await tab_to(page, "^button One more$")
    await page.keyboard.press("Enter")
    await tab_to(page, "^button Add to Cart")
    await page.keyboard.press("Enter")

    await page.wait_for_url("**/signin?**")
    await tab_to(page, "^a Sign up$")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/signup?**")
    await type_into(page, Full_name="Ada Lovelace", email=new_email(), password=PASSWORD)
    await page.keyboard.press("Enter")
    await page.wait_for_url(f"**/product/{piece.product_id}*")
    await expect(page.get_by_role("link", name=re.compile("^Cart"))).to_contain_text("1")

    await tab_to(page, "^a Cart", back=True)
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/cart")
    await expect(page.get_by_text(piece.name).first).to_be_visible()
    await tab_to(page, "^button One less$")
    await page.keyboard.press("Enter")
    await expect(page.locator("output").first).to_have_text("1")
    await tab_to(page, "^a Proceed to Checkout")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/checkout")

    await tab_to(page, "^a Add New Address")
    await page.keyboard.press("Enter")
    await type_into(page, Full_name="Ada Lovelace", Address_line_1="12 St James's Square", City="London")
    await expect(page.get_by_role("option", name="United Kingdom")).to_be_attached()
    await type_into(page, Country="United Kingdom", Phone="+44 20 7946 0958")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/checkout")
    await tab_to(page, "^button Proceed to Payment")
    await page.keyboard.press("Enter")

    form = page.frame_locator('iframe[title="Secure checkout"]')
    await form.get_by_label("Card number").wait_for()
    await tab_to(page, "^iframe")


async def choose_by_keys(page: Page, group: str, name: str) -> None:
    """Tab into a group of radio buttons, then arrows."""
    radios = page.locator("main").get_by_role("radiogroup", name=group, exact=True).get_by_role("radio")
    names = [str(await radio.get_attribute("aria-label")) for radio in await radios.all()]
    await tab_to(page, f"^radio ({'|'.join(map(re.escape, names))})$")
    await page.keyboard.press("Space")
    for _ in names:
        if re.match(rf"radio {name}\b", await focused(page)):
            return
        await page.keyboard.press("ArrowRight")
    raise AssertionError(f"{name} is not among {names}")


async def test_what_comes_into_the_cart_and_what_is_removed_is_said_aloud(page: Page, piece: Piece) -> None:
    await open_at(page, "/signup")
    await type_into(page, Full_name="Ada Lovelace", email=new_email(), password=PASSWORD)
    await page.keyboard.press("Enter")
    await page.wait_for_url(re.compile("/$"))
    await open_at(page, f"/product/{piece.product_id}")
    await choose_by_keys(page, "Color", piece.color)
    await choose_by_keys(page, "Size", piece.size)

    await tab_to(page, "^button Add to Cart")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status").filter(has_text="Added to your cart").first).to_be_attached()
    await open_at(page, "/cart")
    await tab_to(page, "^button Remove")
    await page.keyboard.press("Enter")

    await expect(page.get_by_role("status").filter(has_text="Item removed from cart")).to_be_attached()
    assert await page.evaluate("() => document.activeElement !== document.body")


async def test_the_slideshow_is_stopped_and_its_tabs_are_walked(page: Page) -> None:
    await open_at(page, "/")

    await tab_to(page, "^tab Men$")
    await page.keyboard.press("ArrowRight")
    await expect(page.get_by_role("tab", name="Women")).to_have_attribute("aria-selected", "true")
    await tab_to(page, "^button Pause$")
    await page.keyboard.press("Enter")
    await has_focus(page, "button Play")
    shown = page.locator("main").get_by_role("heading", level=1)
    before = await shown.inner_text()
    await page.keyboard.press("Tab")
    await page.wait_for_timeout(4000)

    assert await shown.inner_text() == before


MOVING = """() => document.getAnimations()
  .filter((one) => one.playState === 'running' && one.effect.getComputedTiming().duration > 1).length"""


@pytest.mark.parametrize("address", ["/", "/category/men", "/search?q=linen", "/signin"])
async def test_nothing_moves_for_who_wants_it_still(browser: Browser, shop: WholeShop, address: str) -> None:
    context = await new_context(browser, shop, viewport=DESKTOP, reduced_motion="reduce")
    page = await context.new_page()
    await open_at(page, address)
    heading = page.get_by_role("heading", level=1)
    before = await heading.inner_text()

    moving = await page.evaluate(MOVING)
    await page.wait_for_timeout(3500 if address == "/" else 0)
    after = await heading.inner_text()
    await context.close()

    assert moving == 0
    assert after == before
