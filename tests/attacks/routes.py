"""Every path of the shop, from its routing table."""

from collections.abc import Iterator

from starlette.routing import BaseRoute, Mount, Route

from server import wiring
from server.app import create_app
from server.config import Settings
from server.platform.core.viewer import Access
from server.platform.web.methods import OtherMethods

NO_CALL = "GET /api/{path:path}"
"""Answers whatever below /api is no call: nothing reaches anything there."""
PAGE = "GET page"
GRAPHQL = ("GET /graphql", "POST /graphql")
REPORTS = ("POST /browser-errors", "POST /csp-reports")
"""Answer the same whatever a body is."""
NO_DATABASE = "postgresql://nobody@localhost/none"


def routes() -> dict[str, Access]:
    """Who may call what, by method and path; calls below /api are named without it."""
    by_name = dict(_named(create_app(Settings(_env_file=None, database_url=NO_DATABASE)).routes, ""))  # type: ignore[call-arg]
    by_name.pop(NO_CALL)
    return by_name


def is_plain(name: str) -> bool:
    """Whether it has no shim: a file, a feed, a picture, a probe."""
    shims = {route.name for route in (*wiring.API_ROUTES, *wiring.OTHER_ROUTES) if route.name != PICTURE}
    return name not in shims and name not in (PAGE, *GRAPHQL, *REPORTS)


PICTURE = "GET /images/{id}/{file}"


def _named(table: list[BaseRoute], prefix: str) -> Iterator[tuple[str, Access]]:
    for route in table:
        if isinstance(route, Mount):
            yield from _named(list(route.routes), route.path)
        elif isinstance(route, Route):
            declared = getattr(route, "allows", None)
            for method in (route.methods or {"GET"}) - {"HEAD"}:
                plain = PAGE if (prefix, route.path) == ("", "/{path:path}") else f"{method} {prefix}{route.path}"
                yield (route.name if declared else plain), declared or Access.ANYONE
        elif not isinstance(route, OtherMethods):
            # Subscriptions come this way, and are operations of the schema.
            assert route.path == "/graphql", route  # type: ignore[attr-defined]
