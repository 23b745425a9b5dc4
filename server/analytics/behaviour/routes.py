"""Where browsers send what happened in them, some events at a time."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field
from starlette.responses import Response

from server.analytics.behaviour import events, intake
from server.core import limits
from server.core.viewer import Access
from server.web.rest import Body, Call, nothing, route

PER_MINUTE = 240
DO_NOT = ("dnt", "sec-gpc")


class EventBody(Body):
    """`ago` is in milliseconds, so that a batch keeps its order."""

    kind: Literal["viewed", "added", "checkout"]
    products: Annotated[list[UUID], Field(min_length=1)]
    ago: Annotated[int, Field(ge=0, le=600_000)] = 0
    session: Annotated[str | None, Field(max_length=200)] = None


class EventsBody(Body):
    visit: UUID
    events: Annotated[list[EventBody], Field(min_length=1, max_length=50)]


async def record(call: Call) -> Response:
    """Keeps of a batch what the shop has room for.

    A browser that asks not to be followed (Do Not Track, Global Privacy Control) is not.
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
