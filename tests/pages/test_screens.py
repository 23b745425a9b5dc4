"""Which URLs the server serves as pages."""

import re
from pathlib import Path

import pytest

from server.core.db import Sessions
from server.pages import assets
from server.pages.routes import NOT_BUILT, SCREENS
from tests.catalog.storefront import PORT, open_storefront

CLIENT = Path(__file__).parents[2] / "client" / "src"
ROUTER = CLIENT / "app" / "router.tsx"
KEPT = CLIENT / "service-worker" / "keep.ts"
EXAMPLES = {
    "category/:category": ["category/men", "category/women", "category/sale"],
    "category/:category/:subcategory": ["category/men/jeans", "category/women/trousers", "category/sale/women"],
    "product/:productId": ["product/018cc251"],
    "edit-address/:addressId": ["edit-address/018cc251"],
    "admin/orders/:orderId": ["admin/orders/018cc251"],
    "admin/orders/:orderId/slip": ["admin/orders/018cc251/slip"],
    "admin/products/:productId": ["admin/products/018cc251"],
    "admin/customers/:userId": ["admin/customers/018cc251"],
}


def router_paths() -> list[str]:
    """Every address of the client but the home page, with something in the place of each id."""
    paths = re.findall(r'<Route path="([^"*]+)"', ROUTER.read_text())
    return [f"/{path}" for written in paths for path in EXAMPLES.get(written, [written])]


@pytest.mark.parametrize("path", ["/", *router_paths()])
def test_every_screen_of_the_client_is_answered_as_found(path: str) -> None:
    assert SCREENS.fullmatch(path)


def test_pages_kept_for_a_visit_without_network_are_screens_of_the_client() -> None:
    [written] = re.findall(r"const PUBLIC = /(.+)/;", KEPT.read_text())
    kept = [path for path in ["/", *router_paths()] if re.search(written.replace(r"\/", "/"), path)]
    named = re.findall(r"\w+", written)

    assert named
    assert not [name for name in named if not any(name in path.split("/") for path in kept)]
    assert not [path for path in kept if re.match("/(admin|account|cart|checkout|wishlist|edit-address)", path)]


@pytest.mark.parametrize(
    "path", ["/help", "/help/jeans", "/category/men/trousers", "/category/hats", "/abouts", "/admin/cellar", "//"]
)
def test_an_address_of_no_screen_is_answered_as_not_found(path: str) -> None:
    assert not SCREENS.fullmatch(path)


async def test_before_the_client_is_built_every_screen_says_how_to_build_it(
    database_url: str, sessions: Sessions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assets, "DIST", tmp_path / "dist")
    monkeypatch.setattr(assets, "built", assets.Assets)

    async with open_storefront(database_url, sessions, tmp_path) as storefront:
        storefront.shopper.cookies.set(f"signedIn-{PORT}", "4102444800000")
        paths = ("/", "/cart", "/checkout", "/no-such-page", "/graphiql")
        answers = [await storefront.shopper.get(path) for path in paths]

    assert {(answer.status_code, NOT_BUILT in answer.text) for answer in answers} == {(503, True)}
