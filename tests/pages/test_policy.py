"""Security headers of pages and of other responses."""

import pytest

from tests.catalog.storefront import Storefront


async def test_a_page_says_where_it_may_load_from(storefront: Storefront) -> None:
    headers = (await storefront.visitor.get("/")).headers

    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'self'"
    assert policy["object-src"] == "'none'"
    assert policy["base-uri"] == "'none'"
    assert policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in policy["script-src"] + policy["style-src"]
    assert headers["cross-origin-opener-policy"] == "same-origin-allow-popups"
    assert headers["permissions-policy"].startswith("camera=()")


@pytest.mark.parametrize("address", ["/favicon.svg", "/robots.txt", "/api/cart", "/livez"])
async def test_what_is_no_page_can_load_nothing_from_elsewhere(storefront: Storefront, address: str) -> None:
    headers = (await storefront.visitor.get(address)).headers

    assert headers["content-security-policy"] == "default-src 'self'; frame-ancestors 'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "strict-origin-when-cross-origin"
    assert "permissions-policy" not in headers
