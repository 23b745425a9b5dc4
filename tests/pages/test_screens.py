"""Which addresses the server knows as pages."""

import re
from pathlib import Path

import pytest

from server.pages.routes import SCREENS

ROUTER = Path(__file__).parents[2] / "client" / "src" / "app" / "router.tsx"
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


@pytest.mark.parametrize(
    "path", ["/help", "/help/jeans", "/category/men/trousers", "/category/hats", "/abouts", "/admin/cellar", "//"]
)
def test_an_address_of_no_screen_is_answered_as_not_found(path: str) -> None:
    assert not SCREENS.fullmatch(path)
