"""The sitemap, the product feed and robots.txt."""

from xml.etree.ElementTree import Element, fromstring

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from server.pages.addresses import PUBLIC
from tests.catalog.goods import BLACK, SKY, put_on_offer
from tests.catalog.storefront import PORT, Storefront
from tests.pages.screens import screens

ORIGIN = f"http://localhost:{PORT}"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
GOOGLE = "{http://base.google.com/ns/1.0}"


def xml(response: httpx.Response) -> Element:
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/xml"
    return fromstring(response.text)


async def addresses(storefront: Storefront) -> list[str]:
    sitemap = xml(await storefront.visitor.get("/sitemap.xml"))
    return [str(place.text).removeprefix(ORIGIN) for place in sitemap.iter(f"{SITEMAP}loc")]


def field(item: Element, name: str) -> str | None:
    return item.findtext(name if name in ("title", "link", "description") else GOOGLE + name)


async def test_the_sitemap_names_every_page_that_is_open_to_all(storefront: Storefront, session: AsyncSession) -> None:
    product = await put_on_offer(session)

    urls = await addresses(storefront)

    assert f"/product/{product}" in urls
    assert {"/", "/category/women/trousers", "/category/sale/men", "/help/faq", "/terms"} <= set(urls)
    assert len(urls) == len(set(urls))
    for address in urls:
        assert PUBLIC.fullmatch(address)
        assert (await storefront.visitor.get(address)).status_code == 200


