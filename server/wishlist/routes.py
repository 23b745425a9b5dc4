"""The unsubscribe link of alerts, which works without signing in.

GET shows a button and changes nothing, since mail programs open links by themselves. The button, and mail programs' own
"unsubscribe" (RFC 8058), send a POST.
"""

from functools import cache
from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse, Response

from server.platform.core.context import reading, transaction
from server.platform.core.viewer import Access
from server.platform.web.rest import Call, route
from server.wishlist import back_in_stock

if TYPE_CHECKING:
    from jinja2 import Template


async def show(call: Call) -> Response:
    """A page with one button."""
    token = call.request.query_params.get("token", "")
    async with reading(call.context) as session:
        is_link = await back_in_stock.is_link(session, token)
    return _page("ask" if is_link else "unknown", token)


async def end(call: Call) -> Response:
    """Ends all alerts of the address that the link was sent to; idempotent."""
    token = call.request.query_params.get("token", "")
    async with transaction(call.context) as session:
        is_link = await back_in_stock.unsubscribe(session, token)
    return _page("done" if is_link else "unknown", token)


@cache
def _template() -> "Template":
    """Loads Jinja with the first visit."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    templates = Environment(loader=PackageLoader("server.wishlist"), autoescape=True, undefined=StrictUndefined)
    return templates.get_template("unsubscribe.html")


def _page(state: str, token: str) -> Response:
    html = _template().render(state=state, token=token)
    headers = {"cache-control": "no-store", "referrer-policy": "no-referrer", "x-robots-tag": "noindex"}
    return HTMLResponse(html, 404 if state == "unknown" else 200, headers)


routes = [
    route("GET", "/unsubscribe", show, allows=Access.ANYONE),
    route("POST", "/unsubscribe", end, allows=Access.ANYONE),
]
