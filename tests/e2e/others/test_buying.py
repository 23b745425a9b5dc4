"""A visitor buys in Firefox and in WebKit, which are neither Chromium nor alike."""

import base64
import os
from pathlib import Path
from uuid import uuid4

import pytest

from tests.e2e.conftest import PICTURES
from tests.e2e.others import buying
from tests.e2e.others.installed import BROWSERS
from tests.e2e.others.webdriver import Tab
from tests.e2e.whole_shop import WholeShop


@pytest.mark.parametrize("name", BROWSERS)
def test_a_visitor_signs_up_on_the_way_buys_and_sees_the_order(name: str, shop: WholeShop, tmp_path: Path) -> None:
    browser = BROWSERS[name]
    if not browser.is_installed():
        pytest.skip(f"There is no {name}")
    said_before = shop.log.stat().st_size

    with browser.open(tmp_path) as tab:
        try:
            piece, order = buy(tab, shop)
        except BaseException:
            keep_picture(tab, name)
            raise

    for words in (piece, "M", "12 St James's Square", "Paid"):
        assert words in order
    assert complaints(shop, said_before) == []


def buy(tab: Tab, shop: WholeShop) -> tuple[str, str]:
    """The product's name, and what the list of orders says of it."""
    piece = buying.choose_a_piece(tab, f"{shop.url}/")
    buying.sign_up_on_the_way(tab, f"shopper-{uuid4().hex[:10]}@example.com")
    buying.go_to_checkout(tab)
    buying.pay(tab)
    return piece, buying.look_at_the_order(tab)


def complaints(shop: WholeShop, before: int) -> list[str]:
    """Errors of the page, and what its policy stopped: browsers report both to the shop's log."""
    with shop.log.open() as log:
        log.seek(before, os.SEEK_SET)
        return [line for line in log if '"event":"browser.error"' in line or '"event":"csp.' in line]


def keep_picture(tab: Tab, name: str) -> None:
    """What a failed test saw, in test-results/."""
    PICTURES.mkdir(exist_ok=True)
    (PICTURES / f"{name}.png").write_bytes(base64.b64decode(tab.picture()))
