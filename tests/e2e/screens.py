"""Every screen of the shop in every state worth a look: the list that pictures, axe and narrow windows go through."""

import asyncio
import re
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal

import httpx
from playwright.async_api import Browser, BrowserContext, Page, Request, Route, StorageState, ViewportSize, expect

from tests.e2e.accounts import mail_about
from tests.e2e.back_office import picture
from tests.e2e.browsing import DEMO_PASSWORD, IS_TAKEN_OVER, new_context, open_at, pick, signed_in, until
from tests.e2e.whole_shop import SECONDS_TO_ANSWER, WholeShop

SAME_ORIGIN = {"sec-fetch-site": "same-origin"}
PAID = "4242424242424242"
WIDE = 960

Who = Literal["visitor", "shopper", "newcomer", "admin", "owner"]
Act = Callable[[Page], Awaitable[object]]


@dataclass(frozen=True)
class Screen:
    """One state of one address. `{oxford}` and other words in braces stand for what a World has made."""

    name: str
    address: str
    act: Act | None = None
    who: Who = "visitor"
    on: Literal["phone", "desktop", "both"] = "both"
    waits: bool = False
    """Something it asked for will never come."""
    like: str = ""
    """The screen whose parts it has as well, which stands for it where there is no time for both."""

    def fits(self, width: int) -> bool:
        """Whether there is such a state in a window of this width."""
        return self.on == "both" or (self.on == "desktop") == (width >= WIDE)


def press(name: str, role: Literal["button", "link", "tab", "radio"] = "button") -> Act:
    """The first one of that name that can be seen."""
    return lambda page: page.get_by_role(role, name=re.compile(f"^{name}")).and_(page.locator(":visible")).first.click()


def fill(*values: tuple[str, str], then: str) -> Act:
    """Fields by their labels, then a button."""

    async def act(page: Page) -> None:
        for label, value in values:
            await page.get_by_label(label, exact=True).fill(value)
        await page.locator("main").get_by_role("button", name=then, exact=True).click()

    return act


def search(text: str) -> Act:
    """Types into the opened search box and waits until it has said how it went."""

    async def act(page: Page) -> None:
        await press("Search")(page)
        await page.get_by_role("combobox").fill(text)
        if text:
            await expect(page.get_by_role("search").get_by_role("status")).to_have_text(re.compile("[a-z]{4}"))

    return act


def choose(*names: str) -> Act:
    """Colors and sizes of a product, by their names."""

    async def act(page: Page) -> None:
        for name in names:
            await pick(page.get_by_role("radio", name=name, exact=True).first)

    return act


def see(role: Literal["link", "button", "dialog", "heading", "region"], name: str) -> Act:
    """Waits for what comes with code of its own."""

    async def act(page: Page) -> None:
        await page.get_by_role(role, name=name).first.wait_for()

    return act


def both(*acts: Act) -> Act:
    async def act(page: Page) -> None:
        for one in acts:
            await one(page)

    return act


def answered(operation: str, status: int | None) -> Act:
    """Loads the page again while one operation is answered by an error, or, with None, not at all."""

    async def act(page: Page) -> None:
        async def answer(route: Route) -> None:
            if (route.request.post_data_json or {}).get("operationName") != operation:
                await route.continue_()
            elif status is not None:
                await route.fulfill(status=status, json={"errors": [{"message": "The database is away."}]})

        await page.context.route("**/graphql", answer)
        await page.reload(wait_until="domcontentloaded")
        await page.get_by_role("main").get_by_text(re.compile("[a-z]{4}")).first.wait_for()

    return act


async def taken_over(page: Page) -> None:
    """From here on links are followed without asking the server for a page."""
    await until(page, IS_TAKEN_OVER)


async def scroll_past_the_button(page: Page) -> None:
    await page.mouse.wheel(0, 2400)
    await page.wait_for_timeout(300)


async def keep_two(page: Page) -> None:
    for at in range(2):
        await page.locator("main").get_by_role("button", name=re.compile("^Keep")).nth(at).click()
    await page.goto("/wishlist")
    await expect(page.locator("main").get_by_role("article")).to_have_count(2)


def show_block(kind: str) -> Act:
    """The first block of a kind in the form, and the preview beside it."""

    async def act(page: Page) -> None:
        await page.get_by_role("button", name=re.compile(f"^{kind}")).first.click()
        await page.frame_locator("iframe").get_by_role("heading").first.wait_for()

    return act


