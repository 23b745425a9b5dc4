"""Public pages are server-rendered with their data and with metadata for search engines."""

import asyncio
import json
import re
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from tests.catalog.goods import SKY, put_on_offer
from tests.catalog.storefront import PORT, Storefront
from tests.pages.drawn_pages import HOSTILE, failures, outline

ORIGIN = f"http://localhost:{PORT}"
PUBLIC = [
    "/",
    "/menu",
    "/search",
    "/search?q=oxford",
    "/category/men",
    "/category/men/shirts?sort=price&size=S,M&color=Blue&from=10&to=200&stock=in&sale=on",
    "/category/women/trousers",
    "/category/sale",
    "/category/sale/women",
    "/help/payment",
    "/help/shipping",
    "/help/returns",
    "/help/faq",
    "/help/how-to-buy",
    "/stores",
    "/about",
    "/contact",
    "/privacy",
    "/terms",
]


@pytest.mark.spec("screens.visitor.browse")
async def test_every_public_page_is_drawn_whole(
    storefront: Storefront, session: AsyncSession, subtests: pytest.Subtests
) -> None:
    await put_on_offer(session, pictures=2, discounted=6_000)

    for address in PUBLIC:
        with subtests.test(address):
            response = await storefront.visitor.get(address)

            assert response.status_code == 200
            assert '<main id="content"' in response.text
            assert "<!--$!-->" not in response.text
            assert "<!--$?-->" not in response.text
            assert failures(storefront) == 0


async def test_a_product_says_what_it_is_to_search_engines(storefront: Storefront, session: AsyncSession) -> None:
    product = await put_on_offer(session, discounted=6_000, pictures=1, stock={("Sky", "S"): 0, ("Sky", "M"): 2})

    page = outline(await storefront.visitor.get(f"/product/{product}?variant=x&utm_source=mail"))

    said = page.linked()
    offers = [variant["offers"] for variant in said["ProductGroup"]["hasVariant"]]
    assert [(o["price"], o["priceCurrency"], o["availability"].rpartition("/")[2]) for o in offers] == [
        ("60.00", "USD", "OutOfStock"),
        ("60.00", "USD", "InStock"),
    ]
    assert [step["name"] for step in said["BreadcrumbList"]["itemListElement"]] == [
        "Home",
        "Men",
        "Shirts",
        "Oxford Shirt",
    ]
    assert page.all("link", rel="canonical") == [{"rel": "canonical", "href": f"{ORIGIN}/product/{product}"}]
    assert page.all("meta", property="og:type")[0]["content"] == "product"
    assert page.all("meta", name="description")[0]["content"] == "A paragraph."
    [picture] = page.all("link", rel="preload", **{"as": "image"})
    assert picture["imagesrcset"] == page.all("source", type="image/avif")[0]["srcset"]
    assert re.fullmatch(r"(/assets/\S+ )+/assets/index-\S+ (\S+ )*/assets/product-\S+", page.modules)
    assert page.all("script", type="module") == page.all("link", rel="modulepreload") == []
    assert (await storefront.visitor.get("/")).text.count('"@type":"Organization"') == 1


async def test_the_data_of_the_page_is_what_the_client_would_ask_for(
    storefront: Storefront, session: AsyncSession
) -> None:
    product = await put_on_offer(session)

    page = outline(await storefront.visitor.get(f"/product/{product}"))

    [state] = [script for script in page.scripts if script.startswith("[")]
    answer, related = json.loads(state)
    assert (answer["operation"], answer["variables"]) == ("Product", {"id": str(product)})
    assert (related["operation"], related["data"]["product"]["related"]) == ("GoesWith", [])
    assert answer["data"]["product"]["name"] == "Oxford Shirt"
    assert answer["data"]["product"]["__typename"] == "Product"


async def test_a_name_can_end_no_element_and_begin_none(storefront: Storefront, session: AsyncSession) -> None:
    product = await put_on_offer(session, HOSTILE, colors=[SKY], pictures=1)
    plain = await put_on_offer(session, "Oxford Shirt", colors=[SKY], pictures=1)

    hostile = outline(await storefront.visitor.get(f"/product/{product}"))
    harmless = outline(await storefront.visitor.get(f"/product/{plain}"))

    assert hostile.linked()["ProductGroup"]["name"] == HOSTILE
    assert HOSTILE in hostile.words
    assert [name for name, _ in hostile.elements] == [name for name, _ in harmless.elements]


