"""The unsubscribe link of alerts, which works without signing in.

GET shows a button and changes nothing, since mail programs open links by themselves. The button, and mail programs' own
"unsubscribe" (RFC 8058), send a POST.
"""

from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from starlette.responses import HTMLResponse, Response

from server.identity import rules
from server.platform.core.context import reading, transaction
from server.platform.core.errors import InvalidInput, TooManyRequests
from server.platform.core.viewer import Access
from server.platform.web.rest import Call, route
from server.shop import service as shop
from server.wishlist import attempts, unsubscribing

if TYPE_CHECKING:
    from jinja2 import Template


async def show(call: Call) -> Response:
    """A page with one button."""
    token = call.request.query_params.get("token", "")
    async with reading(call.context) as session:
        is_link = await unsubscribing.is_link(session, token)
    return await (_page(call, "ask", token=token) if is_link else _unknown(call))


async def end(call: Call) -> Response:
    """Ends all alerts of the address that the link was sent to; idempotent."""
    token = call.request.query_params.get("token", "")
    async with transaction(call.context) as session:
        is_link = await unsubscribing.unsubscribe(session, token)
    return await (_page(call, "done") if is_link else _unknown(call))


async def send_link(call: Call) -> Response:
    """Mails another link if alerts wait for the address; the page is the same for any address."""
    body = parse_qs((await call.raw()).decode(errors="replace"))
    typed = body.get("email", [""])[0]
    try:
        email = rules.email_for_mail(typed)
        await attempts.mail_to(call.context, email)
        async with transaction(call.context) as session:
            await unsubscribing.request_link(session, email, shop_url=call.context.site.public_url)
    except (InvalidInput, TooManyRequests) as error:
        page = await _page(call, "unknown", status=error.status, email=typed, refusal=str(error))
        page.headers.update(error.headers)
        return page
    return await _page(call, "sent")


@cache
def _template() -> "Template":
    """Loads Jinja with the first visit."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    templates = Environment(loader=PackageLoader("server.wishlist"), autoescape=True, undefined=StrictUndefined)
    return templates.get_template("unsubscribe.html")


async def _unknown(call: Call) -> Response:
    return await _page(call, "unknown", status=404, email="", refusal="")


async def _page(call: Call, state: str, *, status: int = 200, **facts: str) -> Response:
    shop_name = (await shop.current_or_last(call.context)).name
    html = _template().render(state=state, shop_name=shop_name, **facts)
    headers = {"cache-control": "no-store", "referrer-policy": "no-referrer", "x-robots-tag": "noindex"}
    return HTMLResponse(html, status, headers)


routes = [
    route("GET", "/unsubscribe", show, allows=Access.ANYONE),
    route("POST", "/unsubscribe", end, allows=Access.ANYONE),
    route("POST", "/unsubscribe/link", send_link, allows=Access.ANYONE),
]
