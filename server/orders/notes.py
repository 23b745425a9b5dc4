"""Internal notes of admins on an order, never shown to its buyer."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.orders import versions
from server.orders.fulfilment import locked, subject
from server.orders.models import OrderNote
from server.platform.core.text import trimmed
from server.platform.core.viewer import Viewer

LONGEST = 2_000


async def add(session: AsyncSession, order_id: UUID, text: str, *, actor: Viewer, seen: str | None = None) -> OrderNote:
    """Adds a note. Raises NotFound, OrderChangedMeanwhile, or InvalidInput for an empty or too long one."""
    order = await locked(session, order_id)
    await versions.check(session, order, seen)
    words = trimmed(text, "text", LONGEST, missing="Write something")
    note = OrderNote(order_id=order_id, author_id=actor.user_id, author_name=actor.name, text=words)
    session.add(note)
    await session.flush()
    await audit.record(session, actor, "note written", subject(order), after={"text": words})
    return note
