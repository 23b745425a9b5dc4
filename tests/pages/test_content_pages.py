"""Pages that the owner writes, as shoppers and search engines see them."""

import asyncio
from pathlib import Path
from time import monotonic
from xml.etree.ElementTree import fromstring

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from tests.catalog.goods import put_on_offer
from tests.catalog.storefront import PORT, Storefront, ask, client_of, open_app
from tests.content.written import DELETE, UNPUBLISH, created, published, text, updated
from tests.media.drawings import drawn
from tests.pages.drawn_pages import failures, outline
from tests.pages.test_html import problems
from tests.statements import counted_statements

ORIGIN = f"http://localhost:{PORT}"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
EVERY_BLOCK = [
    {"quotation": {"quote": "It lasts.", "by": "A shopper"}},
    {"shelf": {"heading": "Cotton shirts", "department": "men", "productKind": "shirts"}},
    {"twoColumns": {"left": "The left one.", "right": "The right one."}},
    {"questions": {"heading": "Questions", "questions": [{"question": "Why?", "answer": "Because it *breathes*."}]}},
    {"freeText": {"text": "# Care\n\nWash [cold](/help/faq)."}},
]
HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</script><svg/onload=alert(1)>",
    '[x](https://a.test/"onmouseover=alert(1)//)',
    "[x](<https://a.test/?'><script>alert(1)</script>>)",
    '<https://a.test/"><script>alert(1)</script>>',
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "```html\n<iframe srcdoc='<script>alert(1)</script>'>\n```",
    "<!--app-state--> <!--head--> <!-- --><style>*{display:none}</style>",
]


async def uploaded(storefront: Storefront) -> str:
    answer = await storefront.admin.post("/uploads/images", content=drawn("PNG"), headers={"content-type": "image/png"})
    return str(answer.json()["id"])


async def test_a_page_of_every_block_is_drawn_whole(storefront: Storefront, session: AsyncSession) -> None:
    await put_on_offer(session, pictures=1)
    picture = {"imageId": await uploaded(storefront), "alt": "A field"}
    slide = {"heading": "Picked by hand", "text": "In June.", "picture": picture, "button": "Look", "link": "/sale"}
    words = {"heading": "Spun", "text": "By *Ana*.", "picture": {**picture, "alt": "A spindle"}, "side": "RIGHT"}
    blocks = [{"hero": {"slides": [slide, {**slide, "heading": "Sewn"}]}}, {"pictureWithWords": words}, *EVERY_BLOCK]
    draft = await updated(storefront, await created(storefront), *blocks, description="What it is made of.")
    await published(storefront, draft)

    response = await storefront.visitor.get("/pages/cotton")

    page = outline(response)
    assert (response.status_code, failures(storefront)) == (200, 0)
    assert "<!--$!-->" not in response.text
    shown = ("Picked by hand", "Sewn", "Spun", "It lasts.", "Oxford Shirt", "The right one.", "Why?", "Care")
    assert [each for each in shown if each not in page.words] == []
    assert 'Wash <a href="/help/faq" rel="noopener noreferrer">cold</a>' in response.text
    assert {each["alt"] for each in page.all("img")} >= {"A field", "A spindle"}
    assert len(page.all("h1")) == 1
    assert problems({"/pages/cotton": response.text}) == {}


async def test_a_page_says_what_it_is_to_search_engines(storefront: Storefront) -> None:
    picture = {"imageId": await uploaded(storefront), "alt": "A field"}
    draft = await updated(
        storefront, await created(storefront), {"pictureWithWords": {"picture": picture}}, description="From seed."
    )
    await published(storefront, draft)

    page = outline(await storefront.visitor.get("/pages/cotton?utm_source=mail"))

    assert "Our cotton - Minimal" in page.words
    assert page.all("link", rel="canonical") == [{"rel": "canonical", "href": f"{ORIGIN}/pages/cotton"}]
    assert page.all("meta", name="description")[0]["content"] == "From seed."
    assert (page.all("meta", property="og:image")[0]["content"] or "").startswith(f"{ORIGIN}/images/")
    [preloaded] = page.all("link", rel="preload", **{"as": "image"})
    assert preloaded["imagesrcset"] == page.all("source", type="image/avif")[0]["srcset"]
    said = page.linked()
    assert (said["WebPage"]["name"], said["WebPage"]["url"]) == ("Our cotton", f"{ORIGIN}/pages/cotton")
    assert [each["name"] for each in said["BreadcrumbList"]["itemListElement"]] == ["Home", "Our cotton"]


