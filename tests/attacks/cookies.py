"""The cookies that a response sets."""

from tests.api.conftest import Shop


def cookies_of(shop: Shop, role: str) -> bytes:
    return "; ".join(
        [*(f"{name}={value}" for name, value in shop.clients[role].cookies.items()), "theme=dark"]
    ).encode()