async def remove_the_first(page: Page) -> None:
    """The message is held by the focus; what was removed is back for whoever comes next."""
    product = await page.locator("main li a").first.get_attribute("href") or ""
    await page.locator("main").get_by_role("button", name=re.compile("^Remove")).first.click()
    await page.get_by_role("button", name="Undo", exact=True).focus()
    await page.request.post(
        "/api/cart", data={"productId": product.split("/")[-1], "quantity": 1, "price": 1}, headers=SAME_ORIGIN
    )


OPEN_MENU = both(press("Menu"), see("link", "Trousers"))
OPEN_FILTER = both(press("Filter"), see("dialog", ""))
OPEN_SIZE_GUIDE = both(press("Size guide", "link"), see("dialog", "Size guide"))

SHOPPING = [
    Screen("home", "/"),
    Screen("home-women", "/", press("Women", "tab"), like="home"),
    Screen("menu", "/category/men", OPEN_MENU),
    Screen("account-menu", "/", press("Sign In")),
    Screen("search-empty", "/category/men", search("")),
    Screen("search", "/category/men", search("linen")),
    Screen("search-slip", "/category/men", search("oxfrod"), like="search"),
    Screen("search-nothing", "/category/men", search("zzzzzz")),
    Screen("category", "/category/men", like="category-sale"),
    Screen("category-women-trousers", "/category/women/trousers", like="category-filtered"),
    Screen("category-sale", "/category/sale"),
    Screen("category-list", "/category/men", press("List"), on="desktop"),
    Screen("category-filter", "/category/men/jeans", OPEN_FILTER, on="phone"),
    Screen("category-filter-color", "/category/men/jeans", press("Color"), on="desktop"),
    Screen("category-filter-price", "/category/men/jeans", press("Price"), on="desktop"),
    Screen("category-order", "/category/men/jeans", press("Order")),
    Screen("category-filtered", "/category/women/jeans?size=M&stock=in&sort=price"),
    Screen("category-nothing", "/category/men/shirts?size=XS&to=1"),
    Screen("product", "/product/{oxford}", like="product-no-size"),
    Screen("product-discounted", "/product/{straight}"),
    Screen("product-few-left", "/product/{wide}", choose("Light Blue", "M")),
    Screen(
        "product-sold-out-size", "/product/{tapered}", choose("Mid Blue", "L, sold out"), like="product-mail-when-back"
    ),
    Screen("product-sold-out", "/product/{gingham}"),
    Screen("product-no-size", "/product/{oxford}", press("Add to Cart")),
    Screen("product-bar", "/product/{oxford}", scroll_past_the_button),
    Screen("product-zoom", "/product/{oxford}", press("Enlarge"), like="product-zoom-large"),
    Screen("product-zoom-large", "/product/{oxford}", both(press("Enlarge"), press("Larger"), press("Larger"))),
    Screen("product-size-guide", "/product/{oxford}", OPEN_SIZE_GUIDE),
    Screen("product-mail-when-back", "/product/{tapered}", both(choose("Mid Blue"), press("Mail me when"))),
    Screen("product-missing", "/product/018cc251-f400-7000-8000-000000000000"),
    Screen("search-page", "/search?q=linen", like="search-page-slip"),
    Screen("search-page-slip", "/search?q=oxfrod"),
    Screen("search-page-nothing", "/search?q=zzzzzz"),
    Screen("wishlist-empty", "/wishlist"),
    Screen("wishlist-visitor", "/category/women/shirts", keep_two, like="wishlist"),
    Screen("not-found", "/no-such-page"),
    Screen("menu-page", "/menu"),
    Screen("offline", "/offline"),
]

READING = [
    *(Screen(f"help-{topic}", f"/help/{topic}") for topic in ("shipping", "returns", "faq")),
    *(Screen(f"help-{topic}", f"/help/{topic}", like="help-returns") for topic in ("payment", "how-to-buy")),
    *(Screen(page, f"/{page}") for page in ("stores", "about", "contact", "privacy")),
    Screen("terms", "/terms", like="privacy"),
    Screen("page", "/pages/our-cotton"),
]