async def test_the_sitemap_grows_beyond_one_batch(
    storefront: Storefront, session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.pages.feeds.BATCH", 2)
    products = {f"/product/{await put_on_offer(session, f'Shirt {number}')}" for number in range(5)}

    urls = await addresses(storefront)

    assert {address for address in urls if address.startswith("/product/")} == products


async def test_the_sitemap_ends_where_the_protocol_ends(
    storefront: Storefront, session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    fixed = len(await addresses(storefront))
    monkeypatch.setattr("server.pages.feeds.SITEMAP_LIMIT", fixed + 3)
    for number in range(5):
        await put_on_offer(session, f"Shirt {number}")

    assert len(await addresses(storefront)) == fixed + 3


async def test_the_feed_has_every_variant_with_its_own_stock_color_and_address(
    storefront: Storefront, session: AsyncSession
) -> None:
    product = await put_on_offer(session, discounted=6_000, colors=[SKY, BLACK], stock={("Sky", "S"): 1}, pictures=1)

    items = list(xml(await storefront.visitor.get("/feed.xml")).iter("item"))

    assert [(field(item, "title"), field(item, "availability")) for item in items] == [
        ("Oxford Shirt, Sky, S", "in_stock"),
        ("Oxford Shirt, Sky, M", "out_of_stock"),
        ("Oxford Shirt, Black, S", "out_of_stock"),
        ("Oxford Shirt, Black, M", "out_of_stock"),
    ]
    assert {field(item, "item_group_id") for item in items} == {str(product)}
    assert {(field(item, "price"), field(item, "sale_price")) for item in items} == {("89.00 USD", "60.00 USD")}
    assert all((field(item, "link") or "").startswith(f"{ORIGIN}/product/{product}?variant=") for item in items)
    assert len({field(item, "image_link") for item in items}) == 2
    assert len({field(item, "id") for item in items}) == 4


async def test_the_feed_leaves_out_a_discount_that_does_not_count(
    storefront: Storefront, session: AsyncSession
) -> None:
    await put_on_offer(session, price=8_900, discounted=9_500, sizes=["M"])

    [item] = xml(await storefront.visitor.get("/feed.xml")).iter("item")

    assert (field(item, "price"), field(item, "sale_price")) == ("89.00 USD", None)


async def test_feed_gives_the_window_of_a_discount(storefront: Storefront, session: AsyncSession) -> None:
    await put_on_offer(session, "Ends", discounted=6_000, sizes=["M"])
    await put_on_offer(session, "Endless", discounted=6_000, sizes=["M"])
    await put_on_offer(session, "Over", discounted=6_000, sizes=["M"])
    windows = {"Ends": "'2026-01-02T03:04:05Z', '2999-01-01Z'", "Over": "'2026-01-01Z', '2026-01-02Z'"}
    for name, window in windows.items():
        columns = "(discount_starts_at, discount_ends_at)"
        await session.execute(text(f"UPDATE products SET {columns} = ({window}) WHERE name = '{name}'"))
    await session.commit()

    items = list(xml(await storefront.visitor.get("/feed.xml")).iter("item"))

    assert {field(item, "title"): field(item, "sale_price_effective_date") for item in items} == {
        "Ends, Sky, M": "2026-01-02T03:04:05+0000/2999-01-01T00:00:00+0000",
        "Endless, Sky, M": None,
        "Over, Sky, M": None,
    }


async def test_feed_has_the_other_pictures_of_a_color(storefront: Storefront, session: AsyncSession) -> None:
    await put_on_offer(session, "Plain", sizes=["M"], pictures=1)
    await put_on_offer(session, "Seen", sizes=["M"], pictures=3)
    await put_on_offer(session, "Seen often", sizes=["M"], pictures=13)

    items = list(xml(await storefront.visitor.get("/feed.xml")).iter("item"))

    pictures = {
        field(item, "title"): [field(item, "image_link")]
        + [picture.text for picture in item.iter(f"{GOOGLE}additional_image_link")]
        for item in items
    }
    assert {title: len(set(links)) for title, links in pictures.items()} == {
        "Plain, Sky, M": 1,
        "Seen, Sky, M": 3,
        "Seen often, Sky, M": 11,
    }
    assert all(link and link.startswith(f"{ORIGIN}/images/") for links in pictures.values() for link in links)


async def test_feed_keeps_within_lengths_that_google_reads(storefront: Storefront, session: AsyncSession) -> None:
    color = ("Blue" * 50, "#b9cce3")
    await put_on_offer(session, "Long " * 40, colors=[SKY, color], sizes=["S", "XL"])
    await session.execute(text("UPDATE products SET description = repeat('Wool. ', 1000)"))
    await session.execute(text("UPDATE variants SET sku = sku || repeat('-', 55) WHERE size = 'XL'"))
    await session.commit()

    items = list(xml(await storefront.visitor.get("/feed.xml")).iter("item"))

    titles = [field(item, "title") or "" for item in items]
    assert [len(title) <= 150 for title in titles] == [True] * 4
    assert titles[0] == f"{'Long ' * 28}L…, Sky, S"
    assert len(set(titles)) == 4
    assert {len(field(item, "description") or "") for item in items} == {5_000}
    assert [len(field(item, "id") or "") <= 50 for item in items] == [True] * 4
    assert {len(field(item, "color") or "") for item in items} == {3, 100}


async def test_sitemap_says_when_a_product_was_edited(storefront: Storefront, session: AsyncSession) -> None:
    await put_on_offer(session)
    await session.execute(text("UPDATE products SET updated_at = '2026-03-04T05:06:07Z'"))
    await session.commit()

    sitemap = xml(await storefront.visitor.get("/sitemap.xml"))

    changed = {
        str(place.findtext(f"{SITEMAP}loc")).removeprefix(ORIGIN)[:9]: place.findtext(f"{SITEMAP}lastmod")
        for place in sitemap.iter(f"{SITEMAP}url")
    }
    assert changed["/product/"] == "2026-03-04T05:06:07+00:00"
    assert changed["/"] is None


async def test_a_name_cannot_break_the_feed(storefront: Storefront, session: AsyncSession) -> None:
    await put_on_offer(session, "A </title><item> & \x0b\x1f ]]> B", sizes=["M"])

    [item] = xml(await storefront.visitor.get("/feed.xml")).iter("item")

    assert field(item, "title") == "A </title><item> &  ]]> B, Sky, M"


async def test_what_is_no_longer_sold_is_in_neither(storefront: Storefront, session: AsyncSession) -> None:
    product = await put_on_offer(session)
    response = await storefront.primary.delete(f"/api/product/{product}", headers={"content-type": "application/json"})
    assert response.status_code in (200, 204), response.text

    assert f"/product/{product}" not in await addresses(storefront)
    assert list(xml(await storefront.visitor.get("/feed.xml")).iter("item")) == []


async def test_robots_may_look_at_the_shop_and_at_nothing_private(storefront: Storefront) -> None:
    lines = (await storefront.visitor.get("/robots.txt")).text.splitlines()

    closed = [line.removeprefix("Disallow: ") for line in lines if line.startswith("Disallow: ")]
    private = [path for path in screens() if not PUBLIC.fullmatch(path)]
    assert {"/cart", "/admin", "/admin/orders/018cc251"} <= set(private)
    assert [path for path in private if not path.startswith(tuple(closed))] == []
    assert [path for path in await addresses(storefront) if path.startswith(tuple(closed))] == []
    assert f"Sitemap: {ORIGIN}/sitemap.xml" in lines


async def test_a_password_manager_is_led_to_the_account(storefront: Storefront) -> None:
    page = await storefront.visitor.get("/.well-known/change-password")

    assert (page.status_code, page.headers["location"]) == (302, "/account")
