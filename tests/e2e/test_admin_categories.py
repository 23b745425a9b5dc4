"""Categories in the browser: made, renamed, ordered, hidden, merged and deleted, and what shoppers see of that."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

from playwright.async_api import Page, expect

from tests.e2e.browsing import JSON, pick, told
from tests.e2e.product_forms import ADMIN, enter, fill_in_product, unsaved
from tests.e2e.reordering import drag, lift, move

SCREEN = "/admin/categories"


async def mutate(page: Page, mutation: str) -> dict[str, Any]:
    """The answer to a mutation of categories by the account that the page is signed in with."""
    document = f"mutation {{ {mutation} {{ __typename ... on UserError {{ message }} }} }}"
    answer: dict[str, Any] = await (await page.request.post("/graphql", data={"query": document}, headers=JSON)).json()
    return answer


@asynccontextmanager
async def made(page: Page, *kinds: str) -> AsyncIterator[str]:
    """A department with these categories, each called like its kind; gives its key. All of it is gone afterwards."""
    key = f"kids{uuid4().hex[:6]}"
    try:
        await changed(
            page, f'createDepartment(key: "{key}", input: {{name: "{key}", heading: "For {key}", slug: "{key}"}})'
        )
        for kind in kinds:
            words = f'{{name: "{kind.capitalize()}", slug: "{kind}"}}'
            await changed(page, f'createCategory(department: "{key}", kind: "{kind}", input: {words})')
        yield key
    finally:
        await remove(page, key, *kinds)


async def changed(page: Page, mutation: str) -> None:
    answer = await mutate(page, mutation)
    assert "errors" not in answer, answer
    assert [each["__typename"] for each in answer["data"].values()] == ["CategoriesChanged"], answer


async def remove(page: Page, department: str, *kinds: str) -> None:
    """Nothing of it is left in the menu that other tests see; some may be gone already."""
    for kind in kinds:
        await mutate(page, f'deleteCategory(key: "{department}_{kind}")')
    await mutate(page, f'deleteDepartment(key: "{department}")')


async def save(page: Page, name: str) -> None:
    await page.get_by_role("button", name="Save Changes").click()
    await told(page, f"{name} is saved")
    await expect(unsaved(page)).to_have_count(0)


async def test_a_new_category_is_in_the_menu_and_its_old_address_redirects(page: Page) -> None:
    name = f"Kids {uuid4().hex[:6]}"
    key = name.lower().replace(" ", "-")
    await enter(page)
    await page.goto(SCREEN)

    await page.get_by_role("button", name="Add a department").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name").fill(name)
    await dialog.get_by_role("button", name="Add", exact=True).click()
    await expect(dialog.get_by_text("A heading is required")).to_be_visible()
    await dialog.get_by_label("Heading").fill(f"For {name}")
    await dialog.get_by_role("button", name="Add", exact=True).click()
    await expect(page.get_by_role("heading", name=name)).to_be_visible()
    await page.get_by_role("button", name="Add a category").click()
    await dialog.get_by_label("Department").select_option(name)
    await dialog.get_by_label("Name").fill("Sun hats")
    await dialog.get_by_role("button", name="Add", exact=True).click()
    await expect(page.get_by_role("heading", name=f"Sun hats in {name}")).to_be_visible()

    await page.goto("/menu")
    await page.get_by_role("region", name=name).get_by_role("link", name="Sun hats").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(f"For {name}")
    await expect(page).to_have_url(re.compile(f"/category/{key}/sun-hats$"))

    await page.goto(f"{SCREEN}/{key}_sun-hats")
    await page.get_by_label("Name").fill("Caps")
    await page.get_by_label("Address").fill("caps")
    await expect(page.get_by_text(f"/category/{key}/sun-hats will lead here, with 301.")).to_be_visible()
    await expect(unsaved(page)).to_contain_text("2 unsaved changes: name, address.")
    await save(page, "Caps")
    old = await page.request.get(f"/category/{key}/sun-hats", max_redirects=0)
    assert (old.status, old.headers["location"]) == (301, f"/category/{key}/caps")
    await page.goto(f"/category/{key}/sun-hats")
    await expect(page).to_have_url(re.compile(f"/category/{key}/caps$"))
    await expect(page.get_by_role("main").get_by_role("link", name="Caps")).to_be_visible()

    await page.goto(f"{SCREEN}/{key}")
    await page.get_by_role("button", name="Delete").click()
    await expect(dialog).to_contain_text("It has a category. Delete or merge it first.")
    await dialog.get_by_role("button", name="Close").click()
    await page.get_by_role("link", name=re.compile("^Caps")).click()
    await page.get_by_role("button", name="Delete").click()
    await dialog.get_by_role("button", name="Delete").click()
    await told(page, "Caps is deleted")
    await page.get_by_role("link", name=re.compile(f"^{name}")).click()
    await page.get_by_role("button", name="Delete").click()
    await dialog.get_by_role("button", name="Delete").click()
    await told(page, f"{name} is deleted")
    await expect(page).to_have_url(re.compile(f"{SCREEN}$"))


async def test_categories_are_ordered_by_keyboard_mouse_and_buttons(page: Page) -> None:
    await enter(page)
    async with made(page, "hats", "caps", "scarves") as key:
        await page.goto(SCREEN)
        among = page.get_by_role("list", name=key)
        names = among.get_by_role("link")

        await lift(page, among, "Scarves", "3 of 3")
        await move(page, "ArrowUp", "Scarves is now 2 of 3.")
        await move(page, "Space", "Scarves is put down, 2 of 3.")
        await expect(names).to_contain_text(["Hats", "Scarves", "Caps"])
        await drag(page, among.get_by_role("button", name="Move Caps"), among.get_by_role("button", name="Move Hats"))
        await expect(names).to_contain_text(["Caps", "Hats", "Scarves"])
        await names.filter(has_text="Hats").click()
        async with page.expect_response(lambda answer: "MoveCategory" in (answer.request.post_data or "")):
            await page.get_by_role("button", name="Move down").press("Enter")
        await expect(names).to_contain_text(["Caps", "Scarves", "Hats"])
        await expect(page.get_by_role("button", name="Move down")).to_be_focused()

        await page.goto("/menu")
        links = page.get_by_role("region", name=key).get_by_role("link")
        await expect(links).to_have_text(["View All", "Caps", "Scarves", "Hats"])


async def test_a_category_is_hidden_and_shown_again(page: Page) -> None:
    await enter(page)
    async with made(page, "hats") as key:
        await page.goto(f"{SCREEN}/{key}_hats")

        await pick(page.get_by_role("radio", name="Hidden"))
        await expect(page.get_by_text("In no menu, its page is not there.")).to_be_visible()
        await save(page, "Hats")
        assert (await page.request.get(f"/category/{key}/hats")).status == 404
        await expect(page.get_by_role("list", name=key)).to_contain_text("Hidden")
        await pick(page.get_by_role("radio", name="Shown"))
        await save(page, "Hats")

        assert (await page.request.get(f"/category/{key}/hats")).status == 200


async def test_merging_says_what_moves_and_leads_to_the_other_category(page: Page) -> None:
    await enter(page)
    async with made(page, "hats", "caps") as key:
        await page.goto(f"{SCREEN}/{key}_caps")

        await page.get_by_role("button", name="Merge into another").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_contain_text(f"/category/{key}/caps will lead there, with 301.")
        await dialog.get_by_label("Into").select_option(f"{key}_hats")
        await dialog.get_by_role("button", name="Merge into another").click()

        await told(page, "Caps is merged")
        await expect(page.get_by_role("heading", name=f"Hats in {key}")).to_be_visible()
        old = await page.request.get(f"/category/{key}/caps", max_redirects=0)
        assert (old.status, old.headers["location"]) == (301, f"/category/{key}/hats")


async def test_a_category_with_products_says_why_it_stays(page: Page) -> None:
    await enter(page)
    await page.goto(f"{SCREEN}/men_jeans")

    await page.get_by_role("button", name="Delete").click()

    await expect(page.get_by_role("dialog")).to_contain_text(re.compile(r"[\d,]+ products are in it\. Merge it"))
    await expect(page.get_by_role("dialog").get_by_role("button", name="Delete")).to_have_count(0)


async def test_two_admins_changes_of_one_category_are_both_kept(page: Page) -> None:
    await enter(page)
    async with made(page, "hats") as key:
        await page.goto(f"{SCREEN}/{key}_hats")
        await page.get_by_label("Heading").fill("Hats for the beach")
        await changed(page, f'updateCategory(key: "{key}_hats", version: 1, input: {{name: "Sun hats", slug: "hats"}})')

        await page.get_by_role("button", name="Save Changes").click()
        dialog = page.get_by_role("dialog", name="Hats has changed")
        await expect(dialog.get_by_role("list", name="Changed meanwhile")).to_have_text("name, Hats to Sun hats")
        await dialog.get_by_role("button", name="Keep my changes").click()
        await expect(page.get_by_label("Name")).to_have_value("Sun hats")
        await expect(page.get_by_label("Heading")).to_have_value("Hats for the beach")
        await save(page, "Sun hats")

        await page.goto(f"/category/{key}/hats")
        await expect(page.get_by_role("heading", level=1)).to_have_text("Hats for the beach")
        await expect(page.get_by_role("main").get_by_role("link", name="Sun hats")).to_be_visible()


async def test_what_was_typed_stays_when_another_admin_has_deleted_the_category(page: Page) -> None:
    await enter(page)
    async with made(page, "hats") as key:
        await page.goto(f"{SCREEN}/{key}_hats")
        await page.get_by_label("Heading").fill("Hats for the beach")
        await changed(page, f'deleteCategory(key: "{key}_hats")')

        await page.get_by_role("button", name="Save Changes").click()
        await expect(page.get_by_role("alert")).to_contain_text("This category")
        await expect(page.get_by_label("Heading")).to_have_value("Hats for the beach")
        await page.get_by_role("link", name="Product Control").click()
        await expect(page.get_by_role("dialog")).to_contain_text("heading")


async def test_a_phone_shows_the_tree_or_one_category_alone(phone: Page) -> None:
    await enter(phone)
    await phone.goto(SCREEN)
    tree = phone.get_by_role("list", name="Categories")

    await tree.get_by_role("list", name="Men", exact=True).get_by_role("link", name=re.compile("^Jeans")).tap()
    heading = phone.get_by_role("heading", name="Jeans in Men")
    await expect(heading).to_be_focused()
    await expect(tree).to_be_hidden()
    await phone.get_by_label("Address").fill("denim")
    await expect(phone.get_by_role("button", name="Save Changes")).to_be_in_viewport(ratio=1)
    await phone.get_by_role("button", name="Undo").tap()
    await phone.get_by_role("link", name="All categories").tap()

    await expect(tree).to_be_visible()
    await expect(heading).to_have_count(0)


async def test_another_admin_reads_categories_that_only_the_owner_changes(page: Page) -> None:
    await enter(page, ADMIN)
    await page.goto(f"{SCREEN}/men_jeans")

    await expect(page.get_by_text("You lack privileges to use these controls")).to_be_visible()
    await expect(page.get_by_label("Name")).to_be_disabled()
    await expect(page.get_by_role("button", name="Add a category")).to_be_disabled()
    await expect(page.get_by_role("button", name=re.compile("^Move "))).to_have_count(0)


async def test_a_product_is_made_in_a_new_category_and_stands_in_its_list(page: Page) -> None:
    name = f"Boater {uuid4().hex[:6]}"
    await enter(page)
    async with made(page, "hats", "caps") as key:
        await page.goto("/admin?tab=create")
        await fill_in_product(page, name, department=key, category="Hats")
        await page.get_by_role("button", name="Create Product").click()
        await told(page, "Product created successfully")

        await page.goto(f"/category/{key}/hats")
        await expect(page.get_by_role("article", name=name)).to_be_visible()
        await page.goto("/admin?tab=products")
        await pick(page.get_by_role("radio", name=key))
        await expect(page.get_by_role("table", name="Products").get_by_role("rowheader")).to_have_text([name])
        await page.goto("/admin/stock?show=all")
        await page.get_by_label("Cut for").select_option(key)
        await expect(page.get_by_role("main")).to_contain_text(name)

        await changed(page, f'mergeCategories(key: "{key}_hats", into: "men_shirts")')
