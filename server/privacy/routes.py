"""The data export: everything that the shop stores about the viewer."""

from zoneinfo import ZoneInfo

import orjson
from starlette.responses import Response

from server.platform.core import clock, days
from server.platform.core.context import reading
from server.platform.core.errors import Forbidden
from server.platform.core.security import is_same_site
from server.platform.core.viewer import Access
from server.platform.web.rest import Call, route
from server.privacy import service
from server.shop import service as shop


async def download(call: Call) -> Response:
    """A JSON file. Raises Forbidden for requests from other sites' pages."""
    if not is_same_site(call.request.headers, call.context.site):
        raise Forbidden("This request did not come from the shop's own pages.")
    async with reading(call.context) as session:
        data = await service.everything_about(session, call.context.signed_in)
    now = clock.now()
    today = days.day_of(now, ZoneInfo((await shop.current(call.context)).time_zone))
    document = {"shop": call.context.site.public_url, "asOf": now.isoformat(timespec="seconds"), **data}
    headers = {
        "cache-control": "no-store",
        "content-disposition": f'attachment; filename="minimal-my-data-{today}.json"',
    }
    return Response(orjson.dumps(document, option=orjson.OPT_INDENT_2), headers=headers, media_type="application/json")


routes = [route("GET", "/account/data", download, allows=Access.SIGNED_IN)]