async def test_only_what_is_published_has_an_address(storefront: Storefront) -> None:
    statuses = []

    async def look() -> None:
        response = await storefront.visitor.get("/pages/cotton")
        statuses.append(response.status_code)
        if response.status_code == 404:
            assert outline(response).all("meta", name="robots", content="noindex")

    await look()
    page = await updated(storefront, await created(storefront), text("One"))
    await look()
    await published(storefront, page)
    await look()
    await ask(storefront.primary, UNPUBLISH, id=page["id"])
    await look()
    await published(storefront, page)
    await look()
    await ask(storefront.primary, DELETE, id=page["id"])
    await look()

    assert statuses == [404, 404, 200, 404, 200, 404]


async def test_a_change_is_seen_in_every_process_within_a_second(
    storefront: Storefront, database_url: str, tmp_path: Path
) -> None:
    page = await published(storefront, await updated(storefront, await created(storefront), text("Words 1")))
    async with open_app(database_url, tmp_path) as other:
        visitors = [client_of(storefront.app), client_of(other)]
        for visitor in visitors:
            assert "Words 1" in (await visitor.get("/pages/cotton")).text

        for words in ("Words 2", "Words 3"):
            page = await published(storefront, await updated(storefront, page, text(words)))
            deadline = monotonic() + 1.0
            for visitor in visitors:
                while words not in (await visitor.get("/pages/cotton")).text:
                    assert monotonic() < deadline, f"{words} is not seen within a second"
                    await asyncio.sleep(0.01)
        for visitor in visitors:
            await visitor.aclose()


async def test_another_drawing_of_a_page_costs_no_statement(storefront: Storefront, session: AsyncSession) -> None:
    await put_on_offer(session, pictures=1)
    await published(storefront, await updated(storefront, await created(storefront), *EVERY_BLOCK))
    await storefront.visitor.get("/pages/cotton")

    async with client_of(storefront.app) as visitor:
        with counted_statements() as statements:
            response = await visitor.get("/pages/cotton?q=drawn-anew")

    assert "Oxford Shirt" in response.text
    assert statements == []


@pytest.mark.parametrize("words", HOSTILE)
async def test_markdown_runs_and_styles_nothing_on_a_page(storefront: Storefront, words: str) -> None:
    blocks = [
        text(words),
        {"twoColumns": {"left": words, "right": "Plain"}},
        {"questions": {"questions": [{"question": words, "answer": words}]}},
        {"quotation": {"quote": words, "by": words}},
    ]
    plain = await published(storefront, await updated(storefront, await created(storefront), text("Plain")))
    harmless = outline(await storefront.visitor.get("/pages/cotton"))
    answer = await updated(storefront, plain, *blocks, title=words[:120], description=words[:300])
    assert answer["__typename"] == "EditablePage", answer
    await published(storefront, answer)

    response = await storefront.visitor.get("/pages/cotton")

    page = outline(response)
    assert response.status_code == 200
    assert len(page.all("script")) == len(harmless.all("script"))
    assert [each for each in page.scripts if each.startswith("alert")] == []
    tags = {name for name, _ in page.elements} - {name for name, _ in harmless.elements}
    written = {"p", "a", "code", "pre", "blockquote"}
    assert tags <= written | {"figure", "figcaption", "section", "details", "summary", "svg", "path"}
    handlers = [name for _, attributes in page.elements for name in attributes if name.startswith("on")]
    assert handlers == []


async def test_the_sitemap_names_published_pages_with_their_times(storefront: Storefront) -> None:
    await published(storefront, await updated(storefront, await created(storefront, "linen"), text("One")))
    await created(storefront, "draft")

    sitemap = fromstring((await storefront.visitor.get("/sitemap.xml")).text)

    times = {
        str(place.findtext(f"{SITEMAP}loc")).removeprefix(ORIGIN): place.findtext(f"{SITEMAP}lastmod")
        for place in sitemap.iter(f"{SITEMAP}url")
    }
    assert [path for path in times if path.startswith("/pages/")] == ["/pages/linen"]
    assert (times["/pages/linen"] or "").startswith("20")


async def test_unknown_addresses_push_no_page_out_of_memory(storefront: Storefront) -> None:
    await published(storefront, await updated(storefront, await created(storefront), text("One")))
    views = storefront.app.state.shop.pages.views
    await storefront.visitor.get("/sitemap.xml")

    for address in ("/pages/cotton", "/pages/a", "/pages/b", "/pages/%22"):
        await storefront.visitor.get(address)

    assert len(views.cache._entries) == 1
    assert len(views.endless_cache._entries) == 3
