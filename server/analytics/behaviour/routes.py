"""POST /events: browsers report events of their visit in batches."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field
from starlette.responses import Response

from server.analytics.behaviour import events, intake
from server.platform.core import limits
from server.platform.core.text import Line
from server.platform.core.viewer import Access
from server.platform.web.rest import Body, Call, nothing, route

PER_MINUTE = 240
DO_NOT = ("dnt", "sec-gpc")


class EventBody(Body):
    """One event; `ago` is its age in milliseconds, which preserves the order within a batch."""

    kind: Literal["viewed", "added", "checkout"]
    products: Annotated[list[UUID], Field(min_length=1)]
    ago: Annotated[int, Field(ge=0, le=600_000)] = 0
    session: Line | None = None


class EventsBody(Body):
    """A batch of events of one visit."""

    visit: UUID
    events: Annotated[list[EventBody], Field(min_length=1, max_length=50)]


async def record(call: Call) -> Response:
    """Stores a batch as far as limits allow.

    Browsers that send Do Not Track or Global Privacy Control are not recorded.
    """
    if any(call.request.headers.get(header) == "1" for header in DO_NOT):
        return nothing()
    batch = await call.body(EventsBody)
    await limits.take(call.context.sessions, limits.Limit(f"events:{call.context.network}", PER_MINUTE, 60))
    happenings = [
        events.VisitEvent(each.kind, tuple(each.products), each.ago / 1000, each.session) for each in batch.events
    ]
    await intake.take(call.context, batch.visit, happenings)
    return nothing()


routes = [route("POST", "/events", record, allows=Access.ANYONE)]
