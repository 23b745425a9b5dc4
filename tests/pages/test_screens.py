"""Which URLs the server serves as pages."""

from pathlib import Path

import pytest

from server.pages.addresses import BACK_OFFICE, FORM, OWN, PRIVATE, PUBLIC, SCREENS
from server.pages.routes import NOT_BUILT
from server.platform.core.db import Sessions
from server.platform.pages import assets
from tests.catalog.storefront import PORT, Storefront, open_storefront
from tests.pages.screens import screens


@pytest.mark.spec("screens.paths.known")
@pytest.mark.parametrize("path", screens())
def test_every_screen_of_the_client_is_answered_as_found(path: str) -> None:
    assert SCREENS.fullmatch(path)


@pytest.mark.parametrize("path", ["/", "/search", "/signin", "/cart", "/checkout", "/admin", "/admin/orders/018cc251"])
def test_a_screen_is_sent_in_one_way_only(path: str) -> None:
    ways = {"/": PUBLIC, "/search": PUBLIC, "/signin": FORM, "/cart": OWN, "/checkout": PRIVATE}

    matched = [way for way in (PUBLIC, FORM, OWN, PRIVATE, BACK_OFFICE) if way.fullmatch(path)]
    assert matched == [ways.get(path, BACK_OFFICE)]


async def test_the_back_office_is_a_document_of_its_own(storefront: Storefront) -> None:
    shop, office, room, unknown = [
        await storefront.visitor.get(path) for path in ("/checkout", "/admin", "/admin/stock", "/admin/cellar")
    ]

    assert office.text == room.text != shop.text
    assert "/assets/back-office-" in office.text
    assert "/assets/back-office-" not in shop.text + unknown.text
    assert (office.status_code, office.headers["cache-control"]) == (200, "no-cache")
    assert unknown.status_code == 404


@pytest.mark.spec("screens.paths.known")
@pytest.mark.parametrize(
    "path", ["/help", "/help/jeans", "/category/men/trousers", "/category/hats", "/abouts", "/admin/cellar", "//"]
)
async def test_an_address_of_no_screen_is_answered_as_not_found(storefront: Storefront, path: str) -> None:
    assert (await storefront.visitor.get(f"http://localhost:{PORT}{path}")).status_code == 404


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
