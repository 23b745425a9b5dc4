"""How much a first visit costs, counted on the wire: `just budget` shows the table."""

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import orjson
import pytest
from playwright.async_api import Browser, CDPSession, Page

from tests.e2e.browsing import new_context
from tests.e2e.conftest import PHONE
from tests.e2e.whole_shop import ROOT, SECONDS_TO_ANSWER, WholeShop

JS_TO_BEGIN = {"home": 135_500, "category": 140_500, "product": 140_500}
JS_UNTOUCHED = 155_000
CSS = 20_000
FONTS = 60_000
SCREENS = tuple(JS_TO_BEGIN)
CLIENT = ROOT / "client"
BACK_OFFICE = re.compile(r"src/(features/(admin|analytics)/|routes/admin)")


@dataclass
class Visit:
    """What a new visitor's browser fetched from the shop itself until its network fell silent."""

    address: str
    requests: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Address and kind by request."""
    first: set[str] = field(default_factory=set)
    """Requests sent until the page was loaded and React had taken it over."""
    sizes: dict[str, int] = field(default_factory=dict)
    """Bytes that came over the wire, headers included."""

    def bytes_of(self, kind: str, *, first: bool = False) -> int:
        requests = self.first if first else self.requests.keys()
        return sum(self.sizes.get(request, 0) for request in requests if self.requests[request][1] == kind)

    @property
    def scripts(self) -> list[str]:
        return sorted({urlsplit(url).path for url, kind in self.requests.values() if kind == "Script"})


def _listen(cdp: CDPSession, visit: Visit, shop: str) -> None:
    def sent(event: dict[str, Any]) -> None:
        if event["request"]["url"].startswith(shop):
            visit.requests[event["requestId"]] = (event["request"]["url"], event["type"])

    def finished(event: dict[str, Any]) -> None:
        visit.sizes[event["requestId"]] = int(event["encodedDataLength"])

    def stands(_event: dict[str, Any]) -> None:
        visit.first = set(visit.requests)

    cdp.on("Network.requestWillBeSent", sent)
    cdp.on("Network.loadingFinished", finished)
    cdp.on("Page.loadEventFired", stands)
    cdp.on("Runtime.bindingCalled", stands)


@asynccontextmanager
async def _new_visitor(browser: Browser, shop: WholeShop) -> AsyncIterator[Page]:
    context = await new_context(browser, shop, viewport=PHONE, is_mobile=True, has_touch=True, service_workers="allow")
    yield await context.new_page()
    await context.close()


async def _drawn(shop: WholeShop, address: str) -> str:
    """The HTML of a page, once it comes drawn: a server that had no time to draw it sends it undrawn for a while."""
    async with httpx.AsyncClient(base_url=shop.url, timeout=SECONDS_TO_ANSWER) as client:
        for _ in range(SECONDS_TO_ANSWER):
            html = (await client.get(address)).text
            if '<meta name="modules"' in html:
                return html
            await asyncio.sleep(1)
    raise AssertionError(f"{address} is never drawn.")


@pytest.fixture(scope="module")
async def visits(browser: Browser, shop: WholeShop) -> dict[str, Visit]:
    """A first visit to each of the three screens, by a phone."""
    product = re.search(r'href="(/product/[^"?]+)"', await _drawn(shop, "/category/men"))
    assert product is not None
    visits = {name: Visit(at) for name, at in zip(SCREENS, ["/", "/category/men", product[1]], strict=True)}
    for visit in visits.values():
        await _drawn(shop, visit.address)
        async with _new_visitor(browser, shop) as page:
            cdp = await page.context.new_cdp_session(page)
            await cdp.send("Network.enable")
            await cdp.send("Page.enable")
            await cdp.send("Runtime.enable")
            await cdp.send("Runtime.addBinding", {"name": "takenOver"})
            await page.add_init_script("addEventListener('taken-over', () => takenOver(''))")
            _listen(cdp, visit, shop.url)
            await page.goto(visit.address, wait_until="networkidle")
            # What is begun by a timer after the load counts as well.
            await page.wait_for_timeout(1_000)
            await page.wait_for_load_state("networkidle")
    _show(visits)
    return visits


def _show(visits: dict[str, Visit]) -> None:
    """Thousands of bytes; the limits in the last line."""
    write = sys.stdout.write
    write(f"\n{'kB, compressed':16}{'JS to begin':>16}{'JS untouched':>14}{'CSS':>8}{'fonts':>8}\n")
    for name, visit in visits.items():
        scripts = visit.bytes_of("Script", first=True), visit.bytes_of("Script")
        write(_line(name, *scripts, visit.bytes_of("Stylesheet"), visit.bytes_of("Font")))
    write(_line("at most", max(JS_TO_BEGIN.values()), JS_UNTOUCHED, CSS, FONTS))


def _line(name: str, *sizes: int) -> str:
    widths = (16, 14, 8, 8)
    return (
        f"{name:16}" + "".join(f"{size / 1000:>{width}.1f}" for size, width in zip(sizes, widths, strict=True)) + "\n"
    )


@pytest.mark.parametrize("screen", SCREENS)
async def test_a_first_visit_keeps_to_the_budget(visits: dict[str, Visit], screen: str) -> None:
    visit = visits[screen]

    assert 100_000 < visit.bytes_of("Script", first=True) <= JS_TO_BEGIN[screen]
    assert visit.bytes_of("Script") <= JS_UNTOUCHED
    assert 0 < visit.bytes_of("Stylesheet") <= CSS
    assert 0 < visit.bytes_of("Font") <= FONTS


@pytest.mark.parametrize("screen", SCREENS)
async def test_a_shopper_downloads_nothing_of_the_back_office(
    visits: dict[str, Visit], shop: WholeShop, screen: str
) -> None:
    scripts = visits[screen].scripts
    async with httpx.AsyncClient(base_url=shop.url, timeout=SECONDS_TO_ANSWER) as client:
        code = "\n".join([(await client.get(path)).text for path in scripts])

    assert [path for path in scripts if "/admin" in path] == []
    assert _named_in(code) == set()


def test_no_screen_of_the_shop_needs_a_chunk_of_the_back_office() -> None:
    manifest = orjson.loads((CLIENT / "dist/.vite/manifest.json").read_bytes())
    screens = [source for source in manifest if source.startswith("src/") and not BACK_OFFICE.match(source)]
    files = {file for source in screens for file in _needed(manifest, source) if file.endswith(".js")}
    code = "\n".join((CLIENT / "dist" / file).read_text() for file in files)

    assert len(screens) > 20
    assert "ProductList" in code
    assert _named_in(code) == set()


def _needed(manifest: dict[str, Any], source: str) -> Iterator[str]:
    chunk = manifest[source]
    yield chunk["file"]
    for other in chunk.get("imports", ()):
        yield from _needed(manifest, other)


def _named_in(code: str) -> set[str]:
    """Those operations of the back office that stand as documents in a script."""
    return {name for name in _operations_of_the_back_office() if re.search(rf"""value:["'`]{name}["'`]""", code)}


def _operations_of_the_back_office() -> set[str]:
    documents: list[Path] = [
        file for file in CLIENT.glob("src/**/*.graphql") if BACK_OFFICE.match(file.relative_to(CLIENT).as_posix())
    ]
    operations = {
        name for file in documents for name in re.findall(r"^(?:query|mutation|fragment) (\w+)", file.read_text(), re.M)
    }
    assert len(operations) > 5
    return operations