ENTERING = [
    Screen("signin", "/signin", like="signin-errors"),
    Screen("signin-errors", "/signin", fill(then="Continue")),
    Screen(
        "signin-refused",
        "/signin",
        fill(("E-mail", "nobody@minimal.test"), ("Password", "WrongHorse7!"), then="Continue"),
    ),
    Screen("signup", "/signup", like="signup-errors"),
    Screen("signup-errors", "/signup", fill(("Full name", "Ada"), ("Password", "short"), then="Get Started")),
    Screen("forgot-password", "/forgot-password", like="forgot-password-errors"),
    Screen("forgot-password-errors", "/forgot-password", fill(then="Send Reset Link")),
    Screen("reset-password", "/reset-password?token={reset}", like="reset-password-errors"),
    Screen("reset-password-errors", "/reset-password?token={reset}", fill(then="Reset Password")),
    Screen("reset-password-expired", "/reset-password?token=nothing", see("button", "Send Reset Link")),
]

BUYING = [
    Screen("cart", "/cart", who="shopper", like="cart-changed"),
    Screen("cart-changed", "/cart", who="admin"),
    Screen("cart-undo", "/cart", remove_the_first, who="newcomer"),
    Screen("cart-empty", "/cart", who="owner"),
    Screen(
        "cart-failed",
        "/about",
        both(answered("Cart", 503), taken_over, press("Cart", "link"), see("heading", "Unable to initialize payment")),
        who="shopper",
    ),
    Screen("checkout", "/checkout", who="shopper"),
    Screen("checkout-no-address", "/checkout", who="newcomer"),
    Screen("payment", "/payment", who="shopper"),
    Screen("payment-failed", "/payment", answered("StartCheckout", 503), who="shopper"),
    Screen("payment-return-paid", "/payment/return?session_id={paid}", who="newcomer"),
    Screen("payment-return-refused", "/payment/return", who="newcomer"),
    Screen(
        "payment-return-waiting",
        "/payment/return?session_id=cs_waiting",
        answered("CompleteCheckout", None),
        who="newcomer",
        waits=True,
    ),
]

KEEPING = [
    Screen("account", "/account", who="shopper", like="account-menu-signed-in"),
    Screen("account-menu-signed-in", "/account", press("Account of"), who="shopper"),
    Screen("account-edit", "/account", press("Edit"), who="shopper", like="account-edit-errors"),
    Screen(
        "account-edit-errors",
        "/account",
        both(press("Edit"), fill(("Name", "Ada"), ("E-mail", "nowhere"), then="Save Changes")),
        who="shopper",
    ),
    Screen("account-delete", "/account", press("Delete"), who="shopper"),
    Screen("orders", "/account?tab=orders", who="shopper"),
    Screen("orders-new", "/account?tab=orders", who="newcomer", like="orders"),
    Screen("order", "/account/orders/{order}", who="newcomer", like="orders"),
    Screen(
        "order-missing", "/account/orders/018cc251-f400-7000-8000-000000000000", who="newcomer", like="orders-empty"
    ),
    Screen("orders-cancel", "/account?tab=orders", press("Cancel order"), who="newcomer"),
    Screen("orders-return", "/account?tab=orders", press("Ask for a return"), who="shopper"),
    Screen("orders-empty", "/account?tab=orders", who="owner"),
    Screen("addresses", "/account?tab=address", who="shopper"),
    Screen("addresses-delete", "/account?tab=address", press("Delete"), who="shopper", like="account-delete"),
    Screen("addresses-empty", "/account?tab=address", who="owner"),
    Screen("address-add", "/add-address", who="shopper", like="address-add-errors"),
    Screen("address-add-errors", "/add-address", fill(then="Save Address"), who="shopper"),
    Screen("address-edit", "/edit-address/{address}", who="shopper", like="address-add-errors"),
    Screen("wishlist", "/wishlist", who="shopper"),
]

ADMIN_SCREENS = ("orders", "stock", "codes", "delivery", "sizes", "log", "jobs", "operations", "settings", "import")
"""Those behind an address of their own; a new one needs no more than its name here."""

