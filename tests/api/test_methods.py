"""Every path answers 405 with all of its methods to every method that it does not have."""

import re
from collections.abc import Iterator
from uuid import uuid4

import pytest
from starlette.routing import BaseRoute, Mount, Route

from server.pages.addresses import SCREENS
from tests.api.conftest import Shop

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND")
EXAMPLES = {
    "{id}": str(uuid4()),
    "{file}": "900.webp",
    "{name}": "a.js",
    "{category}": "men",
    "{subcategory}": "shirts",
    "{path:path}": "signin",
}


def methods_by_path(routes: list[BaseRoute]) -> dict[str, set[str]]:
    """An example of each path with the methods of all routes that take it; the screens' route takes what is left."""
    flat = list(routes_below(routes))
    *others, screens = [(pattern, methods) for pattern, _, methods in flat]
    assert screens[0].match("/any/where")
    return {
        path: set().union(*(methods for pattern, methods in others if pattern.match(path))) or screens[1]
        for _, path, _ in flat
    }


def routes_below(routes: list[BaseRoute], prefix: str = "") -> Iterator[tuple[re.Pattern[str], str, set[str]]]:
    """The pattern, an example and the methods of each route."""
    for route in routes:
        if isinstance(route, Mount):
            yield from routes_below(route.routes, route.path)
        elif isinstance(route, Route) and route.methods:
            path = prefix + route.path
            for name, example in EXAMPLES.items():
                path = path.replace(name, example)
            assert "{" not in path, path
            yield re.compile(f"^{prefix}{route.path_regex.pattern[1:]}"), path, route.methods


async def test_every_other_method_is_405_with_allow(shop: Shop, subtests: pytest.Subtests) -> None:
    paths = methods_by_path(shop.app.routes)
    before = await shop.snapshot()

    assert len(paths) > 40
    assert paths["/graphql"] == {"GET", "HEAD", "POST"}
    assert paths["/api/product"] == {"GET", "HEAD", "POST"}
    assert paths["/api/cart/" + EXAMPLES["{id}"]] == {"PUT", "DELETE"}
    for path, methods in paths.items():
        for method in METHODS:
            if method in methods:
                continue
            with subtests.test(f"{method} {path}"):
                refused = await shop.clients["primary"].request(method, path)

                assert refused.status_code == 405
                assert refused.headers["allow"] == ", ".join(sorted(methods))
                if method != "HEAD" and path == "/graphql":
                    [error] = refused.json()["errors"]
                    assert error["extensions"]["code"] == "METHOD_NOT_ALLOWED"
                elif method != "HEAD":
                    assert refused.json() == {"message": "Method not allowed"}
    assert await shop.snapshot() == before


@pytest.mark.parametrize("method", METHODS)
async def test_a_call_that_does_not_exist_is_404_whatever_the_method(shop: Shop, method: str) -> None:
    missing = await shop.clients["shopper"].request(method, "/api/nothing/here")

    assert missing.status_code == 404
    assert method == "HEAD" or missing.json() == {"message": "This call does not exist."}


def test_no_path_of_a_screen_is_taken_by_a_route_that_is_no_page(shop: Shop) -> None:
    paths = methods_by_path(shop.app.routes)

    assert not [path for path, methods in paths.items() if "GET" not in methods and SCREENS.fullmatch(path)]
