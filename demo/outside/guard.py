"""Who may ask: this machine's own pages and programs, and no web page from elsewhere."""

import json

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from demo.outside.errors import ApiError
from demo.outside.ledger import Json
from demo.outside.settings import Settings

MOST_BYTES = 100_000


class OwnNameOnly:
    """Refuses a Host that is not ours, so that no foreign name can be pointed at this machine."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._hosts = settings.own_hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request."""
        if scope["type"] == "http" and Request(scope).headers.get("host", "") not in self._hosts:
            refusal = JSONResponse({"error": {"message": "The stand-ins answer to localhost only."}}, 421)
            return await refusal(scope, receive, send)
        return await self._app(scope, receive, send)


def check_own_page(request: Request, settings: Settings) -> None:
    """Raises ApiError (403) when a page of another origin sent this."""
    origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
    foreign_origin = origin is not None and origin not in settings.own_origins
    if foreign_origin or site not in (None, "same-origin", "none"):
        raise ApiError("Pages of other origins may not ask this.", status=403)


async def json_body(request: Request, settings: Settings) -> Json:
    """The JSON object of a request that changes something. Raises ApiError when a foreign page may have sent it."""
    check_own_page(request, settings)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise ApiError("Content-Type must be application/json.", status=415)
    body = await request.body()
    if len(body) > MOST_BYTES:
        raise ApiError("The request is too large.", status=413)
    try:
        content = json.loads(body or b"{}")
    except ValueError as error:
        raise ApiError(f"Not JSON: {error}") from error
    if not isinstance(content, dict):
        raise ApiError("A JSON object is expected.")
    return content