@pytest.mark.spec("screens.visitor.browse")
@pytest.mark.parametrize(
    "query", ["</title><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "%", "a%20b+c"]
)
async def test_a_search_shows_its_words_and_runs_none(storefront: Storefront, query: str) -> None:
    response = await storefront.visitor.get("/search", params={"q": query})

    page = outline(response)
    assert response.status_code == 200
    assert not page.all("img", src="x")
    assert [script for script in page.scripts if script.startswith("alert")] == []


async def test_what_does_not_exist_is_a_404_that_leads_on(storefront: Storefront, subtests: pytest.Subtests) -> None:
    for address in ("/nope", "/category/dogs", "/category/men/skirts", "/product/nope", "/product/0/1", "/about/"):
        with subtests.test(address):
            response = await storefront.visitor.get(address)

            page = outline(response)
            assert response.status_code == 404
            assert page.all("meta", name="robots", content="noindex")
            assert page.all("link", rel="canonical") == []
            assert '<main id="content"' in response.text


async def test_nothing_below_a_path_of_files_is_a_plain_404(storefront: Storefront, subtests: pytest.Subtests) -> None:
    for address in ("/images/one/", "/images/one/two/three", "/early.jsx", "/livez/"):
        with subtests.test(address):
            response = await storefront.visitor.get(address)

            assert (response.status_code, response.text) == (404, "Not found")


async def test_a_changed_product_changes_its_page(storefront: Storefront, session: AsyncSession) -> None:
    product = await put_on_offer(session)
    address = f"/product/{product}"
    assert "$89.00" in (await storefront.visitor.get(address)).text

    await session.execute(text("UPDATE products SET price_cents = 9100"))
    await session.commit()

    async with asyncio.timeout(30):
        while "$91.00" not in (await storefront.visitor.get(address)).text:  # noqa: ASYNC110 - LISTEN tells nobody
            await asyncio.sleep(0.02)


async def test_a_page_is_drawn_once_for_however_many_ask(
    storefront: Storefront, session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    product = await put_on_offer(session)
    renderer = storefront.app.state.shop.pages.views.renderer
    drawn: list[str] = []
    draw = renderer.draw

    async def counting(url: str, *given: Any, **also: Any) -> Any:
        drawn.append(url)
        return await draw(url, *given, **also)

    monkeypatch.setattr(renderer, "draw", counting)
    await storefront.visitor.get(f"/product/{product}")
    drawn.clear()

    address = f"/product/{product}?quantity=2"
    pages = await asyncio.gather(*(storefront.visitor.get(address) for _ in range(20)))
    again = await storefront.visitor.get(f"{address}&utm_source=mail")

    assert len({page.text for page in [*pages, again]}) == 1
    assert len(drawn) == 2


async def test_somebody_signed_in_gets_the_page_of_everybody(storefront: Storefront, session: AsyncSession) -> None:
    await put_on_offer(session)

    pages = [await client.get("/category/men/shirts") for client in (storefront.visitor, storefront.admin)]

    assert pages[0].text == pages[1].text
    assert "Alan Turing" not in pages[1].text


@pytest.mark.spec("screens.footer.year")
async def test_footer_year_turns_on_cached_and_prebuilt_pages(
    storefront: Storefront, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    old = datetime(2031, 12, 31, 23, 59, 59, 900_000, tzinfo=UTC)
    pages = {"a rendered page": "/about", "an unknown page": "/nope", "a private page": "/account"}
    pages["the back office"] = "/admin"
    for name, address in pages.items():
        with subtests.test(name):
            monkeypatch.setattr("server.pages.shell.clock", SimpleNamespace(now=lambda: old))
            assert years_in((await storefront.visitor.get(address)).text) == {"2031"}

            monkeypatch.setattr("server.pages.shell.clock", SimpleNamespace(now=lambda: old + timedelta(seconds=1)))
            async with asyncio.timeout(30):
                while years_in((await storefront.visitor.get(address)).text) != {"2032"}:  # noqa: ASYNC110 - no event
                    await asyncio.sleep(0.02)


def years_in(html: str) -> set[str]:
    """What stands as the year after each copyright sign."""
    return set(re.findall(r"©(?: |<!-- -->)*([^ <]+)", html))


async def test_a_private_screen_is_left_to_the_browser(storefront: Storefront, subtests: pytest.Subtests) -> None:
    for address in ("/cart", "/account", "/offline", "/admin", "/checkout"):
        with subtests.test(address):
            response = await storefront.visitor.get(address)

            assert response.status_code == 200
            assert '<div id="root"></div>' in response.text
            assert "<title>Minimal</title>" in response.text
            assert "This page needs JavaScript" in response.text


async def test_a_page_that_cannot_be_drawn_is_counted_and_comes_with_its_data(
    storefront: Storefront, session: AsyncSession
) -> None:
    product = await put_on_offer(session)
    renderer = storefront.app.state.shop.pages.views.renderer
    await storefront.visitor.get("/about")
    broken = "const whole = firstView.render; firstView.render = (url, known, owner) => {"
    await renderer._evaluate(
        f"{broken} if (known !== '[]') throw new Error('broken'); return whole(url, known, owner); }}; 1"
    )

    response = await storefront.visitor.get(f"/product/{product}")
    again = await storefront.visitor.get(f"/product/{product}")

    page = outline(response)
    assert response.status_code == 200
    assert again.text == response.text
    assert '<div id="root"></div>' in response.text
    assert page.all("script", type="module")
    assert page.all("meta", name="modules") == []
    assert page.linked()["ProductGroup"]["name"] == "Oxford Shirt"
    assert json.loads(next(script for script in page.scripts if script.startswith("[")))[0]["operation"] == "Product"
    assert failures(storefront) == 1


async def test_a_page_that_takes_too_long_is_given_up_and_the_next_one_is_drawn(
    storefront: Storefront, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.platform.pages.renderer.LONGEST_SECONDS", 2.0)
    renderer = storefront.app.state.shop.pages.views.renderer
    await storefront.visitor.get("/about")
    await renderer._evaluate("firstView.render = () => { while (true) {} }; 1")

    given_up = await storefront.visitor.get("/terms")
    drawn = await storefront.visitor.get("/privacy")

    assert (given_up.status_code, drawn.status_code) == (200, 200)
    assert '<div id="root"></div>' in given_up.text
    assert '<main id="content"' in drawn.text
    assert failures(storefront) >= 1


async def test_every_screen_that_is_drawn_names_its_files(storefront: Storefront) -> None:
    for address in ["/", "/category/men", "/search", "/about", "/contact", "/signin", "/signup", "/forgot-password"]:
        page = outline(await storefront.visitor.get(address))

        files = [link["href"] for link in page.all("link") if re.match("/assets/.*(js|css)$", link["href"] or "")]
        files += page.modules.split()
        assert len(files) == len(set(files))
        assert len(page.modules.split()) > 3
        for file in files:
            assert (await storefront.visitor.get(str(file))).status_code == 200
