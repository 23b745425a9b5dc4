"""The back office sends a picture straight to a bucket: what a browser allows by CORS and the page's own policy."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from playwright.async_api import Browser, Page, Request, expect

from tests.bucket import keys, opened
from tests.e2e.back_office import picture
from tests.e2e.browsing import new_context
from tests.e2e.conftest import DESKTOP, copy_of
from tests.e2e.product_forms import enter, make_product, unsaved
from tests.e2e.whole_shop import WholeShop


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with opened("pictures", monkeypatch) as own_bucket:
        yield own_bucket


@pytest.fixture
def shop_with_bucket(demo: Path, bucket: Any) -> Iterator[WholeShop]:
    with copy_of(demo, IMAGES_URL="s3://pictures", DIRECT_UPLOADS="true") as shop:
        allow(bucket, shop.url)
        yield shop


def allow(bucket: Any, origin: str) -> None:
    """Has the bucket take files from the pages of one origin alone."""
    rule = {"AllowedOrigins": [origin], "AllowedMethods": ["PUT"], "AllowedHeaders": ["content-type"]}
    bucket.Cors().put(CORSConfiguration={"CORSRules": [rule]})


@asynccontextmanager
async def uploads_of(page: Page) -> AsyncIterator[list[str]]:
    """The methods and addresses that pictures are sent to."""
    sent: list[str] = []

    def note(request: Request) -> None:
        if "/uploads/" in request.url:
            sent.append(f"{request.method} {request.url.partition('?')[0]}")

    page.on("requestfinished", note)
    yield sent
    page.remove_listener("requestfinished", note)


async def test_a_picture_goes_to_the_bucket_and_without_its_leave_to_the_shop(
    browser: Browser, shop_with_bucket: WholeShop, bucket: Any
) -> None:
    shop, endpoint = shop_with_bucket, bucket.meta.client.meta.endpoint_url
    context = await new_context(browser, shop, viewport=DESKTOP)
    page = await context.new_page()
    await enter(page)
    product = f"/admin/products/{await make_product(page, f'Direct {uuid4().hex[:6]}')}"
    of_product = keys(bucket)

    async def add(name: str) -> list[str]:
        await page.goto(product)
        async with uploads_of(page) as sent:
            await page.locator('input[type="file"][multiple]').set_input_files([picture(name, "#c8c0b0")])
            await expect(unsaved(page).get_by_role("button", name="Save Changes")).to_be_enabled()
        return sent

    direct = await add("front.png")
    taken = set(keys(bucket)) - set(of_product)
    allow(bucket, "https://elsewhere.example")
    through_the_shop = await add("back.png")
    await context.close()

    [signed, put, took] = direct
    place = f"{endpoint}/pictures/uploads/"
    assert signed == f"POST {shop.url}/uploads/images/signed"
    assert put.startswith(f"PUT {place}")
    assert took == f"POST {shop.url}/uploads/images/signed/{put.rpartition('/')[2]}"
    assert len([key for key in taken if key.endswith("/original")]) == 1
    assert [each for each in keys(bucket) if each.startswith("uploads/")] == []
    assert through_the_shop == [signed, f"POST {shop.url}/uploads/images"]
