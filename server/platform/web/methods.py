"""405 for paths that have other methods, with all of them in the Allow header (RFC 9110, 15.5.6).

Starlette's router names only the methods of the first route of a path, and gives a path to a later route for any path.
"""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Scope, Send

from server.platform.core.errors import MethodNotAllowed
from server.platform.web.refusals import refusal_at


class OtherMethods(BaseRoute):
    """Takes requests for a path of the given routes whose method none of them has. Listed after them."""

    def __init__(self, routes: Sequence[BaseRoute]) -> None:
        self._routes = [route for route in routes if isinstance(route, Route)]

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether the path has other methods."""
        if scope["type"] != "http":
            return Match.NONE, {}
        allowed = {method for route in self._routes if _has(route, scope) for method in route.methods or ()}
        if not allowed or scope["method"] in allowed:
            return Match.NONE, {}
        return Match.FULL, {"allowed_methods": frozenset(allowed)}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Responds 405."""
        await refusal_at(scope["path"], MethodNotAllowed(scope["allowed_methods"]))(scope, receive, send)


def _has(route: Route, scope: Scope) -> bool:
    return route.matches(scope)[0] is not Match.NONE