MANAGING = [
    Screen("admin-denied", "/admin", who="shopper"),
    Screen("admin-users", "/admin?tab=users", who="owner"),
    Screen("admin-products", "/admin?tab=products", who="owner"),
    Screen("admin-product", "/admin/products/{oxford}", see("region", "Measurements"), who="owner"),
    Screen("admin-analytics", "/admin?tab=analytics", who="owner"),
    Screen("admin-reports", "/admin?tab=analytics&view=reports", who="owner"),
    Screen("admin-report-bars", "/admin?tab=analytics&view=reports&show=net-sales&by=product&chart=bar", who="owner"),
    Screen("admin-create", "/admin?tab=create", who="owner", like="admin-create-errors"),
    *(Screen(f"admin-{name}", f"/admin/{name}", who="owner") for name in ADMIN_SCREENS),
    Screen("admin-content", "/admin/content", who="owner"),
    Screen("admin-page", "/admin/content/{page}", show_block("Hero"), who="owner"),
    Screen("admin-order", "/admin/orders/{order}", who="owner"),
    Screen("admin-customer", "/admin/customers/{newcomer}", who="owner"),
    Screen("admin-stock-all", "/admin/stock?show=all", who="owner"),
    Screen("admin-stock-movements", "/admin/stock?show=movements", who="owner"),
    Screen("admin-reservations", "/admin/orders?view=reservations", see("button", "End: Nora Newcomer"), who="owner"),
    Screen(
        "admin-reservations-end",
        "/admin/orders?view=reservations",
        both(press("End: Nora Newcomer"), see("dialog", "End the checkout of")),
        who="owner",
        like="account-delete",
    ),
    Screen("admin-categories", "/admin/categories", who="owner"),
    Screen("admin-category", "/admin/categories/men_jeans", see("heading", "Jeans in Men"), who="owner"),
    Screen("admin-operations-failed", "/admin/operations", answered("AdminOperations", 503), who="owner"),
    Screen("admin-create-errors", "/admin?tab=create", fill(then="Create Product"), who="owner"),
]

SCREENS = [*SHOPPING, *READING, *ENTERING, *BUYING, *KEEPING, *MANAGING]

NAMES = {
    "oxford": "Oxford Shirt",
    "straight": "Straight Jean",
    "wide": "Wide Jean",
    "tapered": "Tapered Jean",
    "gingham": "Gingham Shirt",
    "culotte": "Linen Culotte",
    "selvedge": "Selvedge Straight Jean",
    "trouser": "Narrow Trouser",
}

SETTLED = """() => document.fonts.status === 'loaded'
  && !document.querySelector('main [aria-busy=true]') && document.querySelector('main > *') !== null"""
IDLE = "() => new Promise((settle) => requestIdleCallback(() => settle(), { timeout: 1000 }))"
PICTURES_THERE = """() => {
  for (const image of document.images) image.loading = 'eager';
  return Promise.race([
    Promise.all([...document.images].map((image) => image.decode().catch(() => null))),
    new Promise((resolve) => setTimeout(resolve, 8000)),
  ]).then(() => null);
}"""


class Traffic:
    """What a page is still waiting for. The browser's own "networkidle" happens only once after a navigation."""

    QUIET = 0.2

    def __init__(self, page: Page) -> None:
        self._page = page
        self._open: set[Request] = set()
        self._last = 0.0
        page.on("request", self._begin)
        page.on("requestfinished", self._end)
        page.on("requestfailed", self._end)

    async def ends(self) -> None:
        """Returns when nothing has been under way for a moment and the page is done with what came."""
        self._last = time.monotonic()
        await self._page.evaluate(IDLE)
        while self._open or time.monotonic() - self._last < self.QUIET:
            await asyncio.sleep(max(0.1, self._last + self.QUIET - time.monotonic()))
            await self._page.evaluate(IDLE)

    def _begin(self, request: Request) -> None:
        self._open.add(request)

    def _end(self, request: Request) -> None:
        self._open.discard(request)
        self._last = time.monotonic()


@dataclass
class World:
    """A demo shop in which somebody has bought, kept and waited, so that every screen has something to show."""

    shop: WholeShop
    browser: Browser
    places: dict[str, str]
    states: dict[Who, StorageState | None]

    @asynccontextmanager
    async def open(
        self, screen: Screen, viewport: ViewportSize, *, theme: str = "light", frozen: bool = False
    ) -> AsyncIterator[Page]:
        """The screen, brought to its state and at rest. Motion is off; `frozen` stops the clock too."""
        phone = viewport["width"] < WIDE
        async with self.visit(screen.who, viewport, touch=phone, theme=theme) as page:
            if frozen:
                await page.clock.set_fixed_time("2026-11-20T12:00:00Z")
            traffic = Traffic(page)
            await open_at(page, screen.address.format_map(self.places))
            await traffic.ends()
            if screen.act:
                await screen.act(page)
            if not screen.waits:
                await traffic.ends()
                await until(page, SETTLED)
            yield page

    @asynccontextmanager
    async def visit(
        self, who: Who, viewport: ViewportSize, *, touch: bool = False, theme: str = "light"
    ) -> AsyncIterator[Page]:
        context = await new_context(
            self.browser,
            self.shop,
            viewport=viewport,
            has_touch=touch,
            timezone_id="UTC",
            color_scheme="dark" if theme == "dark" else "light",
            reduced_motion="reduce",
            storage_state=self.states[who],
        )
        try:
            yield await context.new_page()
        finally:
            await context.unroute_all(behavior="ignoreErrors")
            await context.close()


async def make_world(shop: WholeShop, browser: Browser) -> World:
    """Fills carts, keeps wishes, pays an order and changes what the shopper's cart holds."""
    products = {product["name"]: product["id"] for product in await _products(shop)}
    places = {word: products[name] for word, name in NAMES.items()}
    states: dict[Who, StorageState | None] = {"visitor": None}

    async with _entered(shop, browser, "shopper@minimal.test") as context:
        await _put_in(context, places, oxford=2, straight=1)
        for word in ("wide", "gingham", "culotte"):
            wish = "mutation ($id: ID!) { addToWishlist(productId: $id) { __typename } }"
            await _ask(context, wish, id=places[word])
        profile = await (await context.request.get("/api/user/profile")).json()
        places["address"] = profile["addresses"][0]["_id"]
        states["shopper"] = await context.storage_state()

    async with _entered(shop, browser, "admin@minimal.test") as context:
        await _put_in(context, places, selvedge=1, trouser=1, oxford=1)
        states["admin"] = await context.storage_state()
    await _change(shop, places)

    async with _entered(shop, browser, "newcomer@minimal.test", new=True) as context:
        await _put_in(context, places, oxford=1)
        places["paid"] = await _pay(context, shop)
        [order] = await (await context.request.get("/api/orders")).json()
        places["order"] = order["_id"]
        places["newcomer"] = (await (await context.request.get("/api/user/profile")).json())["_id"]
        await _send(context, "/api/auth/forgot-password", email="newcomer@minimal.test")
        mail = await mail_about(shop, "newcomer@minimal.test", "/reset-password?token=")
        places["reset"] = mail.split("/reset-password?token=")[1].split()[0]
        await _put_in(context, places, oxford=1, straight=1)
        states["newcomer"] = await context.storage_state()

    async with _entered(shop, browser, "holder@minimal.test", new=True) as context:
        await _put_in(context, places, culotte=1)
        await _add_address(context)
        await _start_checkout(context)

    async with _entered(shop, browser, "owner@minimal.test") as context:
        places["page"] = await _write_page(context)
        states["owner"] = await context.storage_state()
    return World(shop, browser, places, states)


async def _products(shop: WholeShop) -> list[dict[str, str]]:
    """All of them, page by page."""
    document = """query ($after: String) {
      products(first: 60, after: $after) { nodes { id name } pageInfo { hasNextPage endCursor } }
    }"""
    nodes: list[dict[str, str]] = []
    page: dict[str, Any] = {"hasNextPage": True, "endCursor": None}
    async with httpx.AsyncClient(base_url=shop.url, timeout=SECONDS_TO_ANSWER, trust_env=False) as client:
        while page["hasNextPage"]:
            body = {"query": document, "variables": {"after": page["endCursor"]}}
            products = (await client.post("/graphql", json=body)).json()["data"]["products"]
            nodes += products["nodes"]
            page = products["pageInfo"]
    return nodes


@asynccontextmanager
async def _entered(
    shop: WholeShop, browser: Browser, email: str, *, new: bool = False
) -> AsyncIterator[BrowserContext]:
    """A browser in which somebody has signed in, or up."""
    context = await new_context(browser, shop)
    if new:
        await _send(context, "/api/auth/signup", name="Nora Newcomer", email=email, password=DEMO_PASSWORD)
        await context.clear_cookies()
    await signed_in(await context.new_page(), email)
    yield context
    await context.close()


async def _put_in(context: BrowserContext, places: dict[str, str], **quantities: int) -> None:
    for word, quantity in quantities.items():
        await _send(context, "/api/cart", productId=places[word], quantity=quantity, price=1)


async def _send(context: BrowserContext, path: str, **body: object) -> None:
    answer = await context.request.post(path, data=body, headers=SAME_ORIGIN)
    assert answer.ok, await answer.text()


async def _ask(context: BrowserContext, query: str, **variables: object) -> dict[str, dict[str, str]]:
    answer = await context.request.post("/graphql", data={"query": query, "variables": variables}, headers=SAME_ORIGIN)
    said = await answer.json()
    assert not said.get("errors"), said
    data: dict[str, dict[str, str]] = said["data"]
    return data


async def _write_page(context: BrowserContext) -> str:
    """Publishes a page that has blocks of every kind; its id."""
    file = picture("field.png", "#b7d0ea")["buffer"]
    headers = {**SAME_ORIGIN, "content-type": "image/png"}
    image = {
        "imageId": (await (await context.request.post("/uploads/images", data=file, headers=headers)).json())["id"]
    }
    slide = {"heading": "Picked by hand", "text": "In June, early.", "picture": image | {"alt": "A field"}}
    blocks = [
        {"hero": {"slides": [slide | {"button": "See shirts", "link": "/category/men/shirts"}, slide]}},
        {"pictureWithWords": {"heading": "Spun", "text": "By *hand*, [here](/about).", "picture": image}},
        {"shelf": {"heading": "Of cotton", "department": "men", "productKind": "shirts"}},
        {"twoColumns": {"left": "## One\n\n- first\n- second", "right": "## Other\n\n1. first\n2. second"}},
        {"quotation": {"quote": "It lasts.", "by": "A shopper"}},
        {"questions": {"heading": "Questions", "questions": [{"question": "Why cotton?", "answer": "It breathes."}]}},
        {"freeText": {"text": "Washed *cold*."}},
    ]
    create = "mutation ($input: CreatePageInput!) { createPage(input: $input) { ... on EditablePage { id } } }"
    made = await _ask(context, create, input={"key": "our-cotton", "title": "Our cotton"})
    update = """mutation ($id: ID!, $input: UpdatePageInput!) {
      updatePage(id: $id, version: 1, input: $input) { ... on EditablePage { id } }
      publishPage(id: $id, version: 2) { ... on EditablePage { id } }
    }"""
    values = {"title": "Our cotton", "description": "Where it grows.", "blocks": blocks}
    published = await _ask(context, update, id=made["createPage"]["id"], input=values)
    return published["publishPage"]["id"]


async def _add_address(context: BrowserContext) -> None:
    address = {"name": "Nora Newcomer", "address1": "4 Mill Lane", "city": "Portland", "country": "United States"}
    await _send(context, "/api/user/address", **address, phone="+1 503 555 0114", address2="", postalCode="97205")


async def _start_checkout(context: BrowserContext) -> str:
    """Reserves the cart; the payment's session."""
    started = await _ask(
        context, "mutation { startCheckout { ... on Checkout { sessionId } ... on UserError { message } } }"
    )
    return started["startCheckout"]["sessionId"]


async def _pay(context: BrowserContext, shop: WholeShop) -> str:
    """Buys the cart and waits for the order; the payment's session."""
    await _add_address(context)
    session = await _start_checkout(context)
    await asyncio.to_thread(shop.tell, f"sessions/{session}/pay", card=PAID)
    for _ in range(240):
        if await (await context.request.get("/api/orders")).json():
            break
        await asyncio.sleep(0.25)
    else:
        raise AssertionError(f"{session} has become no order.")
    own = await (await context.request.get("/api/user/profile")).json()
    await context.request.delete(f"/api/user/address/{own['addresses'][0]['_id']}", headers=SAME_ORIGIN)
    return session


async def _change(shop: WholeShop, places: dict[str, str]) -> None:
    """One piece in the admin's cart gets dearer and another is sold out, as when the owner edits and others buy.

    What sells best is made the same on every day, because what the demo has sold depends on the day.
    """
    statements = (
        f"UPDATE products SET price_cents = price_cents + 1500 WHERE id = '{places['selvedge']}'",
        f"UPDATE variants SET stock = 0 WHERE product_id = '{places['trouser']}'",
        "UPDATE products SET popularity = ('x' || left(md5(name), 6))::bit(24)::int",
    )
    psql = [sys.executable, "-m", "server", "psql", "--quiet", "--set=ON_ERROR_STOP=1"]
    commands = [f"--command={statement}" for statement in statements]
    process = await asyncio.create_subprocess_exec(*psql, *commands, env=shop.environment)
    assert await process.wait() == 0
